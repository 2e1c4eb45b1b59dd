// Words and numbers as they are shown.

const FONT = '15px system-ui, sans-serif';

// What would disturb a picture: controls, and what changes the direction of text.
const DISTURBING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

// Letters of scripts that run from right to left.
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function shownWord(word) {
  const harmless = word.replace(DISTURBING, '\ufffd');
  return /^\p{M}/u.test(harmless) ? '\u25cc' + harmless : harmless;
}

// The direction of a word: that of its first letter, otherwise that of its sentence.
export function directionOf(word, rtl) {
  const letter = word.match(/\p{L}/u);
  return (letter ? FROM_RIGHT.test(letter[0]) : rtl) ? 'rtl' : 'ltr';
}

// Whether a sentence runs from right to left: that is what its first letter does.
export function runsFromRight(words) {
  const letter = words.join(' ').match(/\p{L}/u);
  return letter !== null && FROM_RIGHT.test(letter[0]);
}

export const directionName = (rtl) => (rtl ? 'rtl' : 'ltr');

const ruler = document.createElement('canvas').getContext('2d');
ruler.font = FONT;
const widths = new Map();
export function widthOf(text) {
  if (!widths.has(text)) widths.set(text, ruler.measureText(text).width);
  return widths.get(text);
}

// A word cut to a width.
export function fitted(word, limit) {
  const text = shownWord(word);
  if (widthOf(text) <= limit) return text;
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map((found) => found.segment);
  while (letters.length > 1 && widthOf(letters.join('') + '…') > limit) letters.pop();
  return letters.join('') + '…';
}

// `1 link`, `2 links`.
export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

// `8 s`, `2 min 05 s`, `1 h 20 min`.
export function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  if (minutes < 60) return `${minutes} min ${String(rest).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

export const percent = (share) => (share === null ? '–' : (100 * share).toFixed(1) + ' %');
export const decimal = (value) => (value === null ? '–' : value.toFixed(2));

// Making elements. Text goes in as text, never as HTML.

const SVG = 'http://www.w3.org/2000/svg';

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function shape(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

// A button with its text, what it does, and the key that does the same.
export function button(text, run, { key, ...attributes } = {}) {
  const name = attributes['aria-label'] ?? text;
  const made = element('button', { type: 'button', title: key ? `${name} (${key})` : undefined, ...attributes }, text);
  made.addEventListener('click', run);
  return made;
}

// The buttons of a choice, of which one is pressed.
export function press(buttons, value) {
  for (const [key, made] of Object.entries(buttons)) made.setAttribute('aria-pressed', String(key === value));
}

export function options(select, entries, value) {
  select.replaceChildren(...entries.map(([key, name]) => element('option', { value: key }, name)));
  select.value = value;
}

// A choice that the browser keeps. Where it may keep nothing, the choice lasts as long as the page.
const choices = new Map();
export function remembered(name) {
  try {
    return localStorage.getItem('alinea-' + name) ?? choices.get(name) ?? null;
  } catch {
    return choices.get(name) ?? null;
  }
}

export function remember(name, value) {
  choices.set(name, String(value));
  try {
    localStorage.setItem('alinea-' + name, value);
  } catch {
    // It is in `choices`.
  }
}

export const isNarrow = () => matchMedia('(max-width: 760px)').matches;
export const isCoarse = () => matchMedia('(pointer: coarse)').matches;

// Scrolls as little as brings a rectangle of the screen into view; of the view, `covered` is hidden by what stays in place.
export function scrollInto(scroller, { left, right, top, bottom }, covered = { left: 0, top: 0 }) {
  const [box, margin] = [scroller.getBoundingClientRect(), 16];
  const by = (from, to, start, end) => (from < start + margin ? from - start - margin : Math.max(0, to - end + margin));
  scroller.scrollLeft += by(left, right, box.left + covered.left, box.left + scroller.clientWidth);
  scroller.scrollTop += by(top, bottom, box.top + covered.top, box.top + scroller.clientHeight);
}

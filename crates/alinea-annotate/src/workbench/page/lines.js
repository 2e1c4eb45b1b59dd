// A sentence pair as words with lines between them: two rows, or two columns where rows are too wide.

import { isCoarse, shape } from './dom.js';
import { directionOf, fitted, shownWord, widthOf } from './text.js';
import { hasLine, lineOf } from './marks.js';
import { keyOf } from './state.js';

const MARGIN = 12;
const LONGEST = 260;
// The height of a word with its number.
const HEIGHT = 40;
const BETWEEN = 120;
// A row that is a little too wide is made smaller, down to this.
const SMALLEST = 0.8;

// Whether rows fit into a width. Fingers need words of a width of their own, and no smaller picture.
export function rowsFit(sentence, room) {
  return rowsOf(sentence, room) !== null;
}

function rowsOf(sentence, room) {
  const coarse = isCoarse();
  const lay = (gap) => [sentence.source, sentence.target].map((words) => places(words, gap, coarse ? 36 : 16));
  const least = coarse ? 1 : SMALLEST;
  return [[14, 1], [10, 1], [6, 1], [6, least]].map(([gap, scale]) => ({ rows: lay(gap), scale }))
    .find(({ rows, scale }) => widthFor(rows) * scale <= room)?.rows ?? null;
}

function widthFor(rows) {
  return Math.max(40, ...rows.map(({ end }) => end)) + 2 * MARGIN;
}

// Words side by side, from 0: their middles and widths.
function places(words, gap, narrowest) {
  let end = -gap;
  const boxes = words.map((word) => {
    const width = Math.max(widthOf(fitted(word, LONGEST)) + 8, narrowest);
    const start = end + gap;
    end = start + width;
    return { middle: start + width / 2, width };
  });
  return { boxes, end: Math.max(0, end) };
}

function picture(width, height, kind) {
  return shape('svg', { width, height, viewBox: `0 0 ${width} ${height}`, class: kind, 'aria-hidden': 'true' });
}

// A word in its box; `anchor` is meant from left to right, whatever the direction of the word.
function wordGroup(sentence, side, n, box, { x, y, anchor }, number, limit) {
  const [word, gone] = [sentence[side ? 'target' : 'source'][n], isUntranslated(sentence, side, n)];
  const [full, text] = [shownWord(word), fitted(word, limit)];
  const direction = directionOf(word, sentence.rtl[side]);
  const turned = { start: 'end', middle: 'middle', end: 'start' }[anchor];
  const group = shape('g', { class: gone ? 'word gone' : 'word', 'data-side': side, 'data-n': n },
    shape('rect', { class: 'box', rx: 5, ...box }),
    shape('text', { x, y, direction, 'text-anchor': direction === 'rtl' ? turned : anchor }, text),
    shape('text', { class: gone ? 'number nothing' : 'number', ...number }, gone ? '∅' : n + 1));
  if (text !== full) group.append(shape('title', {}, full));
  return group;
}

export function isUntranslated(sentence, side, n) {
  return sentence.untranslated[side ? 'target' : 'source'].includes(n);
}

export function drawLines(sentence, cells, room) {
  const rows = rowsOf(sentence, room);
  return rows ? drawRows(sentence, cells, room, rows) : drawColumns(sentence, cells, room);
}

function drawRows(sentence, cells, room, rows) {
  const width = widthFor(rows);
  const height = 2 * HEIGHT + BETWEEN + 8;
  const xs = rows.map(({ boxes, end }, side) => boxes.map(({ middle }) => (
    (sentence.rtl[side] ? end - middle : middle) + MARGIN + (width - 2 * MARGIN - end) / 2)));
  const [over, under] = [4 + HEIGHT, 4 + HEIGHT + BETWEEN];
  const svg = picture(width, height, 'in-rows');
  const bend = BETWEEN * 0.4;
  const line = (s, t) => `M${xs[0][s]} ${over}C${xs[0][s]} ${over + bend} ${xs[1][t]} ${under - bend} ${xs[1][t]} ${under}`;
  const middle = (s, t) => [(xs[0][s] + xs[1][t]) / 2, (over + under) / 2];
  const groups = rows.map(({ boxes }, side) => boxes.map(({ width: wide }, n) => {
    const [x, top] = [xs[side][n], side ? under : 4];
    const box = { x: x - wide / 2, y: top, width: wide, height: HEIGHT };
    // Numbers stand where the lines are.
    const number = { x, y: top + (side ? 11 : HEIGHT - 4), 'text-anchor': 'middle' };
    return wordGroup(sentence, side, n, box, { x, y: top + (side ? 30 : 21), anchor: 'middle' }, number, LONGEST);
  }));
  if (width > room) {
    svg.setAttribute('width', room);
    svg.setAttribute('height', height * room / width);
  }
  return finished({ svg, cells, groups, line, middle, keys: 'rows' });
}

function drawColumns(sentence, cells, room) {
  const [narrow, coarse] = [room < 480, isCoarse()];
  const pitch = coarse ? 40 : 30;
  const limit = Math.max(64, Math.min(LONGEST, (room - (narrow ? 130 : 180)) / 2));
  const column = (words) => Math.max(24, ...words.map((word) => widthOf(fitted(word, limit)))) + 8;
  const [left, right] = [column(sentence.source), column(sentence.target)];
  const numbers = 26;
  const gap = Math.max(narrow ? 48 : 70, Math.min(180, room - left - right - 2 * numbers - 16));
  const from = 4 + left + numbers;
  const to = from + gap;
  const y = (n) => 4 + pitch * (n + 0.5);
  const svg = picture(to + numbers + right + 4, y(Math.max(sentence.source.length, sentence.target.length, 1)) - pitch / 2 + 4, 'in-columns');
  const bend = gap * 0.4;
  const line = (s, t) => `M${from} ${y(s)}C${from + bend} ${y(s)} ${to - bend} ${y(t)} ${to} ${y(t)}`;
  const middle = (s, t) => [(from + to) / 2, (y(s) + y(t)) / 2];
  const source = sentence.source.map((_, n) => wordGroup(sentence, 0, n,
    { x: 4, y: y(n) - pitch / 2 + 1, width: left + numbers, height: pitch - 2 },
    { x: 4 + left - 4, y: y(n) + 5, anchor: 'end' }, { x: from - 4, y: y(n) + 4, 'text-anchor': 'end' }, limit));
  const target = sentence.target.map((_, n) => wordGroup(sentence, 1, n,
    { x: to, y: y(n) - pitch / 2 + 1, width: right + numbers, height: pitch - 2 },
    { x: to + numbers + 4, y: y(n) + 5, anchor: 'start' }, { x: to + 4, y: y(n) + 4 }, limit));
  return finished({ svg, cells, groups: [source, target], line, middle, keys: 'columns' });
}

// Puts lines under words, and says what the editor needs to know of a picture.
function finished({ svg, cells, groups, line, middle, keys }) {
  const aim = shape('path', { class: 'aim', visibility: 'hidden' });
  const drawn = new Map();
  svg.append(aim);
  for (const cell of [...cells.values()].filter(hasLine)) {
    const parts = lineOf(cell, line(cell.s, cell.t), ...middle(cell.s, cell.t));
    drawn.set(keyOf(cell.s, cell.t), parts);
    svg.append(...parts);
  }
  svg.append(...groups.flat());
  return {
    node: svg, keys, cellAt: () => null,
    paint: (shown) => paint(svg, groups, drawn, aim, line, shown),
    placeOf: (cursor, side) => groups[side][cursor[side]]?.getBoundingClientRect(),
  };
}

function paint(svg, groups, drawn, aim, line, { cursor, selected, hot }) {
  groups.forEach((words, side) => words.forEach((group, n) => {
    group.classList.toggle('cursor', cursor !== null && cursor[side] === n);
    group.classList.toggle('selected', selected[side].has(n));
    group.classList.toggle('hot', hot !== null && hot.words[side].has(n));
  }));
  svg.classList.toggle('focus', hot !== null && hot.cells.size > 0);
  for (const [key, parts] of drawn) parts.forEach((part) => part.classList.toggle('hot', hot !== null && hot.cells.has(key)));
  const both = cursor !== null && groups[0].length > 0 && groups[1].length > 0;
  aim.setAttribute('visibility', both ? 'visible' : 'hidden');
  if (both) aim.setAttribute('d', line(...cursor));
}

// A sentence pair as a matrix: a row a source word, a column a target word, a shape a link. The words stay where they are while the
// cells are scrolled.

import { element, isCoarse, isNarrow, remember, remembered, shape } from './dom.js';
import { directionOf, fitted, shownWord, widthOf } from './text.js';
import { isUntranslated } from './lines.js';
import { markShape } from './marks.js';

// The sizes of cells to choose from.
const SIZES = [10, 14, 18, 24, 30, 36, 48];

// The height of the page that all but the cells takes.
const AROUND = 400;

function cellSize(sentence) {
  const chosen = Number(remembered('cell'));
  if (SIZES.includes(chosen)) return chosen;
  const isLarge = 24 * sentence.source.length > innerHeight - AROUND || sentence.target.length > 60;
  return isCoarse() ? 36 : isLarge ? 18 : 24;
}

// Makes cells larger (1) or smaller (-1).
export function zoom(sentence, by) {
  const place = SIZES.indexOf(cellSize(sentence)) + by;
  remember('cell', SIZES[Math.min(SIZES.length - 1, Math.max(0, place))]);
}

function part(width, height) {
  return shape('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
}

// Where everything stands: the size of a cell, the room for words on the left and above, the place of a column.
function layOut(sentence) {
  const { source, target, rtl } = sentence;
  const cell = cellSize(sentence);
  // Letters are not higher than cells.
  const scale = Math.min(1, cell / 18);
  const limit = (isNarrow() ? 84 : 150) / scale;
  const reach = (words) => Math.max(20, ...words.map((word) => widthOf(fitted(word, limit)))) * scale + 30;
  const column = (t) => cell * (rtl[1] ? target.length - 1 - t : t);
  return { cell, scale, limit, left: reach(source), top: reach(target), width: cell * target.length, height: cell * source.length, column };
}

export function drawMatrix(sentence, cells) {
  const place = layOut(sentence);
  const { cell, left, top, width, height, column } = place;
  const [above, beside, svg] = [part(width + 1, top), part(left, height + 1), part(width + 1, height + 1)];
  const words = drawWords(sentence, place);
  beside.append(...words[0]);
  above.append(...words[1]);
  const { strips, ...moving } = drawMoving(place);
  svg.append(strips, ...moving.bands, ruling(sentence, place), ...[...cells.values()].flatMap((found) => drawCell(found, place)), moving.range, moving.frame);
  const node = element('div', { class: 'matrix' }, element('div', { class: 'corner' }), element('div', { class: 'above' }, above),
    element('div', { class: 'beside' }, beside), element('div', { class: 'cells' }, svg));
  node.style.gridTemplateColumns = `${left}px max-content`;

  const placeOf = ([s, t]) => {
    const box = svg.getBoundingClientRect();
    const [x, y] = [box.left + column(t), box.top + s * cell];
    return { left: x, right: x + cell, top: y, bottom: y + cell };
  };
  return {
    node, keys: 'matrix', placeOf, covered: { left, top },
    cellAt: (x, y, nearest) => cellAt(svg.getBoundingClientRect(), sentence, cell, x, y, nearest),
    paint: (shown) => paint(place, words, { strips, ...moving }, shown),
  };
}

// The words of both sides, each with its number; a column is read from below.
function drawWords({ source, target, rtl, untranslated }, { cell, scale, limit, left, top, column }) {
  const every = cell < 18 ? 5 : 1;
  const word = (side, n, box, { anchor, ...spot }, number) => {
    const text = [source, target][side][n];
    const [full, short] = [shownWord(text), fitted(text, limit)];
    const gone = isUntranslated({ untranslated }, side, n);
    const direction = directionOf(text, rtl[side]);
    const turned = { start: 'end', end: 'start' }[anchor];
    const written = shape('text', { ...spot, direction, 'text-anchor': direction === 'rtl' ? turned : anchor }, short);
    written.style.fontSize = 15 * scale + 'px';
    const group = shape('g', { class: gone ? 'word gone' : 'word', 'data-side': side, 'data-n': n }, shape('rect', { class: 'box', rx: 4, ...box }), written);
    if (gone || n % every === 0) group.append(shape('text', { class: gone ? 'number nothing' : 'number', ...number }, gone ? '∅' : n + 1));
    if (short !== full) group.append(shape('title', {}, full));
    return group;
  };
  const rows = source.map((_, n) => {
    const y = (n + 0.5) * cell;
    return word(0, n, { x: 1, y: n * cell + 0.5, width: left - 2, height: cell - 1 },
      { x: left - 28, y: y + 5 * scale, anchor: 'end' }, { x: left - 4, y: y + 4 * scale, 'text-anchor': 'end' });
  });
  const columns = target.map((_, n) => {
    const x = column(n) + cell / 2;
    return word(1, n, { x: column(n) + 0.5, y: 1, width: cell - 1, height: top - 2 },
      { transform: `translate(${x + 5 * scale} ${top - 22}) rotate(-90)`, anchor: 'start' }, { x, y: top - 6, 'text-anchor': 'middle' });
  });
  return [rows, columns];
}

function ruling({ source, target }, { cell, width, height }) {
  let d = '';
  for (let n = 0; n <= source.length; n++) d += `M0 ${n * cell}H${width}`;
  for (let n = 0; n <= target.length; n++) d += `M${n * cell} 0V${height}`;
  return shape('path', { d, class: 'ruling' });
}

function drawCell(found, { cell, column }) {
  const [x, y] = [column(found.t) + cell / 2, (found.s + 0.5) * cell];
  const halo = { class: 'halo-cell', x: x - cell / 2 + 1, y: y - cell / 2 + 1, width: cell - 2, height: cell - 2 };
  return [...(found.disputed ? [shape('rect', halo)] : []), markShape(found, x, y, cell * 0.28)];
}

// What moves over the cells: the row and the column of the cursor, its frame, a rectangle that is drawn, words that are selected.
function drawMoving({ cell, width, height }) {
  const strip = (attributes) => shape('rect', { visibility: 'hidden', ...attributes });
  return {
    bands: [strip({ class: 'cross', x: 0, width, height: cell }), strip({ class: 'cross', y: 0, width: cell, height })],
    frame: strip({ class: 'frame', width: cell, height: cell }), range: strip({ class: 'range' }), strips: shape('g', {}),
  };
}

// The cell at a point of the screen; beside the matrix, the nearest one if that is wanted.
function cellAt(box, { source, target, rtl }, cell, x, y, nearest) {
  let [across, s] = [x - box.left, y - box.top].map((distance) => Math.floor(distance / cell));
  if (nearest) [across, s] = [[across, target.length], [s, source.length]].map(([at, end]) => Math.min(end - 1, Math.max(0, at)));
  if (s < 0 || across < 0 || s >= source.length || across >= target.length) return null;
  return { s, t: rtl[1] ? target.length - 1 - across : across };
}

function paint({ cell, width, height, column }, words, { strips, bands, frame, range }, { cursor, selected, hot, rectangle }) {
  const show = (shown, attributes) => {
    for (const [key, value] of Object.entries({ visibility: 'visible', ...attributes })) shown.setAttribute(key, value);
  };
  words.forEach((groups, side) => groups.forEach((group, n) => {
    group.classList.toggle('cursor', cursor !== null && cursor[side] === n);
    group.classList.toggle('selected', selected[side].has(n));
    group.classList.toggle('hot', hot !== null && hot.words[side].has(n));
  }));
  const band = (n, side) => (side ? { x: column(n), y: 0, width: cell, height } : { x: 0, y: n * cell, width, height: cell });
  strips.replaceChildren(...selected.flatMap((chosen, side) => [...chosen].map((n) => shape('rect', { class: 'chosen', ...band(n, side) }))));
  [...bands, frame, range].forEach((hidden) => hidden.setAttribute('visibility', 'hidden'));
  const at = hot?.at ?? cursor;
  if (at && width && height) at.forEach((n, side) => show(bands[side], band(n, side)));
  if (cursor && width && height) show(frame, { x: column(cursor[1]), y: cursor[0] * cell });
  if (rectangle) {
    const [across, down] = [Math.abs(rectangle.t[1] - rectangle.t[0]) + 1, Math.abs(rectangle.s[1] - rectangle.s[0]) + 1];
    show(range, { x: Math.min(...rectangle.t.map(column)), y: Math.min(...rectangle.s) * cell, width: across * cell, height: down * cell });
  }
}

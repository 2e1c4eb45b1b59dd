// Pictures of one pair: two rows of words, two columns of words, a matrix.

const SVG = 'http://www.w3.org/2000/svg';
const FONT = '15px system-ui, sans-serif';
const LEVEL = 19;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  return fill(made, attributes, children);
}

function shape(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

const ruler = document.createElement('canvas').getContext('2d');
ruler.font = FONT;
const widths = new Map();
function widthOf(text) {
  if (!widths.has(text)) widths.set(text, ruler.measureText(text).width);
  return widths.get(text);
}

// A word cut to a width.
function fitted(word, limit) {
  const text = shownWord(word);
  if (widthOf(text) <= limit) return text;
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map((s) => s.segment);
  while (letters.length > 1 && widthOf(letters.join('') + '…') > limit) letters.pop();
  return letters.join('') + '…';
}

function wordText(word, side, n, attributes, limit) {
  const found = isFound(word) ? ' found' : '';
  const full = shownWord(word);
  const text = fitted(word, limit);
  const shown = shape('text', { class: 'word' + found, 'data-side': side, 'data-n': n, direction: undefined, ...attributes }, text);
  shown.style.unicodeBidi = 'isolate';
  if (text !== full) shown.append(shape('title', {}, full));
  return shown;
}

// The mark of a link as a shape around a point: a square, a hollow one, a cross, a ring, a small ring.
function markShape(mark, x, y, size, extra = {}) {
  const attributes = { class: 'mark ' + mark, ...extra };
  if (mark === 'wrong') {
    const [a, b, c, d] = [x - size, y - size, x + size, y + size];
    return shape('path', { d: `M${a} ${b}L${c} ${d}M${a} ${d}L${c} ${b}`, ...attributes });
  }
  if (mark.endsWith('missed')) {
    return shape('circle', { cx: x, cy: y, r: mark === 'sure-missed' ? size : size * 0.55, ...attributes });
  }
  return shape('rect', { x: x - size, y: y - size, width: 2 * size, height: 2 * size, ...attributes });
}

function opacityOf(link) {
  return link.weight === undefined ? undefined : Math.min(1, Math.max(0.15, link.weight));
}

// A link as a line with its shape in the middle; sure ones need none.
function lineOf(link, d, x, y) {
  const which = { 'data-s': link.s, 'data-t': link.t };
  const parts = [shape('path', { d, class: 'link ' + link.mark, 'stroke-opacity': opacityOf(link), ...which })];
  if (link.mark !== 'sure') parts.push(markShape(link.mark, x, y, 4, which));
  parts.push(shape('path', { d, class: 'reach', 'data-mark': link.mark, 'data-weight': link.weight, ...which }));
  return parts;
}

function picture(width, height, label) {
  return shape('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
}

// The position of a word, and its part of speech where there is a tree.
function numberText(n, tree) {
  return tree && tree[n][2] ? n + ' ' + shownWord(tree[n][2]) : String(n);
}

// The words side by side, from 0.
function places(words, limit, tree, gap) {
  let at = 0;
  return words.map((word, n) => {
    // An arc between neighbors is shorter than others.
    const relation = tree ? widthOf(shownWord(tree[n][1])) * 0.8 + (Math.abs(tree[n][0] - n) === 1 ? 20 : 0) : 0;
    const width = Math.max(widthOf(fitted(word, limit)), relation, widthOf(numberText(n, tree)) * 0.7, 8);
    const place = { middle: at + width / 2, end: at + width };
    at += width + gap;
    return place;
  });
}

// A dependency tree: arcs from heads to dependents on one side of the words (up: -1, down: 1), with their relations.
function drawTree(svg, tree, xs, y, side) {
  const named = (word) => ({ 'data-arc': `${side < 0 ? 0 : 1}-${word}` });
  for (const arc of treeArcs(tree)) {
    const way = Math.sign(arc.dependent - arc.head);
    const [from, to] = [xs[arc.head] + 5 * way, xs[arc.dependent] - 2 * way];
    const top = y + side * (8 + LEVEL * arc.level);
    const bend = Math.min(8, Math.abs(to - from) / 2);
    const d = `M${from} ${y}V${top - side * bend}Q${from} ${top} ${from + way * bend} ${top}` +
      `H${to - way * bend}Q${to} ${top} ${to} ${top - side * bend}V${y}`;
    const which = named(arc.dependent);
    svg.append(shape('path', { d, class: 'arc', ...which }));
    svg.append(shape('path', { d: `M${to} ${y}l-3.5 ${side * 7}h7z`, class: 'arrow', ...which }));
    svg.append(shape('text', { class: 'relation', ...which, x: (from + to) / 2, y: top + 3.5, 'text-anchor': 'middle' }, shownWord(tree[arc.dependent][1])));
  }
  for (const { word, level } of treeRoots(tree)) {
    const [x, top] = [xs[word], y + side * (8 + LEVEL * level)];
    const which = named(word);
    svg.append(shape('path', { d: `M${x} ${y}V${top}`, class: 'arc', ...which }));
    svg.append(shape('path', { d: `M${x} ${y}l-3.5 ${side * 7}h7z`, class: 'arrow', ...which }));
    svg.append(shape('text', { class: 'relation', ...which, x, y: top + 3.5, 'text-anchor': 'middle' }, shownWord(tree[word][1])));
  }
}

function treeHeight(tree) {
  if (!tree) return 0;
  return 20 + LEVEL * Math.max(0, ...[...treeArcs(tree), ...treeRoots(tree)].map(({ level }) => level));
}

// Two rows, source above target, with lines between them, and trees outside.
function drawLines(pair, judged, label, room) {
  const lay = (gap) => [places(pair.s, 260, pair.st, gap), places(pair.t, 260, pair.tt, gap)];
  const endsOf = (rows) => rows.map((row) => (row.length ? row[row.length - 1].end : 0));
  // Words move together where that spares scrolling.
  const rows = [16, 12, 8].map(lay).find((tried) => Math.max(...endsOf(tried)) + 24 <= room) ?? lay(12);
  const ends = endsOf(rows);
  const inner = Math.max(...ends, 40);
  const xs = rows.map((row, n) => row.map((place) => place.middle + 12 + (inner - ends[n]) / 2));
  const top = treeHeight(pair.st) + (pair.st ? 6 : 0);
  const bands = [bandOf(pair, 0), bandOf(pair, 1)];
  const from = top + 38;
  const over = from + bands[0].height;
  const under = over + (pair.e ? 84 : 110);
  const to = under + bands[1].height;
  const height = to + 36 + treeHeight(pair.tt) + (pair.tt ? 12 : 0);
  const svg = picture(inner + 24, height, label);
  if (pair.st) drawTree(svg, pair.st, xs[0], top + 2, -1);
  if (pair.tt) drawTree(svg, pair.tt, xs[1], to + 38, 1);
  for (const link of judged) {
    const [x, u] = [xs[0][link.s], xs[1][link.t]];
    const d = `M${x} ${from}V${over}C${x} ${over + 45} ${u} ${under - 45} ${u} ${under}V${to}`;
    svg.append(...lineOf(link, d, (x + u) / 2, (over + under) / 2));
  }
  drawBand(svg, bands[0], xs[0], from, 1);
  drawBand(svg, bands[1], xs[1], to, -1);
  const row = (words, tree, side, y, numbers) => words.forEach((word, n) => {
    const x = xs[side][n];
    svg.append(wordText(word, side, n, { x, y, 'text-anchor': 'middle' }, 260));
    svg.append(shape('text', { class: 'number', x, y: numbers, 'text-anchor': 'middle' }, numberText(n, tree)));
  });
  row(pair.s, pair.st, 0, top + 20, top + 34);
  row(pair.t, pair.tt, 1, to + 29, to + 12);
  return svg;
}

// Two columns, source left of target: what fits a narrow screen.
function drawColumns(pair, judged, label, room) {
  const limit = Math.max(70, Math.min(260, (room - 150) / 2));
  const column = (words) => Math.max(20, ...words.map((word) => widthOf(fitted(word, limit))));
  const bands = [bandOf(pair, 0), bandOf(pair, 1)];
  const [left, right] = [bands[0].height + column(pair.s), column(pair.t)];
  const gap = Math.max(60, Math.min(160, room - left - right - bands[1].height - 80));
  const [from, to] = [left + 34, left + 34 + gap];
  const y = (n) => 20 + 26 * n;
  const svg = picture(to + right + 34 + bands[1].height, y(Math.max(pair.s.length, pair.t.length, 1)) - 8, label);
  for (const link of judged) {
    const [a, b] = [y(link.s) - 5, y(link.t) - 5];
    const bend = gap * 0.4;
    svg.append(...lineOf(link, `M${from} ${a}C${from + bend} ${a} ${to - bend} ${b} ${to} ${b}`, (from + to) / 2, (a + b) / 2));
  }
  const ends = (words) => words.map((_, n) => y(n) - 5);
  drawBand(svg, bands[0], ends(pair.s), bands[0].height + 2, -1, true);
  drawBand(svg, bands[1], ends(pair.t), to + right + 32, 1, true);
  pair.s.forEach((word, n) => svg.append(
    wordText(word, 0, n, { x: left + 8, y: y(n), 'text-anchor': 'end' }, limit),
    shape('text', { class: 'number', x: left + 12, y: y(n) }, n)));
  pair.t.forEach((word, n) => svg.append(
    wordText(word, 1, n, { x: to + 24, y: y(n) }, limit),
    shape('text', { class: 'number', x: to + 20, y: y(n), 'text-anchor': 'end' }, n)));
  return svg;
}

// A row a source word, a column a target word, a shape a link.
function drawMatrix(pair, judged, label, room) {
  const cell = room < 480 || Math.max(pair.s.length, pair.t.length) > 60 ? 18 : 24;
  const limit = room < 480 ? 90 : 150;
  const reach = (words) => Math.max(20, ...words.map((word) => widthOf(fitted(word, limit))));
  const [left, top] = [reach(pair.s) + 26, reach(pair.t) + 26];
  const [width, height] = [left + cell * pair.t.length, top + cell * pair.s.length];
  const svg = picture(width + 12, height + 12, label);
  const crosses = [
    shape('rect', { class: 'cross', x: 0, width, height: cell, visibility: 'hidden' }),
    shape('rect', { class: 'cross', y: 0, height, width: cell, visibility: 'hidden' }),
  ];
  let ruling = '';
  for (let n = 0; n <= pair.s.length; n++) ruling += `M${left} ${top + n * cell}H${width}`;
  for (let n = 0; n <= pair.t.length; n++) ruling += `M${left + n * cell} ${top}V${height}`;
  svg.append(...crosses, shape('path', { d: ruling, class: 'ruling' }));
  pair.s.forEach((word, n) => {
    const y = top + (n + 0.5) * cell + 5;
    svg.append(wordText(word, 0, n, { x: left - 24, y, 'text-anchor': 'end' }, limit));
    svg.append(shape('text', { class: 'number', x: left - 4, y: y - 1, 'text-anchor': 'end' }, n));
  });
  pair.t.forEach((word, n) => {
    const x = left + (n + 0.5) * cell + 5;
    svg.append(wordText(word, 1, n, { transform: `translate(${x} ${top - 18}) rotate(-90)` }, limit));
    svg.append(shape('text', { class: 'number', x: x - 5, y: top - 5, 'text-anchor': 'middle' }, n));
  });
  for (const link of judged) {
    const [x, y] = [left + (link.t + 0.5) * cell, top + (link.s + 0.5) * cell];
    svg.append(markShape(link.mark, x, y, cell * 0.28, {
      'data-s': link.s, 'data-t': link.t, 'data-mark': link.mark, 'data-weight': link.weight, opacity: opacityOf(link),
    }));
  }
  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect();
    const t = Math.floor((event.clientX - box.left - left) / cell);
    const s = Math.floor((event.clientY - box.top - top) / cell);
    const inside = s >= 0 && t >= 0 && s < pair.s.length && t < pair.t.length;
    crosses.forEach((cross) => cross.setAttribute('visibility', inside ? 'visible' : 'hidden'));
    if (!inside) return;
    crosses[0].setAttribute('y', top + s * cell);
    crosses[1].setAttribute('x', left + t * cell);
    tell(pair, judged.find((link) => link.s === s && link.t === t) ?? { s, t });
  });
  svg.addEventListener('pointerleave', () => crosses.forEach((cross) => cross.setAttribute('visibility', 'hidden')));
  return svg;
}

// Shows what belongs to a link or a word, and lets the rest fade; without either, everything as it was.
function highlight(svg, chosen) {
  svg.querySelectorAll('.hot').forEach((part) => part.classList.remove('hot'));
  svg.classList.remove('tracing');
  svg.classList.toggle('focus', chosen !== null);
  if (chosen === null) return;
  const warm = (selector) => svg.querySelectorAll(selector).forEach((part) => part.classList.add('hot'));
  const word = (side, n) => warm(`.word[data-side="${side}"][data-n="${n}"]`);
  const links = chosen.side === undefined
    ? svg.querySelectorAll(`[data-s="${chosen.s}"][data-t="${chosen.t}"]`)
    : svg.querySelectorAll(`[data-${chosen.side === '0' ? 's' : 't'}="${chosen.n}"]`);
  if (chosen.side === undefined) {
    word(0, chosen.s);
    word(1, chosen.t);
  } else {
    word(chosen.side, chosen.n);
  }
  links.forEach((part) => {
    part.classList.add('hot');
    word(0, part.dataset.s);
    word(1, part.dataset.t);
  });
}


// Pictures of one pair: two rows of words, two columns of words, a matrix, interlinear words.

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

// What a word is, for those who choose one.
function wordAttributes(word, side, n) {
  return { class: 'word' + (isFound(word) ? ' found' : ''), 'data-side': side, 'data-n': n };
}

// A word of a sentence that runs this way; its anchor is meant from left to right, whatever the way.
function wordText(word, side, n, sentence, { 'text-anchor': anchor = 'start', ...attributes }, limit) {
  const full = shownWord(word);
  const text = fitted(word, limit);
  const direction = directionOf([word], sentence);
  const turned = { start: 'end', middle: 'middle', end: 'start' }[anchor];
  const shown = shape('text', {
    ...wordAttributes(word, side, n), direction, 'text-anchor': direction === 'rtl' ? turned : anchor, ...attributes,
  }, text);
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

// A link as a line with its shape in the middle; right ones need none.
function lineOf(link, d, x, y) {
  const which = { 'data-s': link.s, 'data-t': link.t };
  const parts = [shape('path', { d, class: 'link ' + link.mark, 'stroke-opacity': opacityOf(link), ...which })];
  if (!isRight(link.mark)) parts.push(markShape(link.mark, x, y, 4, which));
  parts.push(shape('path', { d, class: 'reach', 'data-mark': link.mark, 'data-weight': link.weight, ...which }));
  return parts;
}

function isRight(mark) {
  return mark === 'sure' || mark === 'plain';
}

function picture(width, height, label) {
  const what = label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label };
  return shape('svg', { width, height, viewBox: `0 0 ${width} ${height}`, ...what });
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

// A dependency tree: arcs from heads to dependents, over words at `ends`, from a line at `from` towards `way` (1 or -1), with their
// relations. For columns the line is vertical, levels are as near to each other as is said, and relations stand with the words.
function drawTree(svg, tree, side, ends, from, way, upright = 0) {
  const point = (along, across) => (upright ? `${across} ${along}` : `${along} ${across}`);
  const across = (level) => from + way * (8 + (upright || LEVEL) * level);
  const draw = (word, d, end, along, top) => {
    const which = { 'data-arc': `${side}-${word}` };
    const arrow = `M${point(end, from)}L${point(end - 3.5, from + 7 * way)}L${point(end + 3.5, from + 7 * way)}z`;
    svg.append(shape('path', { d, class: 'arc', ...which }), shape('path', { d: arrow, class: 'arrow', ...which }));
    if (upright) return;
    svg.append(shape('text', { class: 'relation', ...which, x: along, y: top + 3.5, 'text-anchor': 'middle' }, shownWord(tree[word][1])));
  };
  for (const arc of treeArcs(tree)) {
    const to = Math.sign(ends[arc.dependent] - ends[arc.head]);
    const [start, end, top] = [ends[arc.head] + 5 * to, ends[arc.dependent] - 2 * to, across(arc.level)];
    const bend = Math.min(upright ? 5 : 8, Math.abs(end - start) / 2);
    const d = `M${point(start, from)}L${point(start, top - way * bend)}Q${point(start, top)} ${point(start + to * bend, top)}` +
      `L${point(end - to * bend, top)}Q${point(end, top)} ${point(end, top - way * bend)}L${point(end, from)}`;
    draw(arc.dependent, d, end, (start + end) / 2, top);
  }
  for (const { word, level } of treeRoots(tree)) {
    const [end, top] = [ends[word], across(level)];
    draw(word, `M${point(end, from)}L${point(end, top)}`, end, end, top);
  }
}

function treeLevels(tree) {
  return Math.max(0, ...[...treeArcs(tree), ...treeRoots(tree)].map(({ level }) => level));
}

function treeHeight(tree) {
  return tree ? 20 + LEVEL * treeLevels(tree) : 0;
}

// A picture that is a little too wide is made smaller, down to this.
const SMALLEST = 0.75;

// Where the words of two rows stand: words move together where that spares scrolling.
function rowsOf(pair, room) {
  const lay = (gap) => [places(pair.s, 260, pair.st, gap), places(pair.t, 260, pair.tt, gap)];
  const endsOf = (rows) => rows.map((row) => (row.length ? row[row.length - 1].end : 0));
  const widthFor = (rows) => Math.max(...endsOf(rows), 40) + 24;
  const tried = [16, 12, 8].map(lay);
  const rows = tried.find((rows) => widthFor(rows) <= room) ?? tried.find((rows) => widthFor(rows) * SMALLEST <= room);
  return { rows: rows ?? tried[1], ends: endsOf(rows ?? tried[1]), fits: rows !== undefined };
}

// Two rows, source above target, with lines between them, and trees outside.
function drawLines(pair, judged, label, room) {
  const { rows, ends, fits } = rowsOf(pair, room);
  const inner = Math.max(...ends, 40);
  const ways = [directionOf(pair.s), directionOf(pair.t)];
  const xs = rows.map((row, n) => row.map(({ middle }) => (
    (ways[n] === 'rtl' ? ends[n] - middle : middle) + 12 + (inner - ends[n]) / 2)));
  const top = treeHeight(pair.st) + (pair.st ? 6 : 0);
  const bands = [bandOf(pair, 0), bandOf(pair, 1)];
  const from = top + 38;
  const over = from + bands[0].height;
  const under = over + (pair.e ? 84 : 110);
  const to = under + bands[1].height;
  const height = to + 36 + treeHeight(pair.tt) + (pair.tt ? 12 : 0);
  const svg = picture(inner + 24, height, label);
  if (pair.st) drawTree(svg, pair.st, 0, xs[0], top + 2, -1);
  if (pair.tt) drawTree(svg, pair.tt, 1, xs[1], to + 38, 1);
  for (const link of judged) {
    const [x, u] = [xs[0][link.s], xs[1][link.t]];
    const d = `M${x} ${from}V${over}C${x} ${over + 45} ${u} ${under - 45} ${u} ${under}V${to}`;
    svg.append(...lineOf(link, d, (x + u) / 2, (over + under) / 2));
  }
  drawBand(svg, bands[0], xs[0], from, 1);
  drawBand(svg, bands[1], xs[1], to, -1);
  const row = (words, tree, side, y, numbers) => words.forEach((word, n) => {
    const x = xs[side][n];
    svg.append(wordText(word, side, n, ways[side], { x, y, 'text-anchor': 'middle' }, 260));
    svg.append(shape('text', { class: 'number', x, y: numbers, 'text-anchor': 'middle' }, numberText(n, tree)));
  });
  row(pair.s, pair.st, 0, top + 20, top + 34);
  row(pair.t, pair.tt, 1, to + 29, to + 12);
  if (fits && inner + 24 > room) {
    svg.setAttribute('width', room);
    svg.setAttribute('height', height * room / (inner + 24));
  }
  return svg;
}

// Two columns, source left of target, and trees outside: what fits a narrow screen.
function drawColumns(pair, judged, label, room) {
  const trees = [pair.st, pair.tt];
  const narrow = room < 480;
  const bands = [bandOf(pair, 0), bandOf(pair, 1)];
  const level = narrow ? 5 : 9;
  const depths = trees.map((tree) => (tree ? 12 + level * treeLevels(tree) : 0));
  const sides = [0, 1].map((side) => depths[side] + bands[side].height);
  const limit = Math.max(64, Math.min(260, (room - (narrow ? 110 : 150) - depths[0] - depths[1]) / 2));
  const relationOf = (side, n) => {
    const [, relation, tag] = (trees[side] ?? [])[n] ?? [];
    return [narrow ? '' : tag, relation].filter(Boolean).map(shownWord).join(' ');
  };
  const column = (words, side) => Math.max(20, ...words.map((word, n) => (
    Math.max(widthOf(fitted(word, limit)), widthOf(relationOf(side, n)) * 0.75))));
  const [left, right] = [sides[0] + column(pair.s, 0), column(pair.t, 1)];
  const gap = Math.max(narrow ? 40 : 60, Math.min(160, room - left - right - sides[1] - 80));
  const [from, to] = [left + 34, left + 34 + gap];
  const y = (n) => 20 + (pair.st || pair.tt ? 36 : 26) * n;
  const rows = Math.max(pair.s.length, pair.t.length, 1);
  const svg = picture(to + right + 34 + sides[1], y(rows) - 8, label);
  for (const link of judged) {
    const [a, b] = [y(link.s) - 5, y(link.t) - 5];
    const bend = gap * 0.4;
    svg.append(...lineOf(link, `M${from} ${a}C${from + bend} ${a} ${to - bend} ${b} ${to} ${b}`, (from + to) / 2, (a + b) / 2));
  }
  const draw = (words, side, inner, way, word, number) => {
    const sentence = directionOf(words);
    const ends = words.map((_, n) => y(n) - 5);
    drawBand(svg, bands[side], ends, inner, way, true);
    if (trees[side]) drawTree(svg, trees[side], side, ends, inner + way * bands[side].height, way, level);
    words.forEach((text, n) => svg.append(
      wordText(text, side, n, sentence, { ...word, y: y(n) }, limit),
      shape('text', { class: 'number', ...number, y: y(n) }, n)));
    if (trees[side]) words.forEach((_, n) => svg.append(
      shape('text', { class: 'relation', 'data-arc': `${side}-${n}`, ...word, y: y(n) + 13 }, relationOf(side, n))));
  };
  draw(pair.s, 0, sides[0] + 2, -1, { x: left + 8, 'text-anchor': 'end' }, { x: left + 12 });
  draw(pair.t, 1, to + right + 32, 1, { x: to + 24 }, { x: to + 20, 'text-anchor': 'end' });
  return svg;
}

// A row a source word, a column a target word, a shape a link. The words stay where they are while the cells are scrolled.
function drawMatrix(pair, judged, label, room) {
  const [narrow, longest] = [room < 480, Math.max(pair.s.length, pair.t.length)];
  const cell = longest > 100 ? 14 : narrow || longest > 60 ? 18 : 24;
  // Letters are not higher than cells, and numbers not wider.
  const scale = cell < 18 ? 0.8 : 1;
  const every = longest > 60 ? 5 : 1;
  const limit = (narrow ? 90 : 150) / scale;
  const ways = [directionOf(pair.s), directionOf(pair.t)];
  const reach = (words) => Math.max(20, ...words.map((word) => widthOf(fitted(word, limit)))) * scale;
  const [left, top] = [reach(pair.s) + 26, reach(pair.t) + 26];
  const [width, height] = [cell * pair.t.length, cell * pair.s.length];
  const column = (t) => cell * (ways[1] === 'rtl' ? pair.t.length - 1 - t : t);
  const [above, beside, svg] = [picture(width, top), picture(left, height), picture(width + 1, height + 1, label)];
  const crosses = [[beside, left], [svg, width]].map(([part, wide]) => {
    const row = shape('rect', { class: 'cross', x: 0, width: wide, height: cell, visibility: 'hidden' });
    part.append(row);
    return row;
  });
  const columns = [[above, top], [svg, height]].map(([part, high]) => {
    const across = shape('rect', { class: 'cross', y: 0, height: high, width: cell, visibility: 'hidden' });
    part.append(across);
    return across;
  });
  let ruling = '';
  for (let n = 0; n <= pair.s.length; n++) ruling += `M0 ${n * cell}H${width}`;
  for (let n = 0; n <= pair.t.length; n++) ruling += `M${n * cell} 0V${height}`;
  svg.append(shape('path', { d: ruling, class: 'ruling' }));
  pair.s.forEach((word, n) => {
    const y = (n + 0.5) * cell + 5 * scale;
    beside.append(wordText(word, 0, n, ways[0], { x: left - 26, y, 'text-anchor': 'end' }, limit));
    if (n % every === 0) beside.append(shape('text', { class: 'number', x: left - 4, y: y - 1, 'text-anchor': 'end' }, n));
  });
  pair.t.forEach((word, n) => {
    const x = column(n) + 0.5 * cell + 5 * scale;
    above.append(wordText(word, 1, n, ways[1], { transform: `translate(${x} ${top - 18}) rotate(-90)` }, limit));
    if (n % every === 0) above.append(shape('text', { class: 'number', x: x - 5 * scale, y: top - 5, 'text-anchor': 'middle' }, n));
  });
  for (const link of judged) {
    svg.append(markShape(link.mark, column(link.t) + 0.5 * cell, (link.s + 0.5) * cell, cell * 0.28, {
      'data-s': link.s, 'data-t': link.t, 'data-mark': link.mark, 'data-weight': link.weight, opacity: opacityOf(link),
    }));
  }
  const show = (visible) => [...crosses, ...columns].forEach((part) => part.setAttribute('visibility', visible ? 'visible' : 'hidden'));
  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect();
    const [x, s] = [event.clientX - box.left, event.clientY - box.top].map((place) => Math.floor(place / cell));
    const t = ways[1] === 'rtl' ? pair.t.length - 1 - x : x;
    const inside = s >= 0 && t >= 0 && s < pair.s.length && t < pair.t.length;
    show(inside);
    if (!inside) return;
    crosses.forEach((part) => part.setAttribute('y', s * cell));
    columns.forEach((part) => part.setAttribute('x', column(t)));
    tell(pair, judged.find((link) => link.s === s && link.t === t) ?? { s, t });
  });
  svg.addEventListener('pointerleave', () => show(false));
  const parts = [element('div', { class: 'corner' }), element('div', { class: 'above' }, above), element('div', { class: 'beside' }, beside), svg];
  return element('div', { class: scale < 1 ? 'matrix small' : 'matrix', style: `grid-template-columns: ${left}px max-content` }, ...parts);
}

// The source words, and under each the words that it is linked with; then the target sentence. Lines break where they must.
function drawInterlinear(pair, judged) {
  const ways = [directionOf(pair.s), directionOf(pair.t)];
  const of = pair.s.map(() => []);
  for (const link of judged) of[link.s].push(link);
  const number = (n) => element('span', { class: 'number', dir: 'ltr' }, n);
  const word = (text, side, n, attributes = wordAttributes(text, side, n)) => (
    element('bdi', { ...attributes, dir: directionOf([text], ways[side]) }, shownWord(text)));
  const counterpart = (link) => {
    const sign = shape('svg', { width: 12, height: 12, 'aria-hidden': 'true' }, markShape(link.mark, 6, 6, 4));
    const name = { title: nameOf(link.mark, state.reference) };
    const which = { 'data-s': link.s, 'data-t': link.t, 'data-mark': link.mark, 'data-weight': link.weight };
    const made = element('span', { class: 'counterpart', ...name, ...which }, ...(link.mark === 'plain' ? [] : [sign]),
      word(pair.t[link.t], 1, link.t, {}), number(link.t));
    made.style.opacity = opacityOf(link) ?? '';
    return made;
  };
  const plain = (text, side, n) => element('span', { class: 'unit' }, element('span', {}, word(text, side, n), number(n)));
  const units = pair.s.map((text, n) => {
    const unit = plain(text, 0, n);
    unit.append(...of[n].map(counterpart));
    return unit;
  });
  return element('div', { class: 'interlinear' },
    element('div', { class: 'units', dir: ways[0] }, ...units),
    element('div', { class: 'units sentence', dir: ways[1] }, ...pair.t.map((text, n) => plain(text, 1, n))));
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


// Path pairs: the edges of the spanning tree that dependency paths are scored by.

const EDGE_LEVEL = 19;
const hasPaths = pairs.some((pair) => pair.e);

// The edges of a pair, numbered, with their ends on each side (null where two words share a counterpart).
function edgesOf(pair) {
  return (pair.e ?? []).map(([cost, most, ...sides], n) => ({ n, cost, most, sides }));
}

// How warm an edge is drawn.
function warmth(cost) {
  return 'cost-' + Math.min(cost, 3);
}

// The edges on one side with their levels from 1, longer ones farther from the words, and how far they reach together.
function bandOf(pair, side) {
  const edges = edgesOf(pair).filter((edge) => edge.sides[side]).map((edge) => {
    const [first, last] = edge.sides[side];
    return { ...edge, low: Math.min(first, last), high: Math.max(first, last) };
  });
  if (!edges.length) return { edges, height: 0 };
  const levels = new Int32Array([pair.s, pair.t][side].length);
  for (const edge of [...edges].sort((a, b) => a.high - a.low - (b.high - b.low) || a.low - b.low)) {
    edge.level = 1 + Math.max(...levels.subarray(edge.low, edge.high));
    levels.fill(edge.level, edge.low, edge.high);
  }
  // Where several end at a word none lies upon another: the higher, the nearer to the middle of the word.
  const ended = new Map();
  for (const edge of [...edges].sort((a, b) => b.level - a.level)) {
    edge.insets = ['low', 'high'].map((end) => {
      const before = ended.get(end + edge[end]) ?? 0;
      ended.set(end + edge[end], before + 1);
      return 4 + 3.5 * Math.min(before, 2);
    });
  }
  return { edges, height: 18 + EDGE_LEVEL * Math.max(...edges.map((edge) => edge.level)) };
}

// Draws them over words at `ends`, from a line at `from` towards `way` (1 or -1); upright, for columns, the line is vertical.
function drawBand(svg, band, ends, from, way, upright = false) {
  const point = (along, across) => (upright ? `${across} ${along}` : `${along} ${across}`);
  // The most costly come last, above the others.
  for (const edge of [...band.edges].reverse()) {
    // Words may stand from right to left.
    const [[left, inset], [right, other]] = [[ends[edge.low], edge.insets[0]], [ends[edge.high], edge.insets[1]]].sort((a, b) => a[0] - b[0]);
    const [start, end] = [left + inset, right - other];
    const top = from + way * (6 + EDGE_LEVEL * edge.level);
    const bend = Math.min(8, Math.abs(end - start) / 2);
    const d = `M${point(start, from)}L${point(start, top - way * bend)}Q${point(start, top)} ${point(start + bend, top)}` +
      `L${point(end - bend, top)}Q${point(end, top)} ${point(end, top - way * bend)}L${point(end, from)}`;
    const which = { 'data-e': edge.n };
    svg.append(shape('path', { d, class: 'edge ' + warmth(edge.cost), ...which }));
    const [x, y] = upright ? [top, (start + end) / 2] : [(start + end) / 2, top];
    if (edge.cost > 0) {
      svg.append(shape('text', { class: 'cost ' + warmth(edge.cost), x, y: y + 4, 'text-anchor': 'middle', ...which }, `${edge.cost}/${edge.most}`));
    }
    svg.append(shape('path', { d, class: 'reach', ...which }));
  }
}

// The words whose arcs to their heads a path in a tree runs along.
function pathWords(tree, first, last) {
  const up = (word) => {
    const way = [];
    for (let at = word; at >= 0 && !way.includes(at); at = tree[at][0]) way.push(at);
    return way;
  };
  const ways = [up(first), up(last)];
  return [...ways[0].filter((word) => !ways[1].includes(word)), ...ways[1].filter((word) => !ways[0].includes(word))];
}

// Shows an edge: itself on both sides, the words at its ends, their links, and its paths in the trees.
function trace(svg, pair, n) {
  const { sides } = edgesOf(pair)[n];
  const warm = (selector) => svg.querySelectorAll(selector).forEach((part) => part.classList.add('hot'));
  highlight(svg, null);
  svg.classList.add('focus', 'tracing');
  warm(`[data-e="${n}"]`);
  sides.forEach((path, side) => {
    if (!path) return;
    const [first, last] = path;
    for (const word of [first, last]) warm(`.word[data-side="${side}"][data-n="${word}"]`);
    const tree = [pair.st, pair.tt][side];
    if (tree) for (const word of pathWords(tree, first, last)) warm(`[data-arc="${side}-${word}"]`);
  });
  const [reference, hypothesis] = sides;
  if (reference && hypothesis) {
    [0, 1].forEach((end) => warm(`.link[data-s="${reference[end]}"][data-t="${hypothesis[end]}"]`));
  }
  document.querySelectorAll('#paths tr').forEach((row) => row.classList.toggle('hot', row.dataset.e === String(n)));
}

function untrace(svg) {
  document.querySelectorAll('#paths tr.hot').forEach((row) => row.classList.remove('hot'));
  highlight(svg, null);
}

// The score of a pair in words.
function orderText(pair) {
  if (!pair.o) return '';
  const [order, cost, most, coverage] = pair.o;
  return `order ${order.toFixed(4)}${most > 0 ? ` = 1 - ${cost} / ${most}` : ''}, coverage ${coverage.toFixed(4)}`;
}

// What an edge is, in words.
function edgeText(pair, n) {
  const { cost, most, sides } = edgesOf(pair)[n];
  const words = (side) => (sides[side] ? `${sides[side].slice(0, 2).map((word) => shownWord([pair.s, pair.t][side][word])).join(' ')} (${sides[side][2]})` : '–');
  return `${words(0)} and ${words(1)}: costs ${cost} of ${most}`;
}

// All edges as a table, the most costly first; a row shows its edge in the picture.
function pathTable(pair, svg) {
  const head = ['cost', 'words', 'path in the reference', 'words', 'path in the hypothesis'];
  const cells = ({ cost, most, sides }) => [
    element('td', { class: 'figure' }, element('span', { class: 'swatch ' + warmth(cost) }), `${cost} of ${most}`),
    ...sides.flatMap((path, side) => {
      const words = path ? path.slice(0, 2).map((word) => shownWord([pair.s, pair.t][side][word])).join(' ') : '–';
      return [element('td', {}, element('bdi', {}, words)), element('td', {}, path ? shownWord(path[2]) : '–')];
    }),
  ];
  const rows = edgesOf(pair).map((edge) => {
    const row = element('tr', { 'data-e': edge.n, tabindex: 0 }, ...cells(edge));
    for (const event of ['pointerenter', 'focus']) row.addEventListener(event, () => trace(svg, pair, edge.n));
    row.addEventListener('click', () => svg.querySelector(`[data-e="${edge.n}"]`).scrollIntoView({ block: 'center', inline: 'center' }));
    for (const event of ['pointerleave', 'blur']) row.addEventListener(event, () => untrace(svg));
    return row;
  });
  return element('table', {},
    element('caption', {}, 'Path pairs of the spanning tree'),
    element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col' }, text)))),
    element('tbody', {}, ...rows));
}


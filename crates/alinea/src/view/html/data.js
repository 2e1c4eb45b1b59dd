// The data of the page, and what there is to say about links.

const data = JSON.parse(document.getElementById('data').textContent);
const { layers, pairs } = data;

// Every way a link can be, in the order of legends, each with a shape of its own: what it is called, and what where the
// reference is no gold standard. A link that is compared with nothing is just a link.
const MARKS = [
  { id: 'plain', name: 'link', other: () => 'link' },
  { id: 'sure', name: 'sure', other: () => 'in both' },
  { id: 'possible', name: 'possible', other: () => 'in both (possible)' },
  { id: 'wrong', name: 'wrong', other: () => 'only here' },
  { id: 'sure-missed', name: 'missed', other: (name) => `only in ${name}` },
  { id: 'possible-missed', name: 'missed (possible)', other: (name) => `only in ${name} (possible)` },
];

// What a mark is called, compared with a reference (-1: none).
function nameOf(id, reference) {
  const { name, other } = MARKS.find((mark) => mark.id === id);
  return reference < 0 || layers[reference].gold ? name : other(shownWord(layers[reference].name));
}

// What would disturb the picture: controls, and what changes the direction of text.
const DISTURBING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

// A word as it is shown.
function shownWord(word) {
  const harmless = word.replace(DISTURBING, '\ufffd');
  return /^\p{M}/u.test(harmless) ? '\u25cc' + harmless : harmless;
}

// Letters of scripts that run from right to left.
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// The direction of a sentence or a word: that of its first letter (Unicode Standard Annex 9, P2 and P3).
function directionOf(words, otherwise = 'ltr') {
  for (const word of words) {
    const letter = word.match(/\p{L}/u);
    if (letter) return FROM_RIGHT.test(letter[0]) ? 'rtl' : 'ltr';
  }
  return otherwise;
}

// A word in the middle of other text, which it must not move.
function isolated(word) {
  return FROM_RIGHT.test(word) ? '\u2068' + word + '\u2069' : word;
}

// Whether a layer has links of a pair, perhaps none: a gold standard may be of a part of the pairs.
function has(pair, layer) {
  return pair.l[layer] !== null;
}

// The links of a layer that lie within the words: positions, whether sure, and the confidence if there is one.
function linksOf(pair, layer) {
  return (pair.l[layer] ?? [])
    .filter(([s, t]) => s < pair.s.length && t < pair.t.length)
    .map(([s, t, possible, weight]) => ({ s, t, sure: !possible, weight }));
}

function outsideOf(pair, layer) {
  return (pair.l[layer] ?? []).filter(([s, t]) => s >= pair.s.length || t >= pair.t.length).map(([s, t]) => s + '-' + t);
}

// Whether the links of a layer are compared with a reference (-1: none) in a pair.
function judges(pair, layer, reference) {
  return reference >= 0 && reference !== layer && has(pair, reference) && has(pair, layer);
}

// The links of a layer, each with its mark; compared with a reference (-1: none) those that are missed too.
function judge(pair, layer, reference) {
  const own = linksOf(pair, layer);
  if (!judges(pair, layer, reference)) {
    const sure = layers[layer].gold ? 'sure' : 'plain';
    return own.map((link) => ({ ...link, mark: link.sure ? sure : 'possible' }));
  }
  const key = (link) => link.s * pair.t.length + link.t;
  const people = new Map(linksOf(pair, reference).map((link) => [key(link), link]));
  const judged = own.map((link) => {
    const gold = people.get(key(link));
    people.delete(key(link));
    return { ...link, mark: !gold ? 'wrong' : gold.sure ? 'sure' : 'possible' };
  });
  for (const gold of people.values()) {
    judged.push({ ...gold, weight: undefined, mark: gold.sure ? 'sure-missed' : 'possible-missed' });
  }
  return judged.sort((a, b) => a.s - b.s || a.t - b.t);
}

// The counts of judged links: A links, S sure ones, and how many of A are sure and possible.
function count(judged) {
  const of = (mark) => judged.reduce((sum, link) => sum + (link.mark === mark), 0);
  const [plain, inSure, onlyPossible, wrong, missed] = ['plain', 'sure', 'possible', 'wrong', 'sure-missed'].map(of);
  return { links: plain + inSure + onlyPossible + wrong, sure: inSure + missed, inSure, inPossible: inSure + onlyPossible, wrong, missed };
}

// Precision, recall and alignment error rate (Och and Ney 2003); null where they have no value.
function scores(counts) {
  const ratio = (above, below) => (below > 0 ? above / below : null);
  const agreement = ratio(counts.inSure + counts.inPossible, counts.links + counts.sure);
  return {
    precision: ratio(counts.inPossible, counts.links),
    recall: ratio(counts.inSure, counts.sure),
    aer: agreement === null ? null : 1 - agreement,
  };
}

function percent(value) {
  return value === null ? '–' : (100 * value).toFixed(1);
}

// Whether two layers have other links of a pair.
function differ(pair, one, other) {
  if (!has(pair, one) || !has(pair, other)) return false;
  const text = (layer) => pair.l[layer].map((link) => link.slice(0, 2).join('-')).sort().join(' ');
  return text(one) !== text(other);
}

// The words of a pair in lower case, for the search; made when they are first asked for.
const haystacks = new Map();
function haystack(pair) {
  if (!haystacks.has(pair)) haystacks.set(pair, (pair.s.join(' ') + '\n' + pair.t.join(' ')).toLowerCase());
  return haystacks.get(pair);
}

// Where each arc of a tree runs: the positions of head and dependent, and its level from 1; longer arcs are above.
function treeArcs(tree) {
  const arcs = tree.map(([head], dependent) => ({ head, dependent }))
    .filter(({ head, dependent }) => head >= 0 && head < tree.length && head !== dependent && tree[dependent][1]);
  for (const arc of arcs) {
    [arc.low, arc.high] = arc.head < arc.dependent ? [arc.head, arc.dependent] : [arc.dependent, arc.head];
  }
  arcs.sort((a, b) => a.high - a.low - (b.high - b.low) || a.low - b.low);
  const levels = new Int32Array(tree.length);
  for (const arc of arcs) {
    let level = 0;
    for (let gap = arc.low; gap < arc.high; gap++) level = Math.max(level, levels[gap]);
    arc.level = level + 1;
    levels.fill(arc.level, arc.low, arc.high);
  }
  return arcs;
}

// The roots of a tree, each with a level above all arcs that meet it.
function treeRoots(tree) {
  const arcs = treeArcs(tree);
  const roots = tree.map(([head, relation], word) => ({ word, root: head < 0 && relation })).filter(({ root }) => root);
  const over = (word) => arcs.filter((arc) => arc.low <= word && word <= arc.high).map((arc) => arc.level);
  return roots.map(({ word }) => ({ word, level: 1 + Math.max(0, ...over(word)) }));
}


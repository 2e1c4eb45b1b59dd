// A sentence pair and what is said of it, in the shape of the server's answers: what an action makes of it, what is open in it, and
// which action a wish of the annotator is. All of this is computed from what is given, and changes nothing.

// Suggestions with less confidence are not shown.
const FAINTEST = 0.1;

export const keyOf = (s, t) => s + '-' + t;
export const isLink = (kind) => kind === 'sure' || kind === 'possible';

export function apply(sentence, action) {
  switch (action.do) {
    case 'mark': return action.links.reduce((state, [s, t]) => withMark(state, s, t, action.mark), sentence);
    case 'untranslated': return withUntranslated(sentence, action);
    case 'confirm': {
      const added = action.accepted.filter(([[s, t]]) => isOpen(sentence, s, t)).map(([[s, t], mark]) => [s, t, mark, true]);
      return { ...sentence, marks: [...sentence.marks, ...added], confirmed: true };
    }
    case 'reopen': return { ...sentence, confirmed: false };
    case 'comment': return { ...sentence, comment: action.text };
    case 'flag': return { ...sentence, flag: action.on };
    default: return sentence;
  }
}

function withMark(sentence, s, t, mark) {
  const marks = sentence.marks.filter((other) => other[0] !== s || other[1] !== t);
  if (mark === null) return { ...sentence, marks };
  marks.push([s, t, mark, false]);
  if (!isLink(mark)) return { ...sentence, marks };
  const { source, target } = sentence.untranslated;
  return { ...sentence, marks, untranslated: { source: without(source, s), target: without(target, t) } };
}

function without(words, word) {
  return words.filter((other) => other !== word);
}

function withUntranslated(sentence, { source = [], target = [], on }) {
  const { untranslated } = sentence;
  const join = (old, words) => (on ? [...new Set([...old, ...words])] : old.filter((word) => !words.includes(word)));
  const marks = on ? sentence.marks.filter(([s, t]) => !source.includes(s) && !target.includes(t)) : sentence.marks;
  return { ...sentence, marks, untranslated: { source: join(untranslated.source, source), target: join(untranslated.target, target) } };
}

// Whether a link may be suggested.
function isOpen(sentence, s, t) {
  return !sentence.confirmed && !sentence.marks.some((mark) => mark[0] === s && mark[1] === t) && hasTranslations(sentence, s, t);
}

function hasTranslations(sentence, s, t) {
  return !sentence.untranslated.source.includes(s) && !sentence.untranslated.target.includes(t);
}

// All cells that there is something to show of, by `keyOf`. The kind of a cell is its mark, `suggested`, or `weak` for a suggestion below
// the threshold. `accept` is the mark that accepting it makes; `disputed` and `voters` there are where annotators are compared.
export function cellsOf(sentence) {
  const { cells = [], threshold = 1 } = sentence.suggestions ?? {};
  const found = new Map(sentence.marks.map(([s, t, kind, accepted]) => [keyOf(s, t), { s, t, kind, accepted }]));
  for (const [s, t, confidence, accept = 'sure'] of cells) {
    const marked = found.get(keyOf(s, t));
    if (marked) marked.confidence = confidence;
    else if (!sentence.confirmed && hasTranslations(sentence, s, t) && confidence >= Math.min(FAINTEST, threshold)) {
      found.set(keyOf(s, t), { s, t, kind: confidence >= threshold ? 'suggested' : 'weak', confidence, accept });
    }
  }
  for (const [key, [s, t]] of sentence.disputed ?? []) found.set(key, { s, t, kind: 'weak', ...found.get(key), disputed: true });
  if (sentence.voters) found.forEach((cell) => { cell.voters = sentence.voters; });
  return found;
}

// The cells of which the annotator has yet to say something: open suggestions, or what other annotators disagree on.
export function undecided(sentence) {
  if (sentence.confirmed) return [];
  const open = [...cellsOf(sentence).values()].filter(({ kind }) => kind === 'suggested' || kind === 'weak');
  return open.filter(({ kind, disputed }) => (sentence.disputed ? disputed : kind === 'suggested'));
}

// The open suggestions, as they are accepted with the rest.
export function acceptable(sentence) {
  return [...cellsOf(sentence).values()].filter(({ kind }) => kind === 'suggested').map(({ s, t, accept }) => [[s, t], accept]);
}

// Makes cells links of a kind; those that are all of this kind already are removed.
export function toggled(sentence, links, kind) {
  const cells = cellsOf(sentence);
  const all = links.every(([s, t]) => cells.get(keyOf(s, t))?.kind === kind);
  return all ? removed(sentence, links) : { do: 'mark', links, mark: kind };
}

// Removes cells. Where one would come back as a suggestion, it is said that there is no link.
export function removed(sentence, links) {
  const { cells = [], threshold = 1 } = sentence.suggestions ?? {};
  const wanted = new Set(links.map(([s, t]) => keyOf(s, t)));
  const returns = cells.some(([s, t, confidence]) => confidence >= threshold && wanted.has(keyOf(s, t)));
  const disputed = links.some(([s, t]) => sentence.disputed?.has(keyOf(s, t)));
  return { do: 'mark', links, mark: returns || disputed ? 'no-link' : null };
}

// What the annotators of a sentence pair agree on, as suggestions for the one who decides, and what they do not.
export function comparison(annotators) {
  const kinds = new Map();
  for (const { marks } of annotators) {
    for (const [s, t, kind] of marks.filter((mark) => isLink(mark[2]))) {
      const key = keyOf(s, t);
      kinds.set(key, [...(kinds.get(key) ?? []), { s, t, kind }]);
    }
  }
  const [cells, disputed] = [[], new Map()];
  for (const [key, said] of kinds) {
    const sure = said.every(({ kind }) => kind === 'sure');
    const possible = said.every(({ kind }) => kind === 'possible');
    if (said.length < annotators.length || !(sure || possible)) disputed.set(key, [said[0].s, said[0].t]);
    cells.push([said[0].s, said[0].t, said.length / annotators.length, sure ? 'sure' : 'possible']);
  }
  return { suggestions: { version: 0, threshold: 1, cells }, disputed, voters: annotators.length };
}

// The words of a side that all annotators say are translated by nothing.
export function untranslatedByAll(annotators, side) {
  const [first, ...others] = annotators.map(({ untranslated }) => untranslated[side]);
  return (first ?? []).filter((word) => others.every((words) => words.includes(word)));
}

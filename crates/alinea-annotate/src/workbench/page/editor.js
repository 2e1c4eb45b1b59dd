// Pictures of a sentence pair in which its links are changed: the cursor, the words that are selected, and what pointer and keys do
// with them. What is to be done goes to `act` as an action; the sentence that it leads to comes back with `update`.

import { drawLines, isUntranslated, rowsFit } from './lines.js';
import { drawMatrix, zoom } from './matrix.js';
import { element, isNarrow, remember, remembered, scrollInto } from './dom.js';
import { cellsOf, isLink, keyOf, removed, toggled, undecided } from './state.js';
import { listen } from './pointer.js';
import { nameOf } from './marks.js';
import { shownWord } from './text.js';

export const VIEWS = ['lines', 'matrix', 'both'];
// From this width on a long sentence is shown in two pictures.
const WIDE = 1000;

const between = (from, to) => Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => Math.min(from, to) + n);
const product = (source, target) => [...source].flatMap((s) => [...target].map((t) => [s, t]));

export class Editor {
  sentence = null;
  // What new links are.
  pen = 'sure';
  // Whether it only shows: then it has no cursor, and says nothing unless it is pointed at.
  readOnly = false;
  cells = new Map();
  selected = [new Set(), new Set()];
  #cursor = [0, 0];
  #anchor = null;
  #hover = null;
  #drag = null;
  #active = 'lines';
  #pictures = {};
  #width = 0;

  // `tell` is given what there is to say of the place that is pointed at, `say` a message.
  constructor({ act, tell, say, changed }) {
    Object.assign(this, { act, tell, say, changed });
    const scroller = (name, label) => element('div', { class: 'scroll of-' + name, tabindex: 0, role: 'group', 'aria-label': label, 'aria-describedby': 'keys-note' });
    this.scrollers = { lines: scroller('lines', 'Words with lines'), matrix: scroller('matrix', 'Matrix') };
    this.node = element('div', { class: 'pictures' }, ...Object.values(this.scrollers));
    for (const [name, each] of Object.entries(this.scrollers)) {
      each.addEventListener('focusin', () => { this.#active = name; });
      listen(this, each, () => this.#pictures[name]);
    }
    new ResizeObserver(() => {
      if (this.sentence && this.node.clientWidth !== this.#width) this.draw();
    }).observe(this.node);
  }

  // A sentence with nothing selected, from its first word with a suggestion on.
  open(sentence) {
    this.sentence = sentence;
    this.cells = cellsOf(sentence);
    this.#forget();
    this.#hover = null;
    const first = this.#nextOpen(-1);
    this.#cursor = [Math.max(0, first), 0];
    this.#follow();
    this.draw();
    for (const each of Object.values(this.scrollers)) each.scrollTo(0, 0);
    if (!this.readOnly) this.#reveal(0);
  }

  // The same sentence after an action.
  update(sentence) {
    this.sentence = sentence;
    this.draw();
  }

  focus() {
    (this.scrollers[this.#shown()] ?? this.scrollers.lines).focus({ preventScroll: true });
  }

  // The choice of the annotator, or what fits.
  get view() {
    const chosen = remembered('view');
    if (VIEWS.includes(chosen)) return chosen;
    if (isNarrow() || rowsFit(this.sentence, this.#room(this.node))) return 'lines';
    return this.node.clientWidth >= WIDE ? 'both' : 'lines';
  }

  set view(view) {
    remember('view', view);
    this.draw();
    this.#reveal(0);
  }

  zoom(by) {
    zoom(this.sentence, by);
    this.draw();
    this.#reveal(0);
  }

  draw() {
    if (!this.sentence) return;
    this.#width = this.node.clientWidth;
    this.cells = cellsOf(this.sentence);
    const view = this.view;
    this.node.dataset.view = view;
    this.scrollers.lines.hidden = view === 'matrix';
    this.scrollers.matrix.hidden = view === 'lines';
    this.#pictures = {};
    if (view !== 'matrix') this.#pictures.lines = drawLines(this.sentence, this.cells, this.#room(this.scrollers.lines));
    if (view !== 'lines') this.#pictures.matrix = drawMatrix(this.sentence, this.cells);
    for (const [name, { node }] of Object.entries(this.#pictures)) this.scrollers[name].replaceChildren(node);
    this.paint();
    this.changed?.();
  }

  // Whether the sentences can be read in rows.
  get hasRows() {
    return this.#pictures.lines?.keys === 'rows';
  }

  #room(node) {
    return (node.clientWidth || 600) - 18;
  }

  // Shows where the cursor is, what is selected and what is pointed at.
  paint() {
    const { start, now } = this.#drag ?? {};
    const selected = this.selected.map((words) => new Set(words));
    let hot = this.#hotOf(this.#hover);
    let rectangle = null;
    if (start?.side !== undefined && now?.side === start.side) between(start.n, now.n).forEach((n) => selected[start.side].add(n));
    if (start?.side !== undefined && now?.side === 1 - start.side) hot = this.#hotOf(this.#pair(start, now));
    if (start?.s !== undefined && now?.s !== undefined && !start.line) rectangle = { s: [start.s, now.s], t: [start.t, now.t] };
    const chosen = selected.flatMap((words, side) => [...words].map((n) => this.#hotOf({ side, n })));
    for (const other of hot ? [] : chosen) hot = joined(hot, other);
    const cursor = this.readOnly || !this.sentence ? null : this.#cursor;
    for (const picture of Object.values(this.#pictures)) picture.paint({ cursor, selected, hot, rectangle });
    if (!this.readOnly || this.#hover) this.tell(...this.#words());
  }

  // The words and cells that belong to a word or a cell.
  #hotOf(at) {
    if (!at) return null;
    const cells = [...this.cells.values()].filter(({ kind }) => kind !== 'no-link' && kind !== 'weak')
      .filter(({ s, t }) => (at.side === undefined ? s === at.s && t === at.t : at.n === (at.side ? t : s)));
    const words = [new Set(cells.map(({ s }) => s)), new Set(cells.map(({ t }) => t))];
    if (at.side !== undefined) words[at.side].add(at.n);
    else [at.s, at.t].forEach((n, side) => words[side].add(n));
    return { words, cells: new Set(cells.map(({ s, t }) => keyOf(s, t))), at: at.side === undefined ? [at.s, at.t] : undefined };
  }

  #pair(one, other) {
    return one.side === 0 ? { s: one.n, t: other.n } : { s: other.n, t: one.n };
  }

  // What is said of the place that is pointed at, or of the cursor.
  #words() {
    const { source, target } = this.sentence;
    const word = (side, n) => element('bdi', {}, shownWord([source, target][side][n]));
    const at = this.#hover;
    if (at?.side !== undefined) {
      const gone = isUntranslated(this.sentence, at.side, at.n) ? 'translated by nothing' : '';
      const cells = [...this.cells.values()].filter((cell) => at.n === (at.side ? cell.t : cell.s) && cell.kind !== 'no-link' && cell.kind !== 'weak');
      const said = cells.flatMap((cell, n) => [n ? '; ' : '', word(1 - at.side, at.side ? cell.s : cell.t), ' ', nameOf(cell)]);
      return [`${at.side ? 'target' : 'source'} ${at.n + 1} `, word(at.side, at.n), ': ', ...(gone ? [gone] : said.length ? said : ['no link'])];
    }
    if (source.length === 0 || target.length === 0) return [`The ${source.length ? 'target' : 'source'} sentence has no words.`];
    const [s, t] = at ? [at.s, at.t] : this.#cursor;
    const cell = this.cells.get(keyOf(s, t));
    return [word(0, s), ' – ', word(1, t), ` (${s + 1}–${t + 1}): ${nameOf(cell)}`];
  }

  // Pointers.

  hover(at) {
    this.#hover = at;
    this.paint();
  }

  drag(start, now) {
    this.#drag = { start, now };
    this.paint();
  }

  drop() {
    const { start, now } = this.#drag ?? {};
    this.#drag = null;
    if (!start) return this.clear();
    if (start.side === undefined) {
      if (!now || now.s === undefined) return this.paint();
      this.#cursor = [now.s, now.t];
      const links = start.line ? [[start.s, start.t]] : product(between(start.s, now.s), between(start.t, now.t));
      return this.#toggle(links);
    }
    if (now?.side === 1 - start.side) {
      const { s, t } = this.#pair(start, now);
      this.#cursor = [s, t];
      return this.#toggle([[s, t]]);
    }
    return this.#choose(start.side, between(start.n, now?.side === start.side ? now.n : start.n), now?.n ?? start.n);
  }

  cancelDrag() {
    this.#drag = null;
    this.paint();
  }

  // Selects words; with words of the other side selected, links them.
  #choose(side, words, last) {
    this.#cursor[side] = last;
    const others = this.selected[1 - side];
    if (others.size > 0) return this.#toggle(side ? product(others, words) : product(words, others));
    const chosen = this.selected[side];
    if (words.length === 1 && chosen.has(words[0])) chosen.delete(words[0]);
    else words.forEach((n) => chosen.add(n));
    return this.paint();
  }

  clear() {
    this.#forget();
    this.paint();
  }

  #forget() {
    this.selected = [new Set(), new Set()];
    this.#drag = null;
    this.#anchor = null;
  }

  #toggle(links) {
    this.clear();
    if (links.length) this.act(toggled(this.sentence, links, this.pen));
  }

  // Removes a link, or rejects a suggestion.
  remove(s, t) {
    this.#cursor = [s, t];
    if (this.cells.has(keyOf(s, t))) this.act(removed(this.sentence, [[s, t]]));
  }

  // Keys.

  #shown() {
    return this.#pictures[this.#active] ? this.#active : Object.keys(this.#pictures)[0];
  }

  get #lengths() {
    return [this.sentence.source.length, this.sentence.target.length];
  }

  // Moves the cursor, right and down where these are positive; `extend` selects what it passes.
  move(right, down, extend) {
    const { keys } = this.#pictures[this.#shown()];
    const { rtl } = this.sentence;
    const [across, along] = keys === 'matrix' ? [1, 0] : [0, 1];
    const turned = keys !== 'columns' && rtl[across] ? -right : right;
    const by = [0, 0];
    by[across] += turned;
    by[along] += down;
    this.#hover = null;
    this.#anchor = extend ? this.#anchor ?? [...this.#cursor] : null;
    this.#cursor = this.#cursor.map((n, side) => Math.max(0, Math.min(this.#lengths[side] - 1, n + by[side])));
    if (keys !== 'matrix' && right && !extend) this.#follow();
    if (extend) {
      const sides = keys === 'matrix' ? [0, 1] : [by[0] ? 0 : 1];
      for (const side of sides) this.selected[side] = new Set(between(this.#anchor[side], this.#cursor[side]));
    }
    this.paint();
    this.#reveal(by[0] ? 0 : 1);
  }

  // Sends the target cursor to the word that is linked with the source word, or most likely is.
  #follow() {
    const rank = ({ kind, confidence = 0 }) => (isLink(kind) ? 2 : kind === 'no-link' ? -1 : confidence);
    const found = [...this.cells.values()].filter(({ s, kind }) => s === this.#cursor[0] && kind !== 'no-link');
    if (found.length) this.#cursor[1] = found.reduce((best, cell) => (rank(cell) > rank(best) ? cell : best)).t;
  }

  // Brings the cursor into view, in its picture and the picture in the page.
  #reveal(side) {
    const body = this.node.closest('.desk-body');
    for (const [name, { placeOf, covered }] of Object.entries(this.#pictures)) {
      // The word that moved last counts most.
      for (const each of [1 - side, side]) {
        if (!placeOf(this.#cursor, each)) continue;
        scrollInto(this.scrollers[name], placeOf(this.#cursor, each), covered);
        if (name === this.#shown()) scrollInto(body, placeOf(this.#cursor, each));
      }
    }
  }

  // The words that are selected on a side, otherwise the one at the cursor.
  #current(side) {
    if (this.selected[side].size) return [...this.selected[side]];
    return this.#cursor[side] < this.#lengths[side] ? [this.#cursor[side]] : [];
  }

  toggleAtCursor() {
    this.#toggle(product(this.#current(0), this.#current(1)));
  }

  removeAtCursor() {
    this.remove(...this.#cursor);
  }

  // Accepts (`sure`) or rejects (`no-link`) the suggestions of the current source words, or of the selected target words, and goes to
  // the next source word that has some.
  decideWord(mark) {
    const ofTarget = this.selected[0].size === 0 && this.selected[1].size > 0;
    const words = new Set(this.#current(ofTarget ? 1 : 0));
    const open = undecided(this.sentence).filter(({ s, t }) => words.has(ofTarget ? t : s));
    this.#hover = null;
    this.clear();
    for (const each of mark === 'no-link' ? [mark] : ['sure', 'possible']) {
      const links = open.filter(({ accept = 'sure' }) => mark === 'no-link' || accept === each).map(({ s, t }) => [s, t]);
      if (links.length) this.act({ do: 'mark', links, mark: each });
    }
    const next = this.#nextOpen(ofTarget ? this.#cursor[0] - 1 : Math.max(-1, ...words));
    if (next < 0) {
      this.say(this.sentence.confirmed ? 'This sentence is confirmed.' : 'Nothing is left open: Enter confirms the sentence.');
      return;
    }
    this.#cursor[0] = next;
    this.#follow();
    this.paint();
    this.#reveal(0);
  }

  // The next source word that has open suggestions; after the last word the first comes.
  #nextOpen(after) {
    const open = undecided(this.sentence).map(({ s }) => s);
    if (!open.length) return -1;
    const later = open.filter((s) => s > after);
    return Math.min(...(later.length ? later : open));
  }

  // Says that words are translated by nothing, or takes it back.
  toggleUntranslated(source, target) {
    const on = ![[0, source], [1, target]].every(([side, words]) => words.every((n) => isUntranslated(this.sentence, side, n)));
    this.clear();
    if (source.length + target.length) this.act({ do: 'untranslated', source, target, on });
  }

  toggleUntranslatedAt(side) {
    const words = this.#current(side);
    this.toggleUntranslated(side ? [] : words, side ? words : []);
  }

  // The selected words of both sides, otherwise the source word at the cursor.
  toggleUntranslatedSelected() {
    const [source, target] = this.selected.map((words) => [...words]);
    if (source.length + target.length) this.toggleUntranslated(source, target);
    else this.toggleUntranslatedAt(0);
  }

  // Makes new links sure or possible, and those at the cursor with them.
  usePen(pen, onCursor) {
    this.pen = pen;
    const links = product(this.#current(0), this.#current(1));
    const all = links.length && links.every(([s, t]) => isLink(this.cells.get(keyOf(s, t))?.kind));
    const other = links.some(([s, t]) => this.cells.get(keyOf(s, t))?.kind !== pen);
    if (onCursor && all && other) this.act({ do: 'mark', links, mark: pen });
  }
}

function joined(one, other) {
  if (!one) return other;
  return {
    words: one.words.map((words, side) => new Set([...words, ...other.words[side]])),
    cells: new Set([...one.cells, ...other.cells]),
  };
}

// The list of the sentences: search, filter, order, and which one comes next in it.

import { byId, element, options, remember, remembered } from './dom.js';
import { get } from './server.js';
import { Rows } from './rows.js';
import { counted, shownWord } from './text.js';

const FILTERS = {
  all: ['all', () => true],
  todo: ['not done', ({ status }) => status !== 'confirmed'],
  done: ['done', ({ status }) => status === 'confirmed'],
  flagged: ['flagged', ({ flag }) => flag],
  comment: ['with comment', ({ comment }) => comment],
  shared: ['shared', ({ shared }) => shared],
};
const ORDERS = { queue: 'queue', text: 'as in the text' };
const STATUS = { new: '○ new', open: '◐ begun', confirmed: '✓ done' };

export class Sentences {
  #entries = [];
  #shown = [];
  #current = null;
  #query = [];
  #rows;

  constructor(choose) {
    this.#rows = new Rows('Sentences', { draw: (entry) => this.#draw(entry), choose: (entry) => choose(entry.n) });
    byId('list-pane').append(this.#rows.node);
    options(byId('filter'), Object.entries(FILTERS).map(([key, [name]]) => [key, name]), 'all');
    options(byId('order'), Object.entries(ORDERS), remembered('order') in ORDERS ? remembered('order') : 'queue');
    byId('filter').addEventListener('change', () => this.#select());
    byId('order').addEventListener('change', (event) => {
      remember('order', event.target.value);
      this.#select();
    });
    byId('choices').addEventListener('submit', (event) => event.preventDefault());
    byId('search').addEventListener('input', (event) => {
      this.#query = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
      this.#select();
    });
    byId('search').addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.focus();
    });
  }

  async load() {
    const { sentences } = await get('/api/sentences');
    this.#entries = sentences.map((entry, n) => ({ ...entry, n, words: `${entry.s}\n${entry.t}`.toLowerCase() }));
    this.#select();
  }

  focus() {
    this.#rows.node.focus();
  }

  // Marks the sentence that is worked on.
  choose(n) {
    this.#current = n;
    this.#rows.mark(this.#entries[n]);
  }

  // Shows what an action has changed.
  update(n, { confirmed, flag, comment, steps }) {
    const entry = this.#entries[n];
    if (!entry) return;
    const now = { status: confirmed ? 'confirmed' : steps > 0 || entry.status !== 'new' ? 'open' : 'new', flag, comment: comment !== '' };
    if (Object.keys(now).every((key) => entry[key] === now[key])) return;
    Object.assign(entry, now);
    this.#rows.redraw();
  }

  get isQueue() {
    return byId('order').value === 'queue';
  }

  // The sentence some places further in the list; null at its end.
  neighbor(n, by) {
    const place = this.#shown.findIndex((entry) => entry.n === n);
    return this.#shown[place < 0 ? 0 : place + by]?.n ?? null;
  }

  // The next sentence of the list that is not done, from the start again after the end; null if all are done.
  nextToDo(n) {
    const place = this.#shown.findIndex((entry) => entry.n === n);
    const around = [...this.#shown.slice(place + 1), ...this.#shown.slice(0, place + 1)];
    return around.find((entry) => entry.status !== 'confirmed' && entry.n !== n)?.n ?? null;
  }

  #select() {
    const [, passes] = FILTERS[byId('filter').value];
    const number = this.#query.length === 1 && /^#\d+$/.test(this.#query[0]) ? Number(this.#query[0].slice(1)) : null;
    const matches = number === null ? ({ words }) => this.#query.every((piece) => words.includes(piece)) : ({ n }) => n + 1 === number;
    this.#shown = this.#entries.filter((entry) => passes(entry) && matches(entry));
    if (this.isQueue) this.#shown.sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || a.n - b.n);
    byId('count').textContent = this.#shown.length === this.#entries.length
      ? counted(this.#entries.length, 'sentence') : `${this.#shown.length} of ${counted(this.#entries.length, 'sentence')}`;
    this.#rows.show(this.#shown, this.#entries[this.#current]);
  }

  #draw({ n, s, t, status, flag, comment, shared, others }) {
    const side = (words) => element('span', { class: 'side', dir: 'auto' }, shownWord(words));
    const signs = [
      ...(flag ? [['⚑', 'flagged']] : []),
      ...(comment ? [['✎', 'with comment']] : []),
      ...(shared ? [[others ? `shared · ${others}` : 'shared', `shared, done by ${counted(others, 'other')}`]] : []),
    ];
    return [element('span', { class: 'row-number' }, n + 1), side(s), side(t), element('span', { class: 'badge' },
      element('span', { class: status }, STATUS[status]),
      element('span', {}, ...signs.flatMap(([sign, name]) => [element('span', { title: name, role: 'img', 'aria-label': name }, sign), ' '])))];
  }
}

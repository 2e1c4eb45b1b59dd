// The tab for annotating: opens sentences, confirms them, and goes to the next.

import { get, keepAddress, post } from './server.js';
import { acceptable } from './state.js';
import { byId, isNarrow } from './dom.js';
import { Desk } from './desk.js';
import { Sheet } from './sheet.js';
import { Sentences } from './sentences.js';

// How long the list may be out of date.
const LIST_LATER = 5000;

export class Annotate {
  // Sheets with actions that are not saved yet, by number.
  #unsaved = new Map();
  #visited = [];
  #wanted = null;
  #suggestions = null;
  #later = 0;
  #warned = null;
  #saver;
  #say;

  constructor({ saver, clock, say }) {
    this.#saver = saver;
    this.#say = say;
    this.list = new Sentences((n) => this.open(n));
    this.desk = new Desk({
      clock, say, confirmText: 'Accept and next',
      home: { confirm: () => this.#confirm(), step: (by) => this.#step(by), back: () => this.showList() },
    });
    byId('desk-pane').append(this.desk.node);
  }

  async open(n, remembers = true) {
    this.#wanted = n;
    try {
      const sheet = this.#unsaved.get(n) ?? await this.#fetch(n);
      if (this.#wanted !== n) return;
      const before = this.desk.sheet?.sentence.n;
      if (remembers && before !== undefined && before !== n) this.#visited.push(before);
      // What is hidden has no width, so the pane is shown first.
      byId('annotate').dataset.pane = 'desk';
      this.desk.open(sheet, `Sentence ${n + 1}`);
      this.list.choose(n);
      keepAddress(n);
    } catch (error) {
      this.#say(`Sentence ${n + 1} cannot be shown: ${error.message}`, 'bad');
    }
  }

  async #fetch(n) {
    const path = '/api/sentences/' + n;
    const sheet = new Sheet({
      path, answer: await get(path), saver: this.#saver,
      changed: (message) => this.#changed(n, sheet, message),
    });
    return sheet;
  }

  #changed(n, sheet, message) {
    if (sheet.isSaved) this.#unsaved.delete(n);
    else this.#unsaved.set(n, sheet);
    this.list.update(n, sheet.sentence);
    if (this.desk.sheet === sheet) this.desk.refresh();
    if (message) this.#say(message, 'bad');
  }

  // Confirms, and goes on when that is saved.
  async #confirm() {
    const { sheet } = this.desk;
    if (!sheet) return;
    if (this.#isTooEarly(sheet)) return;
    if (!sheet.sentence.confirmed) this.desk.act({ do: 'confirm', accepted: acceptable(sheet.sentence) });
    await this.#saver.whenSaved();
    if (this.desk.sheet !== sheet || !sheet.sentence.confirmed || this.#wanted !== sheet.sentence.n) return;
    const next = await this.#next(sheet.sentence.n);
    if (next === undefined || this.desk.sheet !== sheet) return;
    if (next === null) this.#say('All sentences are done.');
    else this.open(next);
  }

  // Whoever wants to accept suggestions should not confirm, before the first are there, that nothing is linked.
  #isTooEarly(sheet) {
    const { n, confirmed, suggestions, marks, untranslated } = sheet.sentence;
    const isUntouched = !confirmed && !suggestions && marks.length === 0 && Object.values(untranslated).every((words) => words.length === 0);
    if (!isUntouched || this.#warned === n) return false;
    this.#warned = n;
    this.#say('The first suggestions are being made. Press again to confirm that nothing is linked.');
    return true;
  }

  // The next sentence to annotate: null if there is none, undefined if that cannot be found out.
  async #next(after) {
    if (!this.list.isQueue) return this.list.nextToDo(after);
    try {
      return (await post('/api/next', { after })).n;
    } catch (error) {
      this.#say(`The next sentence cannot be found: ${error.message}`, 'bad');
      return undefined;
    }
  }

  // In the order of the text to the neighbors; in the queue, which changes, back to where the annotator was before.
  #step(by) {
    const n = this.#wanted;
    const to = by < 0 && this.list.isQueue ? this.#visited.pop() : this.list.neighbor(n, by);
    if (to === undefined || to === null) this.#say(by < 0 ? 'There is no previous sentence.' : 'There is no next sentence.');
    else this.open(to, by > 0 || !this.list.isQueue);
  }

  // The first sentence: the one of the address, otherwise the one that teaches most.
  async begin(addressed) {
    const first = addressed ?? await this.#next(null) ?? 0;
    await this.open(first);
  }

  // The server has something new. Every action is news, so the list is loaded again only now and then, unless suggestions are new.
  async news(suggestions) {
    clearTimeout(this.#later);
    if (suggestions === this.#suggestions) this.#later = setTimeout(() => this.list.load().catch(() => {}), LIST_LATER);
    try {
      if (suggestions !== this.#suggestions) await this.list.load();
      this.#suggestions = suggestions;
      await this.desk.sheet?.reload();
    } catch {
      // The next news will do.
    }
  }

  showList() {
    byId('annotate').dataset.pane = 'list';
    this.list.focus();
  }

  search() {
    if (isNarrow()) byId('annotate').dataset.pane = 'list';
    byId('annotate').removeAttribute('data-wide');
    byId('toggle-list').setAttribute('aria-expanded', 'true');
    byId('search').focus();
    byId('search').select();
  }
}

// The tab for adjudication: what annotators say of the same sentences side by side, and the decision.

import { acceptable, comparison, untranslatedByAll } from './state.js';
import { byId, element } from './dom.js';
import { counted, shownWord } from './text.js';
import { Desk } from './desk.js';
import { Editor } from './editor.js';
import { Rows } from './rows.js';
import { Sheet, withDirections } from './sheet.js';
import { get } from './server.js';

export class Adjudicate {
  #entries = [];
  #annotators = [];
  #others = [];
  #wanted = null;
  #saver;
  #say;
  #rows;

  constructor({ saver, clock, say }) {
    this.#saver = saver;
    this.#say = say;
    this.#rows = new Rows('Shared sentences', { draw: (entry) => this.#draw(entry), choose: ({ n }) => this.open(n) });
    byId('shared-pane').append(this.#rows.node);
    this.desk = new Desk({
      clock, say, confirmText: 'Confirm the decision', caption: 'Decision',
      home: {
        confirm: () => this.#confirm(), step: (by) => this.#step(by), redrawn: () => this.#redraw(),
        back: () => { byId('adjudicate').dataset.pane = 'list'; this.#rows.node.focus(); },
      },
    });
    this.desk.comment.placeholder = 'Reason for the decision';
    byId('decision-pane').append(this.desk.node);
  }

  // How many sentences are decided, and how many there are.
  get progress() {
    return [this.#entries.filter(({ decided }) => decided).length, this.#entries.length];
  }

  // Loads the list, with differences and without decisions first.
  async load() {
    const { sentences } = await get('/api/adjudication');
    this.#entries = sentences.sort((a, b) => a.decided - b.decided || b.differences - a.differences || a.n - b.n);
    byId('shared-count').textContent = `${counted(sentences.length, 'sentence')} done by several annotators, `
      + `${sentences.filter(({ differences }) => differences > 0).length} with differences`;
    this.#mark();
  }

  async show() {
    await this.load();
    if (!this.desk.sheet && this.#entries.length) await this.open(this.#entries[0].n);
  }

  #mark() {
    this.#rows.show(this.#entries, this.#entries.find(({ n }) => n === this.#wanted));
  }

  async open(n) {
    this.#wanted = n;
    try {
      const path = '/api/adjudication/' + n;
      const answer = await get(path);
      if (this.#wanted !== n) return;
      this.#annotators = answer.annotators;
      const { source, target, rtl } = withDirections(answer);
      const compared = comparison(this.#annotators);
      const read = (found) => ({ ...(found.decision ?? found), n, source, target, rtl, ...compared });
      const sheet = new Sheet({ path, answer, read, saver: this.#saver, changed: (message) => this.#changed(sheet, message) });
      byId('adjudicate').dataset.pane = 'desk';
      this.#compare({ source, target, rtl, disputed: compared.disputed });
      this.desk.open(sheet, `Sentence ${n + 1}`);
      this.#redraw();
      this.#mark();
    } catch (error) {
      this.#say(`Sentence ${n + 1} cannot be shown: ${error.message}`, 'bad');
    }
  }

  // The pictures of what the annotators say.
  #compare(pair) {
    const figures = this.#annotators.map(({ name, marks, untranslated, comment }) => {
      const editor = new Editor({ act: () => {}, say: this.#say, tell: (...said) => this.desk.hint.replaceChildren(...said) });
      editor.readOnly = true;
      const sentence = { ...pair, marks: marks.filter((mark) => mark[2] !== 'no-link'), untranslated, confirmed: true };
      const figure = element('figure', {}, element('figcaption', {}, element('bdi', {}, shownWord(name)),
        element('span', { class: 'faint' }, ` ${counted(sentence.marks.length, 'link')}`)), editor.node);
      if (comment) figure.append(element('p', { class: 'said', dir: 'auto' }, comment));
      return { editor, sentence, figure };
    });
    this.desk.before.replaceChildren(...figures.map(({ figure }) => figure));
    this.#others = figures.map(({ editor }) => editor);
    figures.forEach(({ editor, sentence }) => editor.open(sentence));
  }

  #redraw() {
    this.#others.forEach((editor) => editor.draw());
  }

  #changed(sheet, message) {
    if (this.desk.sheet === sheet) this.desk.refresh();
    if (message) this.#say(message, 'bad');
  }

  // Confirms what is decided and what all agree on, and goes to the next sentence without a decision.
  async #confirm() {
    const { desk } = this;
    const { sheet } = desk;
    if (!sheet) return;
    if (!sheet.sentence.confirmed) {
      this.#acceptUntranslated(sheet.sentence);
      desk.act({ do: 'confirm', accepted: acceptable(sheet.sentence) });
      await this.#saver.whenSaved();
      if (desk.sheet !== sheet || !sheet.sentence.confirmed) return;
      await this.load().catch(() => {});
    }
    const next = this.#entries.find(({ n, decided }) => !decided && n !== this.#wanted);
    if (next) this.open(next.n);
    else this.#say('All shared sentences are decided.');
  }

  // Words that nobody found a translation of have none, unless a link was made.
  #acceptUntranslated({ marks, untranslated }) {
    const [source, target] = ['source', 'target'].map((side, place) => untranslatedByAll(this.#annotators, side)
      .filter((word) => !untranslated[side].includes(word) && !marks.some((mark) => mark[place] === word)));
    if (source.length + target.length) this.desk.act({ do: 'untranslated', source, target, on: true });
  }

  #step(by) {
    const place = this.#entries.findIndex(({ n }) => n === this.#wanted) + by;
    if (this.#entries[place]) this.open(this.#entries[place].n);
    else this.#say(by < 0 ? 'There is no previous sentence.' : 'There is no next sentence.');
  }

  #draw({ n, annotators, differences, decided }) {
    return [
      element('span', { class: 'row-number' }, n + 1),
      element('span', { class: 'side' }, differences ? counted(differences, 'difference') : 'no differences'),
      element('span', { class: 'side faint' }, annotators.map(shownWord).join(', ')),
      element('span', { class: 'badge' }, element('span', { class: decided ? 'confirmed' : 'new' }, decided ? '✓ decided' : '○ open')),
    ];
  }
}

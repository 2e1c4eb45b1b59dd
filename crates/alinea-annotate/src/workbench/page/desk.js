// The place where a sentence is worked on: its pictures, the buttons around them, the comment, and the links as a table.

import { button, element, isNarrow, press } from './dom.js';
import { Editor } from './editor.js';
import { counted, directionName, shownWord } from './text.js';
import { hasLine, legend, nameOf } from './marks.js';
import { isLink, removed, undecided } from './state.js';

// The time spent on sentences that was not sent yet, by path.
const spent = new Map();

export class Desk {
  sheet = null;
  #clock;
  #home;

  // `home` says where to go: `confirm`, `step`, and `back` to the list; `say` shows a message.
  constructor({ clock, home, say, confirmText, caption = '' }) {
    this.#clock = clock;
    this.#home = home;
    this.say = say;
    this.confirmText = confirmText;
    this.editor = new Editor({
      act: (action) => this.act(action), tell: (...said) => this.hint.replaceChildren(...said), say, changed: () => this.#drawAround(),
    });
    this.#build(caption);
  }

  get isReady() {
    return this.sheet !== null;
  }

  #build(caption) {
    const { editor } = this;
    this.title = element('h2', { tabindex: -1 });
    this.status = element('span', { class: 'chip' });
    const back = button('‹ List', () => this.#home.back(), { class: 'back' });
    this.views = {
      lines: button('Lines', () => this.setView('lines')), matrix: button('Matrix', () => this.setView('matrix')), both: button('Both', () => this.setView('both')),
    };
    this.zooms = element('span', { class: 'group', role: 'group', 'aria-label': 'Size of cells' },
      button('−', () => editor.zoom(-1), { key: '-', 'aria-label': 'Smaller cells' }),
      button('+', () => editor.zoom(1), { key: '+', 'aria-label': 'Larger cells' }));
    this.flag = button('⚑ Flag', () => this.toggleFlag(), { key: 'f', 'aria-label': 'Flag' });
    const head = element('div', { class: 'desk-head' }, back, this.title, this.status,
      element('span', { class: 'group steps' }, button('‹', () => this.step(-1), { key: 'b', 'aria-label': 'Previous sentence' }),
        button('›', () => this.step(1), { key: 'n', 'aria-label': 'Next sentence' })),
      this.flag,
      element('span', { class: 'group', role: 'group', 'aria-label': 'View (v)' }, ...Object.values(this.views)), this.zooms);

    this.hint = element('p', { class: 'hint', 'aria-live': 'polite' });
    this.legend = element('ul', { class: 'legend', 'aria-label': 'Legend' });
    this.running = element('div', { class: 'running' });
    this.comment = element('textarea', { rows: 2, maxlength: 10000, dir: 'auto', 'aria-label': 'Comment' });
    this.comment.addEventListener('change', () => this.#saveComment());
    this.table = element('div', { class: 'overflow' });
    this.details = element('details', {}, element('summary', {}, 'Links as a table'), this.table);
    this.details.addEventListener('toggle', () => this.#drawTable());
    this.before = element('div', { class: 'before' });
    this.caption = element('p', { class: 'caption' }, caption);
    this.body = element('div', { class: 'desk-body' }, this.before, this.caption, editor.node, this.legend, this.running,
      element('label', { class: 'comment' }, element('span', {}, 'Comment'), this.comment), this.details);

    this.pens = {
      sure: button('Sure', () => this.usePen('sure', false), { key: 's', class: 'pen sure' }),
      possible: button('Possible', () => this.usePen('possible', false), { key: 'p', class: 'pen possible' }),
    };
    this.confirmButton = button(this.confirmText, () => this.confirm(), { class: 'primary', key: 'Enter' });
    this.reopenButton = button('Reopen', () => this.reopen(), { key: 'e' });
    this.undo = button('↶', () => this.travel('undo'), { key: 'u', 'aria-label': 'Undo' });
    this.redo = button('↷', () => this.travel('redo'), { key: 'r', 'aria-label': 'Redo' });
    const ofWords = [
      button('✓ Word', () => editor.decideWord('sure'), { key: 'a', 'aria-label': 'Accept the suggestions of the word' }),
      button('✗ Word', () => editor.decideWord('no-link'), { key: 'x', 'aria-label': 'Reject the suggestions of the word' }),
      button('∅ Nothing', () => editor.toggleUntranslatedSelected(), { key: '0', 'aria-label': 'Translated by nothing' }),
    ];
    const foot = element('div', { class: 'desk-foot' }, this.hint, element('div', { class: 'actions' },
      this.confirmButton, this.reopenButton,
      element('span', { class: 'group', role: 'group', 'aria-label': 'New links are' }, ...Object.values(this.pens)),
      element('span', { class: 'group' }, ...ofWords), element('span', { class: 'group' }, this.undo, this.redo)));
    this.node = element('div', { class: 'desk' }, head, this.body, foot);
    // After a click, keys belong to the picture again; who came by keys stays where they are.
    this.node.addEventListener('click', (event) => {
      if (event.detail > 0 && event.target.closest('.actions button, .desk-head button') && !event.target.closest('.back')) editor.focus();
    });
    press(this.pens, 'sure');
    this.node.toggleAttribute('data-empty', true);
  }

  // Shows a sheet; without one, that there is none.
  open(sheet, title) {
    this.leave();
    this.sheet = sheet;
    this.title.textContent = title;
    this.node.toggleAttribute('data-empty', sheet === null);
    this.hint.replaceChildren();
    if (!sheet) return;
    this.comment.value = sheet.sentence.comment;
    this.body.scrollTop = 0;
    this.editor.open(sheet.sentence);
    if (!isNarrow()) this.editor.focus();
  }

  // Ends the work on the present sheet: a comment is saved, and the time is kept.
  leave() {
    const seconds = this.#clock.take();
    if (!this.sheet) return;
    spent.set(this.sheet.path, (spent.get(this.sheet.path) ?? 0) + seconds);
    this.#saveComment();
  }

  act(action) {
    if (!this.sheet) return;
    const seconds = this.#clock.take() + (spent.get(this.sheet.path) ?? 0);
    spent.delete(this.sheet.path);
    this.sheet.act(action, seconds);
  }

  // The sheet has changed.
  refresh() {
    const { sentence } = this.sheet;
    if (document.activeElement !== this.comment) this.comment.value = sentence.comment;
    this.editor.update(sentence);
  }

  confirm() {
    this.#saveComment();
    this.#home.confirm();
  }

  step(by) {
    this.#home.step(by);
  }

  reopen() {
    if (this.sheet.sentence.confirmed) this.act({ do: 'reopen' });
    else this.say('This sentence is not confirmed.');
  }

  travel(way) {
    if (this.sheet.sentence[way]) this.act({ do: way });
    else this.say(`Nothing to ${way} in this sentence.`);
  }

  toggleFlag() {
    this.act({ do: 'flag', on: !this.sheet.sentence.flag });
  }

  focusComment() {
    this.comment.focus();
    this.comment.scrollIntoView({ block: 'nearest' });
  }

  #saveComment() {
    const text = this.comment.value;
    if (this.sheet && text !== this.sheet.sentence.comment) this.act({ do: 'comment', text });
  }

  // Whether a comment was written that is not an action yet.
  get isDirty() {
    return this.sheet !== null && this.comment.value !== this.sheet.sentence.comment;
  }

  usePen(pen, onCursor) {
    this.editor.usePen(pen, onCursor);
    press(this.pens, pen);
  }

  setView(view) {
    this.editor.view = view;
    // What had the focus may be hidden now.
    if (document.activeElement === document.body) this.editor.focus();
  }

  #drawAround() {
    const { sentence, view } = this.editor;
    press(this.views, view);
    this.zooms.hidden = view === 'lines';
    const links = sentence.marks.filter(([, , kind]) => isLink(kind)).length;
    const open = undecided(sentence).length;
    this.status.textContent = (sentence.confirmed ? '✓ confirmed, ' : '') + counted(links, 'link')
      + (sentence.confirmed ? '' : `, ${open} ${sentence.disputed ? 'disputed' : 'suggested'}`);
    this.status.classList.toggle('done', sentence.confirmed);
    this.confirmButton.textContent = sentence.confirmed ? 'Next' : this.confirmText;
    this.reopenButton.hidden = !sentence.confirmed;
    this.undo.disabled = !sentence.undo;
    this.redo.disabled = !sentence.redo;
    this.flag.setAttribute('aria-pressed', String(sentence.flag));
    this.legend.replaceChildren(...legend(view !== 'matrix', view !== 'lines', sentence.disputed !== undefined));
    this.running.hidden = this.editor.hasRows;
    this.running.replaceChildren(...[sentence.source, sentence.target].map((words, side) => (
      element('p', { dir: directionName(sentence.rtl[side]) }, words.map(shownWord).join(' ')))));
    this.#drawTable();
    this.#home.redrawn?.();
  }

  // The links and suggestions, with buttons for those who do not see the pictures.
  #drawTable() {
    if (!this.details.open || !this.sheet) {
      this.table.replaceChildren();
      return;
    }
    const { sentence, cells } = this.editor;
    const [focused, place] = [document.activeElement, document.activeElement?.dataset.place];
    const within = this.table.contains(focused);
    const row = (cell) => {
      const { s, t } = cell;
      const mark = (kind) => () => this.act({ do: 'mark', links: [[s, t]], mark: kind });
      const name = `${shownWord(sentence.source[s])} – ${shownWord(sentence.target[t])}`;
      const choice = (text, run) => button(text, run, { 'aria-label': `${text}: ${name}`, 'data-place': `${s}-${t}-${text}` });
      const choices = [choice('Sure', mark('sure')), choice('Possible', mark('possible')), choice('Remove', () => this.act(removed(sentence, [[s, t]])))];
      const word = (words, n) => element('td', {}, element('bdi', {}, shownWord(words[n])), ` ${n + 1}`);
      return element('tr', {}, word(sentence.source, s), word(sentence.target, t),
        element('td', {}, nameOf(cell)), element('td', { class: 'group' }, ...choices));
    };
    const shown = [...cells.values()].filter((cell) => hasLine(cell) || cell.kind === 'no-link').sort((a, b) => a.s - b.s || a.t - b.t);
    const head = element('tr', {}, ...['Source', 'Target', 'What it is', 'Change'].map((text) => element('th', { scope: 'col' }, text)));
    this.table.replaceChildren(element('table', {}, element('thead', {}, head), element('tbody', {}, ...shown.map(row))));
    if (within && place) this.table.querySelector(`[data-place="${CSS.escape(place)}"]`)?.focus();
  }
}

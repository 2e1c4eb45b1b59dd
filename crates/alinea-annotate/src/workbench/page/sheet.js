// One sentence pair as it is being worked on: an action counts at once, and is confirmed or replaced by what the server answers.

import { get } from './server.js';
import { apply } from './state.js';
import { runsFromRight } from './text.js';

// What undoing takes back.
const kept = ({ marks, untranslated, comment, flag, confirmed }) => ({ marks, untranslated, comment, flag, confirmed });

// Where the server does not say which sides run from right to left, their letters do.
export function withDirections(sentence) {
  return { ...sentence, rtl: sentence.rtl ?? [sentence.source, sentence.target].map(runsFromRight) };
}

export class Sheet {
  #known;
  #waiting = 0;
  #past = [];
  #future = [];
  #further = { undo: false, redo: false };
  #saver;
  #read;
  #changed;

  // `answer` is what the server has at `path`, `read` finds the sentence in it, `changed` is called after every change: with a message
  // if it was not the annotator who made it.
  constructor({ path, answer, read = (found) => found, saver, changed }) {
    this.path = path;
    this.#saver = saver;
    this.#read = (found) => withDirections(read(found));
    this.#changed = changed;
    this.#adopt(answer);
  }

  // The steps that the server has, as far as this page knows.
  get steps() {
    return this.#known.steps;
  }

  get isSaved() {
    return this.#waiting === 0;
  }

  act(action, seconds) {
    if (action.do === 'undo') this.#travel(this.#past, this.#future);
    else if (action.do === 'redo') this.#travel(this.#future, this.#past);
    else {
      this.#past.push(kept(this.sentence));
      this.#future = [];
      this.#further = { ...this.#further, redo: false };
      this.sentence = apply(this.sentence, action);
    }
    this.#sayWhatCanBeUndone();
    this.#waiting += 1;
    this.#saver.add(this, action, seconds);
    this.#changed();
  }

  // What is further back than this page knows, the server answers; until then nobody knows whether there is more.
  #travel(from, to) {
    if (from.length === 0) {
      this.#further = { undo: false, redo: false };
      return;
    }
    to.push(kept(this.sentence));
    this.sentence = { ...this.sentence, ...from.pop() };
  }

  #sayWhatCanBeUndone() {
    const { undo, redo } = this.#further;
    this.sentence = { ...this.sentence, undo: undo || this.#past.length > 0, redo: redo || this.#future.length > 0 };
  }

  saved(answer) {
    this.#waiting -= 1;
    this.#known = this.#read(answer);
    if (this.isSaved) this.#settle();
    this.#changed();
  }

  async refused(error, lost) {
    const actions = lost === 1 ? 'your last action was' : `your last ${lost} actions were`;
    this.#waiting = 0;
    if (error.body.sentence) {
      this.#adopt(error.body.sentence);
      this.#changed(`Changed in another window; ${actions} not applied.`);
      return;
    }
    try {
      this.#adopt(await get(this.path));
    } catch {
      this.sentence = this.#known;
    }
    this.#changed(`${actions.replace('y', 'Y')} not applied: ${error.message}`);
  }

  // Looks whether the server has something else, such as new suggestions.
  async reload() {
    if (!this.isSaved) return;
    const answer = await get(this.path);
    const found = this.#read(answer);
    if (!this.isSaved || found.steps < this.steps) return;
    const elsewhere = found.steps > this.steps;
    if (elsewhere) this.#adopt(answer);
    else {
      this.#known = found;
      this.#settle();
    }
    this.#changed(elsewhere ? 'Changed in another window.' : undefined);
  }

  #adopt(answer) {
    this.#known = this.#read(answer);
    this.#past = [];
    this.#future = [];
    this.#settle();
  }

  // What the server says counts, and tells what can be undone beyond what this page knows.
  #settle() {
    this.sentence = this.#known;
    if (this.#past.length === 0) this.#further = { ...this.#further, undo: this.#known.undo };
    if (this.#future.length === 0) this.#further = { ...this.#further, redo: this.#known.redo };
  }
}

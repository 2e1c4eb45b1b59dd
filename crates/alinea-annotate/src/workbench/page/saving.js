// The actions that the server has not confirmed yet. They are sent one after another, in the order in which they were done; one that
// does not arrive is sent again, under the same id, until it does.

import { Failure, post } from './server.js';

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

// Answers that have nothing to do with the action: no token, and a request that took too long.
const LATER = [401, 408];

// Ids differ between pages, and within one.
const page = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('');
let given = 0;

export class Saver {
  #steps = [];
  #sending = false;
  #wait = FIRST_WAIT;
  #timer = 0;
  #report;
  #saved = [];

  // `report` is told of `saved`, `saving`, or `failed` with the reason.
  constructor(report) {
    this.#report = report;
    addEventListener('online', () => this.again());
  }

  get isSaved() {
    return this.#steps.length === 0;
  }

  // `sheet` is what the action is of: it has a path, the number of steps it knows, and hears what became of the action.
  add(sheet, action, seconds) {
    given += 1;
    this.#steps.push({ id: `${page}-${given}`, sheet, action, seconds });
    if (this.#timer === 0) this.#send();
  }

  // Tries now instead of later.
  again() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#send();
  }

  // Resolves when everything is saved.
  whenSaved() {
    return this.isSaved ? Promise.resolve() : new Promise((done) => this.#saved.push(done));
  }

  async #send() {
    if (this.#sending || this.isSaved) return;
    this.#sending = true;
    while (!this.isSaved && this.#timer === 0) {
      this.#report('saving');
      const { sheet, ...step } = this.#steps[0];
      step.steps = sheet.steps;
      try {
        const answer = await post(sheet.path + '/steps', step);
        this.#steps.shift();
        this.#wait = FIRST_WAIT;
        sheet.saved(answer);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.#failed(error, sheet);
      }
    }
    this.#sending = false;
    if (!this.isSaved) return;
    this.#report('saved');
    this.#saved.splice(0).forEach((done) => done());
  }

  // An action that the server refuses is given up, with those that were built on it. What it could not do now, it may do later; what
  // says no reason is another server that has the port meanwhile.
  #failed(error, sheet) {
    if (error.status >= 400 && error.status < 500 && !LATER.includes(error.status) && error.body.error) {
      const lost = this.#steps.filter((step) => step.sheet === sheet).length;
      this.#steps = this.#steps.filter((step) => step.sheet !== sheet);
      sheet.refused(error, lost);
      return;
    }
    this.#report('failed', error.message);
    this.#timer = setTimeout(() => this.again(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }
}

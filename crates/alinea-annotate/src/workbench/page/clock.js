// The time that the annotator is at work: the page is visible, and the last key, click or move is not long ago.

const LONGEST_PAUSE = 60_000;

export class Clock {
  #total = 0;
  #since = performance.now();
  #input = performance.now();

  constructor() {
    for (const name of ['keydown', 'pointerdown', 'pointermove', 'wheel', 'input']) {
      addEventListener(name, () => this.#awake(), { capture: true, passive: true });
    }
    document.addEventListener('visibilitychange', () => {
      this.#advance(document.hidden);
      this.#input = this.#since;
    });
  }

  // The seconds since they were last taken.
  take() {
    this.#advance(!document.hidden);
    const seconds = Math.round(this.#total / 100) / 10;
    this.#total = 0;
    return seconds;
  }

  #awake() {
    this.#advance(true);
    this.#input = this.#since;
  }

  // Counts what has passed since it counted last, as far as the annotator was at work.
  #advance(visible) {
    const now = performance.now();
    if (visible) this.#total += Math.max(0, Math.min(now, this.#input + LONGEST_PAUSE) - this.#since);
    this.#since = now;
  }
}

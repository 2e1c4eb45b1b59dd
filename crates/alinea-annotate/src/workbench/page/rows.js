// A long list of which only the rows that are seen exist.

import { element } from './dom.js';

const HEIGHT = 62;

export class Rows {
  #items = [];
  #chosen = undefined;
  #active = -1;

  // Items are told apart by their number `n`. `draw` makes the children of a row for an item, `choose` is called with the item that is clicked or entered.
  constructor(label, { draw, choose }) {
    this.draw = draw;
    this.choose = choose;
    this.name = label.toLowerCase().replaceAll(' ', '-');
    this.spacer = element('div', { class: 'spacer', role: 'presentation' });
    this.node = element('div', { class: 'rows', role: 'listbox', tabindex: 0, 'aria-label': label }, this.spacer);
    this.node.addEventListener('scroll', () => this.redraw());
    this.node.addEventListener('click', (event) => {
      const row = event.target.closest('.row');
      if (row) this.choose(this.#items[Number(row.dataset.place)]);
    });
    this.node.addEventListener('keydown', (event) => this.#press(event));
    new ResizeObserver(() => this.redraw()).observe(this.node);
  }

  show(items, chosen) {
    this.#items = items;
    this.spacer.style.height = items.length * HEIGHT + 'px';
    this.mark(chosen);
  }

  // Marks the chosen item and brings it into view.
  mark(chosen) {
    const moved = chosen?.n !== this.#chosen;
    this.#chosen = chosen?.n;
    this.#active = this.#items.findIndex(({ n }) => n === this.#chosen);
    if (moved) this.#reveal();
    this.redraw();
  }

  #reveal() {
    if (this.#active < 0) return;
    const [top, { scrollTop, clientHeight }] = [this.#active * HEIGHT, this.node];
    const middle = top - (clientHeight - HEIGHT) / 2;
    if (top < scrollTop - HEIGHT || top > scrollTop + clientHeight) this.node.scrollTop = middle;
    else if (top < scrollTop) this.node.scrollTop = top;
    else if (top + HEIGHT > scrollTop + clientHeight) this.node.scrollTop = top + HEIGHT - clientHeight;
  }

  redraw() {
    const { scrollTop, clientHeight } = this.node;
    const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - 4);
    const last = Math.min(this.#items.length, Math.ceil((scrollTop + clientHeight) / HEIGHT) + 4);
    this.spacer.replaceChildren(...this.#items.slice(first, last).map((item, n) => this.#row(item, first + n)));
    const active = this.#active >= first && this.#active < last;
    if (active) this.node.setAttribute('aria-activedescendant', this.#idOf(this.#active));
    else this.node.removeAttribute('aria-activedescendant');
  }

  #idOf(place) {
    return `${this.name}-${place}`;
  }

  #row(item, place) {
    const made = element('div', {
      class: place === this.#active ? 'row active' : 'row', role: 'option', id: this.#idOf(place), 'data-place': place,
      'aria-selected': String(item.n === this.#chosen), 'aria-posinset': place + 1, 'aria-setsize': this.#items.length,
    }, ...this.draw(item));
    made.style.top = place * HEIGHT + 'px';
    return made;
  }

  #press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.node.clientHeight / HEIGHT) - 1);
    const to = {
      ArrowDown: this.#active + 1, ArrowUp: this.#active - 1, PageDown: this.#active + page, PageUp: this.#active - page, Home: 0, End: this.#items.length - 1,
    }[event.key];
    if (to !== undefined) {
      this.#active = Math.max(0, Math.min(this.#items.length - 1, to));
      this.#reveal();
      this.redraw();
    } else if ((event.key === 'Enter' || event.key === ' ') && this.#active >= 0) {
      this.choose(this.#items[this.#active]);
    } else return;
    event.preventDefault();
  }
}

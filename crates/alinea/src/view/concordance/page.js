// A dictionary: search, the list of headwords, the chosen one.

const data = JSON.parse(document.getElementById('data').textContent);
const { heads, sentences } = data;
const byId = (id) => document.getElementById(id);

// As in the style sheet.
const ROW = 52;
// Browsers draw no higher element; behind so many rows one has to search.
const MOST_ROWS = 200000;

const state = { query: '', within: 'both', sort: 'count', order: [], chosen: -1 };

// What would disturb the page: controls, and what changes the direction of text.
const DISTURBING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

function shownText(text) {
  return text.replace(DISTURBING, '\ufffd');
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function counted(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

// Text as it is searched: in lower case, without accents and points.
function folded(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const words = heads.map(([word]) => folded(word));
let inTranslations = null;
function translationsOf(n) {
  inTranslations ??= heads.map((head) => head[4].map(([text]) => folded(text)));
  return inTranslations[n];
}

// How well a text fits the query: the whole of it, its beginning, the beginning of a word of it, a part; -1 not at all.
function fit(text, query) {
  const at = text.indexOf(query);
  if (at < 0) return -1;
  if (at === 0) return text.length === query.length ? 0 : 1;
  return text.includes(' ' + query) ? 2 : 3;
}

// The fit of a headword: its words come before its translations.
function fitOf(n) {
  const inWord = state.within === 'translations' ? -1 : fit(words[n], state.query);
  if (inWord >= 0 || state.within === 'words') return inWord;
  const fits = translationsOf(n).map((text) => fit(text, state.query)).filter((found) => found >= 0);
  return fits.length ? 4 + Math.min(...fits) : -1;
}

// Headwords come with the most frequent first.
let alphabet = null;
function inOrder() {
  if (state.sort === 'count') return heads.map((_, n) => n);
  const collator = new Intl.Collator();
  alphabet ??= heads.map((_, n) => n).sort((a, b) => collator.compare(heads[a][0], heads[b][0]) || a - b);
  return [...alphabet];
}

function select() {
  let order = inOrder();
  if (state.query) {
    const found = order.map((n) => [n, fitOf(n)]).filter(([, fits]) => fits >= 0);
    if (state.sort === 'count') found.sort((a, b) => a[1] - b[1]);
    order = found.map(([n]) => n);
  }
  state.order = order;
  byId('count').textContent = `${order.length.toLocaleString('en')} of ${counted(heads.length, 'headword')}`;
  byId('spacer').style.height = Math.min(order.length, MOST_ROWS) * ROW + 'px';
  byId('list').scrollTop = 0;
  drawList();
}

// The list: only the rows that are seen exist.
function row(place) {
  const n = state.order[place];
  const [word, count, , , translations] = heads[n];
  const first = translations.slice(0, 3).map(([text]) => shownText(text)).join(' · ');
  const made = element('div', {
    class: 'row', role: 'option', id: 'row-' + n, 'aria-selected': String(n === state.chosen),
    'aria-posinset': place + 1, 'aria-setsize': state.order.length,
  },
  element('span', { class: 'word', dir: 'auto' }, shownText(word)),
  element('span', { class: 'first', dir: 'auto' }, first),
  element('span', { class: 'number' }, count.toLocaleString('en')));
  made.style.top = place * ROW + 'px';
  return made;
}

function drawList() {
  const list = byId('list');
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
  const last = Math.min(state.order.length, MOST_ROWS, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 4);
  const rows = [];
  for (let place = first; place < last; place++) rows.push(row(place));
  byId('spacer').replaceChildren(...rows);
  const chosen = byId('row-' + state.chosen);
  if (chosen) list.setAttribute('aria-activedescendant', chosen.id);
  else list.removeAttribute('aria-activedescendant');
}

// The chosen headword.

function sentence(all, places) {
  const marked = new Set(places);
  const line = element('p', { dir: 'auto' });
  all.forEach((word, n) => {
    if (n) line.append(' ');
    line.append(marked.has(n) ? element('mark', {}, shownText(word)) : shownText(word));
  });
  return line;
}

function example([place, source, target]) {
  const [name, sourceWords, targetWords] = sentences[place];
  const lines = [sentence(sourceWords, source), sentence(targetWords, target)];
  if (data.side) lines.reverse();
  return element('div', { class: 'example' }, element('span', { class: 'name' }, shownText(name)), ...lines);
}

function translation(text, count, total, figures, examples, none = false) {
  const share = total ? (100 * count) / total : 0;
  const bar = element('div', { class: 'bar' });
  bar.style.width = share.toFixed(2) + '%';
  const numbers = [count.toLocaleString('en'), share.toFixed(1) + ' %', ...figures].join(' · ');
  return element('div', { class: 'translation' },
    element('div', { class: 'line' },
      element('span', { class: none ? 'words none' : 'words', dir: 'auto' }, shownText(text)),
      element('span', { class: 'figures' }, numbers)),
    bar, ...examples.map(example));
}

function drawWord() {
  const head = heads[state.chosen];
  byId('word').textContent = head ? shownText(head[0]) : '';
  byId('occurrences').textContent = head ? counted(head[1], 'occurrence') : '';
  if (!head) {
    byId('translations').replaceChildren();
    return;
  }
  const [, total, untranslated, [types, others], translations, unlinked] = head;
  const parts = translations.map(([text, count, confidence, score, dice, examples]) => {
    const figures = [`G² ${score.toLocaleString('en')}`, `Dice ${dice.toFixed(3)}`];
    if (confidence !== null) figures.unshift(`confidence ${confidence.toFixed(2)}`);
    return translation(text, count, total, figures, examples);
  });
  if (types) parts.push(translation(`${types} other translation${types === 1 ? '' : 's'}`, others, total, [], [], true));
  if (untranslated) parts.push(translation('not translated', untranslated, total, [], unlinked, true));
  byId('translations').replaceChildren(...parts);
  byId('word-pane').scrollTop = 0;
}

function setPane(pane) {
  document.body.dataset.pane = pane;
}

function choose(n) {
  state.chosen = n;
  drawList();
  drawWord();
  if (n >= 0) {
    try {
      history.replaceState(null, '', '#' + encodeURIComponent(heads[n][0]));
    } catch {
      // Frames without an address of their own have no history.
    }
  }
}

function step(by) {
  if (!state.order.length) return;
  const at = state.order.indexOf(state.chosen);
  const place = Math.min(Math.min(state.order.length, MOST_ROWS) - 1, Math.max(0, at + by));
  const list = byId('list');
  if (place * ROW < list.scrollTop) list.scrollTop = place * ROW;
  if ((place + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (place + 1) * ROW - list.clientHeight;
  choose(state.order[place]);
}

// Goes to the headword that is the end of the address: `page.html#house`.
function chooseByAddress() {
  let wanted = '';
  try {
    wanted = decodeURIComponent(location.hash.slice(1));
  } catch {
    // No word of this page.
  }
  const found = wanted ? heads.findIndex(([word]) => word === wanted) : -1;
  if (found >= 0) setPane('word');
  choose(found >= 0 ? found : state.order.length ? state.order[0] : -1);
}

function toggleTheme() {
  const theme = document.documentElement.dataset.theme;
  const dark = theme ? theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
}

byId('choices').addEventListener('submit', (event) => event.preventDefault());
byId('search').addEventListener('input', (event) => {
  state.query = folded(event.target.value.trim());
  select();
  choose(state.order.length ? state.order[0] : -1);
});
for (const name of ['within', 'sort']) {
  byId(name).addEventListener('change', (event) => {
    state[name] = event.target.value;
    select();
  });
}
byId('list').addEventListener('scroll', drawList);
byId('list').addEventListener('click', (event) => {
  const hit = event.target.closest('.row');
  if (!hit) return;
  choose(Number(hit.id.slice(4)));
  setPane('word');
});
byId('back').addEventListener('click', () => setPane('list'));
byId('theme').addEventListener('click', toggleTheme);
window.addEventListener('resize', drawList);
window.addEventListener('hashchange', chooseByAddress);
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    setPane('list');
    return;
  }
  const inSearch = event.target === byId('search');
  if (event.key === 'Enter' && (inSearch || event.target === byId('list'))) setPane('word');
  else if (event.key === 'ArrowDown' && (inSearch || event.target === byId('list'))) step(1);
  else if (event.key === 'ArrowUp' && (inSearch || event.target === byId('list'))) step(-1);
  else if (event.key === '/' && !inSearch) byId('search').focus();
  else return;
  event.preventDefault();
});

select();
chooseByAddress();

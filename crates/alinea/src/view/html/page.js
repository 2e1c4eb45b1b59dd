// The page: choices, the list, the chosen pair, keys.

const byId = (id) => document.getElementById(id);
const ROW = 60;
// As in the style sheet.
const NARROW = '(max-width: 760px)';
const firstGold = layers.findIndex((layer) => layer.gold);
const weighted = pairs.some((pair) => pair.l.some((links) => links.some((link) => link.length > 3)));
const state = {
  shown: Math.max(0, layers.findIndex((layer) => !layer.gold)),
  reference: firstGold,
  query: [],
  filter: 'all',
  sort: hasPaths ? 'order' : firstGold < 0 ? 'number' : 'errors',
  mode: window.matchMedia(NARROW).matches ? 'columns' : 'lines',
  every: false,
  order: [],
  chosen: -1,
  pinned: false,
};
let counts = [];

const FILTERS = {
  all: ['all pairs', () => true, () => true],
  errors: ['with errors', (n) => counts[n].wrong + counts[n].missed > 0, () => compared()],
  wrong: ['with wrong links', (n) => counts[n].wrong > 0, () => compared()],
  missed: ['with missed links', (n) => counts[n].missed > 0, () => compared()],
  clean: ['without errors', (n) => counts[n].wrong + counts[n].missed === 0, () => compared()],
  differ: ['not all agree', (n) => layers.some((_, layer) => layer > 0 && differ(pairs[n], 0, layer)), () => layers.length > 1],
  costly: ['with costly path pairs', (n) => pairs[n].o?.[1] > 0, () => hasPaths],
  none: ['without links', (n) => counts[n].links === 0, () => true],
};

const SORTS = {
  number: ['as in the files', () => 0, () => true],
  order: ['worst order first', (n) => pairs[n].o?.[0] ?? 2, () => hasPaths],
  errors: ['most errors first', (n) => -(counts[n].wrong + counts[n].missed), () => compared()],
  aer: ['highest AER first', (n) => -(scores(counts[n]).aer ?? -1), () => compared()],
  confidence: ['lowest confidence first', (n) => meanConfidence(n), () => weighted],
  length: ['longest first', (n) => -(pairs[n].s.length + pairs[n].t.length), () => true],
};

function compared() {
  return state.reference >= 0 && state.reference !== state.shown;
}

function meanConfidence(n) {
  const found = linksOf(pairs[n], state.shown).filter((link) => link.weight !== undefined);
  return found.length ? found.reduce((sum, link) => sum + link.weight, 0) / found.length : 2;
}

function isFound(word) {
  return state.query.some((piece) => word.toLowerCase().includes(piece));
}

// Choices.

function options(select, entries, value) {
  select.replaceChildren(...entries.map(([key, name]) => element('option', { value: key }, name)));
  select.value = value;
}

function offer() {
  const possible = (table) => Object.entries(table).filter(([, [, , here]]) => here()).map(([key, [name]]) => [key, name]);
  const [filters, sorts] = [possible(FILTERS), possible(SORTS)];
  if (!filters.some(([key]) => key === state.filter)) state.filter = 'all';
  if (!sorts.some(([key]) => key === state.sort)) state.sort = 'number';
  options(byId('filter'), filters, state.filter);
  options(byId('sort'), sorts, state.sort);
}

// Counts again what is right and wrong, after other links were chosen.
function recount() {
  const reference = compared() ? state.reference : -1;
  counts = pairs.map((pair) => count(judge(pair, state.shown, reference)));
  offer();
  select();
}

// Which pairs are in the list, in which order.
function select(keep = true) {
  const number = state.query.length === 1 && /^#\d+$/.test(state.query[0]) ? Number(state.query[0].slice(1)) : null;
  const matches = number === null
    ? (n) => state.query.every((piece) => haystack(pairs[n]).includes(piece))
    : (n) => pairs[n].n === number;
  const [, passes] = FILTERS[state.filter];
  const [, rank] = SORTS[state.sort];
  const kept = pairs.map((_, n) => n).filter((n) => passes(n) && matches(n)).map((n) => [n, rank(n)]);
  state.order = kept.sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([n]) => n);
  byId('count').textContent = `${state.order.length} of ${pairs.length} ${pairs.length === 1 ? 'pair' : 'pairs'}`;
  byId('spacer').style.height = state.order.length * ROW + 'px';
  if (!keep || !state.order.includes(state.chosen)) {
    byId('list').scrollTop = 0;
    state.chosen = state.order.length ? state.order[0] : -1;
  }
  drawList();
  drawPair();
}

// The list: only the rows that are seen exist.

function badge(n) {
  if (pairs[n].o) return [element('span', { class: pairs[n].o[1] > 0 ? 'wrong' : 'clean', title: orderText(pairs[n]) }, pairs[n].o[0].toFixed(2))];
  if (!compared()) return [element('span', {}, String(counts[n].links))];
  const { wrong, missed } = counts[n];
  const part = (kind, text, label) => element('span', { class: kind, title: label }, text);
  if (wrong + missed === 0) return [part('clean', '✓', 'no errors')];
  return [
    ...(wrong ? [part('wrong', `×${wrong}`, `${wrong} wrong`)] : []),
    ' ',
    ...(missed ? [part('missed', `○${missed}`, `${missed} missed`)] : []),
  ];
}

function row(place) {
  const n = state.order[place];
  const side = (words) => element('span', { class: 'side', dir: 'auto' }, words.slice(0, 60).map(shownWord).join(' ').slice(0, 240));
  const made = element('div', {
    class: 'row', role: 'option', id: 'row-' + n, 'aria-selected': String(n === state.chosen),
    'aria-posinset': place + 1, 'aria-setsize': state.order.length,
  }, element('span', { class: 'number' }, String(pairs[n].n)), side(pairs[n].s), side(pairs[n].t), element('span', { class: 'badge' }, ...badge(n)));
  made.style.top = place * ROW + 'px';
  return made;
}

function drawList() {
  const list = byId('list');
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
  const last = Math.min(state.order.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 4);
  const rows = [];
  for (let place = first; place < last; place++) rows.push(row(place));
  byId('spacer').replaceChildren(...rows);
  const chosen = byId('row-' + state.chosen);
  if (chosen) list.setAttribute('aria-activedescendant', chosen.id);
  else list.removeAttribute('aria-activedescendant');
}

// Goes to a place of the list.
function goTo(place) {
  if (!state.order.length) return;
  const wanted = Math.min(state.order.length - 1, Math.max(0, place));
  state.chosen = state.order[wanted];
  const list = byId('list');
  if (wanted * ROW < list.scrollTop) list.scrollTop = wanted * ROW;
  if ((wanted + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = (wanted + 1) * ROW - list.clientHeight;
  drawList();
  drawPair();
}

// Goes to the pair whose number is the end of the address: `page.html#12`.
function goToAddress() {
  const wanted = Number(location.hash.slice(1));
  const place = state.order.findIndex((n) => pairs[n].n === wanted);
  if (place >= 0) goTo(place);
}

function step(by) {
  goTo(state.order.indexOf(state.chosen) + by);
}

// The chosen pair.

function drawPair() {
  state.pinned = false;
  const pair = pairs[state.chosen];
  byId('pair-title').textContent = pair ? `Pair ${pair.n}` : 'No pair';
  byId('hint').textContent = '';
  for (const button of document.querySelectorAll('[data-mode]')) {
    button.setAttribute('aria-pressed', String(button.dataset.mode === state.mode));
  }
  byId('pictures').replaceChildren(...(pair ? chosenLayers().map((layer) => figure(pair, layer)) : []));
  byId('legend').replaceChildren(...legend(pair));
  drawTables();
  drawPathTable(pair);
  if (pair) history.replaceState(null, '', '#' + pair.n);
}

function chosenLayers() {
  return state.every ? layers.map((_, layer) => layer) : [state.shown];
}

function figure(pair, layer) {
  const judged = judge(pair, layer, state.reference);
  const room = byId('pictures').clientWidth || 600;
  const label = `${judged.length} links of ${layers[layer].name} in pair ${pair.n}; the table below has them`;
  const draw = { lines: drawLines, columns: drawColumns, matrix: drawMatrix }[state.mode];
  const svg = draw(pair, judged, label, room - 20);
  const outside = outsideOf(pair, layer);
  const made = element('figure', { 'data-layer': layer },
    element('figcaption', {}, element('strong', {}, element('bdi', {}, shownWord(layers[layer].name))), ' ',
      element('span', { class: 'scores' }, [summary(judged, layer), orderText(pair)].filter(Boolean).join('; '))),
    element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Picture' }, svg));
  if (outside.length) made.append(element('p', {}, `not drawn: ${outside.slice(0, 10).join(' ')}${outside.length > 10 ? ' …' : ''}`));
  listen(svg, pair, judged);
  return made;
}

function summary(judged, layer) {
  const counted = count(judged);
  const links = `${counted.links} ${counted.links === 1 ? 'link' : 'links'}`;
  if (state.reference < 0 || state.reference === layer) return links;
  const { precision, recall, aer } = scores(counted);
  return `${links}, ${counted.wrong} wrong, ${counted.missed} missed; precision ${percent(precision)}, recall ${percent(recall)}, AER ${percent(aer)}`;
}

function listen(svg, pair, judged) {
  const chosen = (target) => {
    const part = target.closest?.('[data-s], [data-e], .word');
    if (!part || !svg.contains(part)) return null;
    const { s, t, side, n, e } = part.dataset;
    if (e !== undefined) return { e: Number(e) };
    return side === undefined ? { s: Number(s), t: Number(t) } : { side, n };
  };
  const show = (at) => {
    untrace(svg);
    if (at && at.e !== undefined) {
      trace(svg, pair, at.e);
      byId('hint').textContent = edgeText(pair, at.e);
      return;
    }
    highlight(svg, at);
    if (at && at.side === undefined) tell(pair, judged.find((link) => link.s === at.s && link.t === at.t));
  };
  svg.addEventListener('pointerover', (event) => state.pinned || show(chosen(event.target)));
  svg.addEventListener('pointerleave', () => state.pinned || untrace(svg));
  svg.addEventListener('click', (event) => {
    const at = chosen(event.target);
    state.pinned = at !== null;
    show(at);
  });
}

// Says in words what a link or a cell is.
function tell(pair, link) {
  if (!link) return;
  const mark = MARKS.find(({ id }) => id === link.mark);
  const words = `${shownWord(pair.s[link.s])} – ${shownWord(pair.t[link.t])} (${link.s}-${link.t})`;
  const weight = link.weight === undefined ? '' : `, confidence ${link.weight}`;
  byId('hint').textContent = `${words}: ${mark ? mark.name : 'no link'}${weight}`;
}

function legend(pair) {
  if (!pair) return [];
  const used = new Set(chosenLayers().flatMap((layer) => judge(pair, layer, state.reference)).map((link) => link.mark));
  return MARKS.filter(({ id }) => state.reference >= 0 || used.has(id)).map(({ id, name }) => {
    const line = shape('svg', { width: 34, height: 18, 'aria-hidden': 'true' }, shape('path', { d: 'M0 9H34', class: 'link ' + id }));
    if (id !== 'sure' || state.mode === 'matrix') line.append(markShape(id, 17, 9, 5));
    return element('li', {}, line, pair.e ? 'link' : name);
  }).concat(pair.e && state.mode !== 'matrix' ? edgeLegend() : []);
}

function edgeLegend() {
  return ['path pair without cost', 'cost 1', 'cost 2', 'cost 3 or more'].map((name, cost) => element('li', {},
    shape('svg', { width: 34, height: 18, 'aria-hidden': 'true' }, shape('path', { d: 'M0 9H34', class: 'edge ' + warmth(cost) })), name));
}

function drawPathTable(pair) {
  const svg = document.querySelector('#pictures svg');
  byId('paths').replaceChildren(...(pair?.e?.length && svg ? [pathTable(pair, svg)] : []));
}

function drawTables() {
  const pair = pairs[state.chosen];
  if (!byId('as-text').open || !pair) return byId('tables').replaceChildren();
  const name = (id) => MARKS.find((mark) => mark.id === id).name;
  byId('tables').replaceChildren(...chosenLayers().map((layer) => {
    const head = element('tr', {}, ...['source', 'target', 'link', 'what', 'confidence'].map((text) => element('th', { scope: 'col' }, text)));
    const cells = (link) => [shownWord(pair.s[link.s]), shownWord(pair.t[link.t]), `${link.s}-${link.t}`, name(link.mark), link.weight ?? ''];
    const rows = judge(pair, layer, state.reference).map((link) => element('tr', {}, ...cells(link).map((text) => element('td', {}, element('bdi', {}, String(text))))));
    return element('table', {}, element('caption', {}, shownWord(layers[layer].name)), element('thead', {}, head), element('tbody', {}, ...rows));
  }));
}

// What mouse, fingers and keys do.

function setMode(mode) {
  state.mode = mode;
  drawPair();
}

function setTab(tab) {
  document.body.dataset.tab = tab;
  byId('evaluation').hidden = tab !== 'evaluation';
  byId('show-pairs').setAttribute('aria-pressed', String(tab === 'pairs'));
  byId('show-evaluation').setAttribute('aria-pressed', String(tab === 'evaluation'));
  if (tab === 'pairs') drawList();
}

function setPane(pane) {
  const narrow = window.matchMedia(NARROW).matches;
  document.body.dataset.pane = pane;
  if (pane === 'pair') {
    drawPair();
    if (narrow) byId('pair-title').focus();
  } else {
    drawList();
    byId('list').focus();
  }
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark'
    : window.matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
}

function toggleEvery() {
  if (layers.length < 2) return;
  state.every = !state.every;
  byId('every').checked = state.every;
  drawPair();
}

// Chooses the next of a select.
function nextOf(select) {
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event('change'));
}

const MODES = ['lines', 'columns', 'matrix'];
const KEYS = {
  j: () => step(1),
  ArrowDown: () => step(1),
  k: () => step(-1),
  ArrowUp: () => step(-1),
  PageDown: () => step(10),
  PageUp: () => step(-10),
  Home: () => goTo(0),
  End: () => goTo(state.order.length - 1),
  Enter: () => setPane('pair'),
  '/': () => { setPane('list'); byId('search').focus(); byId('search').select(); },
  f: () => nextOf(byId('filter')),
  s: () => nextOf(byId('sort')),
  m: () => setMode(MODES[(MODES.indexOf(state.mode) + 1) % MODES.length]),
  a: toggleEvery,
  e: () => { if (!byId('show-evaluation').hidden) setTab(document.body.dataset.tab === 'pairs' ? 'evaluation' : 'pairs'); },
  t: toggleTheme,
  '?': () => byId('keys').showModal(),
  Escape: () => (document.body.dataset.tab === 'evaluation' ? setTab('pairs') : setPane('list')),
};
const ON_PAIRS = new Set(['j', 'k', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'Enter', '/', 'f', 's', 'm', 'a']);

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('keys').open) return;
  const at = event.target;
  if (at === byId('search')) {
    if (event.key === 'Escape' && at.value === '') byId('list').focus();
    else if (event.key === 'Enter' || event.key === 'ArrowDown') byId('list').focus();
    else return;
    event.preventDefault();
    return;
  }
  if (at instanceof HTMLSelectElement && event.key !== 'Escape') return;
  if (event.key === 'Enter' && at !== byId('list')) return;
  const action = KEYS[event.key];
  if (!action || (ON_PAIRS.has(event.key) && document.body.dataset.tab !== 'pairs')) return;
  event.preventDefault();
  action();
});

function listenToAll() {
  byId('choices').addEventListener('submit', (event) => event.preventDefault());
  byId('search').addEventListener('input', (event) => {
    state.query = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    select(false);
  });
  for (const name of ['filter', 'sort']) {
    byId(name).addEventListener('change', (event) => {
      state[name] = event.target.value;
      select(false);
    });
  }
  for (const name of ['shown', 'reference']) {
    byId(name).addEventListener('change', (event) => {
      state[name] = Number(event.target.value);
      recount();
    });
  }
  byId('list').addEventListener('scroll', drawList);
  byId('list').addEventListener('click', (event) => {
    const hit = event.target.closest('.row');
    if (!hit) return;
    goTo(state.order.indexOf(Number(hit.id.slice(4))));
    setPane('pair');
  });
  for (const button of document.querySelectorAll('[data-mode]')) {
    button.addEventListener('click', () => setMode(button.dataset.mode));
  }
  const clicks = {
    previous: () => step(-1), next: () => step(1), back: () => setPane('list'), theme: toggleTheme, every: toggleEvery,
    'show-pairs': () => setTab('pairs'), 'show-evaluation': () => setTab('evaluation'), help: () => byId('keys').showModal(),
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener('click', action);
  byId('as-text').addEventListener('toggle', drawTables);
  window.addEventListener('resize', () => { drawList(); drawPair(); });
  window.addEventListener('hashchange', goToAddress);
}

function begin() {
  const names = layers.map((layer, n) => [n, shownWord(layer.name)]);
  options(byId('shown'), names, state.shown);
  options(byId('reference'), [[-1, 'nothing'], ...names], state.reference);
  document.querySelectorAll('.layers').forEach((label) => { label.hidden = layers.length < 2; });
  document.body.toggleAttribute('data-paths', hasPaths);
  byId('every-label').hidden = layers.length < 2;
  byId('show-evaluation').hidden = byId('evaluation').childElementCount === 0;
  listenToAll();
  const address = location.hash;
  recount();
  history.replaceState(null, '', address || location.href);
  goToAddress();
}

begin();

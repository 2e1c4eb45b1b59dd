// The page: choices, the list, the chosen pair, keys.

const byId = (id) => document.getElementById(id);
const ROW = 60;
// As in the style sheet.
const NARROW = '(max-width: 760px)';
const firstGold = layers.findIndex((layer) => layer.gold);
const weighted = pairs.some((pair) => pair.l.some((links) => links?.some((link) => link.length > 3)));
const state = {
  shown: Math.max(0, layers.findIndex((layer) => !layer.gold)),
  reference: firstGold,
  query: [],
  filter: 'all',
  sort: hasPaths ? 'order' : firstGold < 0 ? 'number' : 'errors',
  // Null until one is chosen: what fits.
  mode: null,
  every: false,
  order: [],
  chosen: -1,
  pinned: false,
};
let counts = [];

const FILTERS = {
  all: ['all pairs', () => true, () => true],
  errors: [() => (byGold() ? 'with errors' : 'with differences'), (n) => counts[n].wrong + counts[n].missed > 0, () => compared()],
  wrong: [() => (byGold() ? 'with wrong links' : 'with links only here'), (n) => counts[n].wrong > 0, () => compared()],
  missed: [() => (byGold() ? 'with missed links' : `with links only in ${referenceName()}`), (n) => counts[n].missed > 0, () => compared()],
  clean: [() => (byGold() ? 'without errors' : 'without differences'), (n) => judgedHere(n) && counts[n].wrong + counts[n].missed === 0, () => compared()],
  gold: ['with gold links', (n) => judgedHere(n), () => compared() && withGold() < pairs.length],
  unjudged: ['without gold links', (n) => !judgedHere(n), () => compared() && withGold() < pairs.length],
  differ: ['not all agree', (n) => layers.some((_, layer) => layer > 0 && differ(pairs[n], 0, layer)), () => layers.length > 1],
  costly: ['with costly path pairs', (n) => pairs[n].o?.[1] > 0, () => hasPaths],
  none: ['without links', (n) => counts[n].links === 0, () => true],
};

const SORTS = {
  number: ['as in the files', () => 0, () => true],
  order: ['worst order first', (n) => pairs[n].o?.[0] ?? 2, () => hasPaths],
  errors: [() => (byGold() ? 'most errors first' : 'most differences first'),
    (n) => (judgedHere(n) ? -(counts[n].wrong + counts[n].missed) : 1), () => compared()],
  aer: ['highest AER first', (n) => (judgedHere(n) ? -(scores(counts[n]).aer ?? -1) : 2), () => byGold()],
  confidence: ['lowest confidence first', (n) => meanConfidence(n), () => weighted],
  length: ['longest first', (n) => -(pairs[n].s.length + pairs[n].t.length), () => true],
};

function compared() {
  return state.reference >= 0 && state.reference !== state.shown;
}

function byGold() {
  return compared() && layers[state.reference].gold;
}

function referenceName() {
  return shownWord(layers[state.reference].name);
}

function judgedHere(n) {
  return judges(pairs[n], state.shown, state.reference);
}

// How many pairs the reference has links of.
function withGold() {
  return pairs.filter((pair) => has(pair, state.reference)).length;
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
  const text = (name) => (typeof name === 'function' ? name() : name);
  const possible = (table) => Object.entries(table).filter(([, [, , here]]) => here()).map(([key, [name]]) => [key, text(name)]);
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
  const number = compared() ? withGold() : pairs.length;
  byId('annotated').textContent = number < pairs.length ? `${number} of ${counted(pairs.length, 'pair')} have gold links` : '';
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
  byId('count').textContent = `${state.order.length} of ${counted(pairs.length, 'pair')}`;
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
  const part = (kind, text, label) => element('span', { class: kind, title: label }, text);
  if (pairs[n].o) return [part(pairs[n].o[1] > 0 ? 'wrong' : 'clean', `order ${pairs[n].o[0].toFixed(2)}`, orderText(pairs[n]))];
  if (!judgedHere(n)) return [part('links', counted(counts[n].links, 'link'))];
  const { wrong, missed } = counts[n];
  if (wrong + missed === 0) return [part('clean', byGold() ? '✓ no errors' : '✓ no differences')];
  return [
    ...(wrong ? [part('wrong', `× ${wrong} ${byGold() ? 'wrong' : 'only here'}`)] : []),
    ...(missed ? [part('missed', `○ ${missed} ${byGold() ? 'missed' : 'only there'}`)] : []),
  ];
}

function row(place) {
  const n = state.order[place];
  const side = (words) => element('span', { class: 'side', dir: 'auto' }, words.slice(0, 60).map(shownWord).join(' ').slice(0, 240));
  const made = element('div', {
    class: 'row', role: 'option', id: 'row-' + n, 'aria-selected': String(n === state.chosen),
    'aria-posinset': place + 1, 'aria-setsize': state.order.length,
  }, element('span', { class: 'number', title: `pair ${pairs[n].n}` }, `#${pairs[n].n}`), side(pairs[n].s), side(pairs[n].t), element('span', { class: 'badge' }, ...badge(n)));
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
    button.setAttribute('aria-pressed', String(button.dataset.mode === mode(pair)));
  }
  byId('pictures').replaceChildren(...(pair ? chosenLayers().map((layer) => figure(pair, layer)) : []));
  byId('legend').replaceChildren(...legend(pair));
  drawTables();
  drawPathTable(pair);
  if (pair) keepAddress('#' + pair.n);
}

// Puts an address into the bar. A page inside another page, as in a notebook, has none, and browsers refuse it there.
function keepAddress(address) {
  try {
    history.replaceState(null, '', address);
  } catch {
    // Nothing is lost but the link to the pair.
  }
}

function room() {
  return (byId('pictures').clientWidth || 600) - 20;
}

// The kind of picture: the one that was chosen, or what fits. Trees and path pairs are drawn with lines only.
function mode(pair) {
  if (state.mode !== null || !pair) return state.mode;
  if (window.matchMedia(NARROW).matches) return 'columns';
  return pair.e || pair.st || pair.tt || rowsOf(pair, room()).fits ? 'lines' : 'interlinear';
}

function chosenLayers() {
  return state.every ? layers.map((_, layer) => layer) : [state.shown];
}

function figure(pair, layer) {
  const judged = judge(pair, layer, state.reference);
  const label = `${counted(count(judged).links, 'link')} of ${layers[layer].name} in pair ${pair.n}; the table below has them`;
  const kind = mode(pair);
  const svg = { lines: drawLines, columns: drawColumns, matrix: drawMatrix, interlinear: drawInterlinear }[kind](pair, judged, label, room());
  const outside = outsideOf(pair, layer);
  const made = element('figure', { 'data-layer': layer, class: `of-${kind}` },
    element('figcaption', {}, element('strong', {}, element('bdi', {}, shownWord(layers[layer].name))), ' ',
      element('span', { class: 'scores' }, [summary(pair, judged, layer), orderText(pair)].filter(Boolean).join('; '))),
    element('div', { class: `scroll of-${kind}`, tabindex: 0, role: 'group', 'aria-label': 'Picture' }, svg));
  if (outside.length) made.append(element('p', {}, `not drawn: ${outside.slice(0, 10).join(' ')}${outside.length > 10 ? ' …' : ''}`));
  listen(svg, pair, judged);
  return made;
}

// `1 link`, `2 links`.
function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function summary(pair, judged, layer) {
  if (!has(pair, layer)) return 'no links of this pair';
  const found = count(judged);
  const links = counted(found.links, 'link');
  if (state.reference < 0 || state.reference === layer) return links;
  if (!has(pair, state.reference)) return `${links}; this pair has no gold links`;
  if (!layers[state.reference].gold) return `${links}, ${found.wrong} only here, ${found.missed} only in ${referenceName()}`;
  const { precision, recall, aer } = scores(found);
  return `${links}, ${found.wrong} wrong, ${found.missed} missed; precision ${percent(precision)}, recall ${percent(recall)}, AER ${percent(aer)}`;
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
  const words = `${isolated(shownWord(pair.s[link.s]))} – ${isolated(shownWord(pair.t[link.t]))} (${link.s}-${link.t})`;
  const weight = link.weight === undefined ? '' : `, confidence ${link.weight}`;
  byId('hint').textContent = `${words}: ${link.mark ? nameOf(link.mark, state.reference) : 'no link'}${weight}`;
}

function legend(pair) {
  if (!pair) return [];
  const used = new Set(chosenLayers().flatMap((layer) => judge(pair, layer, state.reference)).map((link) => link.mark));
  const all = chosenLayers().some((layer) => judges(pair, layer, state.reference));
  const kind = mode(pair);
  return MARKS.filter(({ id }) => used.has(id) || (all && id !== 'plain')).map(({ id }) => {
    const line = shape('svg', { width: 34, height: 18, 'aria-hidden': 'true' }, shape('path', { d: 'M0 9H34', class: 'link ' + id }));
    if (!isRight(id) || kind === 'matrix' || kind === 'interlinear') line.append(markShape(id, 17, 9, 5));
    return element('li', {}, line, nameOf(id, state.reference));
  }).concat(pair.e && (kind === 'lines' || kind === 'columns') ? edgeLegend() : []);
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
  byId('tables').replaceChildren(...chosenLayers().map((layer) => {
    const head = element('tr', {}, ...['source', 'target', 'positions', 'kind', 'confidence'].map((text) => element('th', { scope: 'col' }, text)));
    const cells = (link) => [shownWord(pair.s[link.s]), shownWord(pair.t[link.t]), `${link.s}-${link.t}`, nameOf(link.mark, state.reference), link.weight ?? ''];
    const rows = judge(pair, layer, state.reference).map((link) => element('tr', {}, ...cells(link).map((text) => element('td', {}, element('bdi', {}, String(text))))));
    return element('table', {}, element('caption', {}, shownWord(layers[layer].name)), element('thead', {}, head), element('tbody', {}, ...rows));
  }));
}

// What mouse, fingers and keys do.

function setMode(chosen) {
  state.mode = chosen;
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

const MODES = ['lines', 'columns', 'matrix', 'interlinear'];
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
  m: () => setMode(MODES[(MODES.indexOf(mode(pairs[state.chosen])) + 1) % MODES.length]),
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
  keepAddress(address || location.href);
  goToAddress();
}

begin();

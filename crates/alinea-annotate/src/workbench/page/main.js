// The page as a whole: session, header, tabs, dialogs.

import { addressed, get, post, watch } from './server.js';
import { Adjudicate } from './adjudicate.js';
import { Annotate } from './annotate.js';
import { button, byId, element, remember, remembered } from './dom.js';
import { Clock } from './clock.js';
import { drawHelp, listenToKeys } from './keys.js';
import { Saver } from './saving.js';
import { showAgreement, showExport, showGuideline, showLearned } from './reports.js';
import { duration, shownWord } from './text.js';

const READING_TIME = 8000;

let session;
let annotate;
let adjudicate;
let closing = 0;

const saver = new Saver(showSaving);
const clock = new Clock();

// What the page says to the annotator. Bad news stays until it is closed.
function say(text, kind = 'good') {
  clearTimeout(closing);
  byId('message-text').textContent = text;
  byId('message').className = kind;
  byId('message').hidden = false;
  if (kind === 'good') closing = setTimeout(hideMessage, READING_TIME);
}

function hideMessage() {
  byId('message').hidden = true;
}

function showSaving(state, reason) {
  byId('save').className = state;
  if (state === 'failed') byId('save').replaceChildren(`✗ not saved: ${reason} – `, button('try again', () => saver.again()));
  else byId('save').textContent = state === 'saved' ? '✓ saved' : '… saving';
}

// The annotator that somebody is; undefined for who only adjudicates.
function yourself() {
  return session.annotators.find(({ name }) => name === session.you.name);
}

function showProgress() {
  const { confirmed, seconds } = yourself() ?? {};
  const [done, all] = yourself() ? [confirmed, session.sentences] : adjudicate.progress;
  Object.assign(byId('progress'), { max: Math.max(1, all), value: done });
  byId('done').textContent = `${done} of ${all} ${yourself() ? 'done' : 'decided'}`;
  byId('pace').textContent = confirmed && seconds ? `${duration(seconds / confirmed)} a sentence` : '';
}

function showLearning({ learning, fault, encoding, encoder_fault }) {
  const said = fault ? `learning failed: ${fault}`
    : !session.settings.learning ? 'not learning' : learning ? '↻ learning…' : 'suggestions up to date';
  const encoder = encoder_fault ? `encoder failed: ${encoder_fault}` : encoding !== undefined ? `encoder ${encoding} %` : '';
  byId('learning').textContent = [said, encoder].filter(Boolean).join(', ');
}

const TABS = {
  annotate: () => annotate.desk.editor.draw(),
  adjudicate: () => adjudicate.show(),
  agreement: () => showAgreement(),
  learned: () => showLearned(session, say),
  guideline: () => showGuideline(session),
  export: () => showExport(session, say),
};

async function showTab(tab) {
  desk()?.leave();
  // The time on tabs that only show something belongs to no sentence.
  clock.take();
  document.body.dataset.tab = tab;
  for (const name of Object.keys(TABS)) {
    byId(name).hidden = name !== tab;
    byId('show-' + name).setAttribute('aria-pressed', String(name === tab));
  }
  try {
    await TABS[tab]();
  } catch (error) {
    say(`This cannot be shown: ${error.message}`, 'bad');
  }
}

function desk() {
  return { annotate, adjudicate }[document.body.dataset.tab]?.desk ?? null;
}

// Something has changed on the server.
async function news(changes) {
  const { suggestions, annotators } = changes;
  session.annotators = annotators;
  showLearning(changes);
  if (yourself()) await annotate.news(suggestions);
  await lookForShared();
  showProgress();
}

// The tab for adjudication is for who adjudicates, once several annotators have confirmed a sentence. Others link on their own.
async function lookForShared() {
  if (!session.you.adjudicates) return;
  try {
    await adjudicate.load();
    byId('show-adjudicate').hidden = yourself() !== undefined && adjudicate.progress[1] === 0;
  } catch {
    // The next news will do.
  }
}

function toggleTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = dark ? 'light' : 'dark';
  remember('theme', dataset.theme);
}

const page = {
  help: () => byId('help-dialog').showModal(),
  goTo: () => {
    byId('go-number').value = '';
    byId('go-number').max = session.sentences;
    byId('go-dialog').returnValue = '';
    byId('go-dialog').showModal();
  },
  search: async () => {
    if (!yourself()) return;
    if (document.body.dataset.tab !== 'annotate') await showTab('annotate');
    annotate.search();
  },
};

async function go() {
  const number = Number(byId('go-number').value);
  if (byId('go-number').value === '' || byId('go-dialog').returnValue !== 'go') return;
  if (document.body.dataset.tab === 'adjudicate') await adjudicate.open(number - 1);
  else await annotate.open(number - 1);
}

async function close() {
  if (byId('close-dialog').returnValue !== 'close') return;
  try {
    await post('/api/close');
    document.body.replaceChildren(element('p', { class: 'farewell' }, 'The workbench is closed. All is saved, and this window can be closed.'));
  } catch (error) {
    say(`The workbench was not closed: ${error.message}`, 'bad');
  }
}

function listenToAll() {
  for (const tab of Object.keys(TABS)) byId('show-' + tab).addEventListener('click', () => showTab(tab));
  byId('theme').addEventListener('click', toggleTheme);
  byId('help').addEventListener('click', page.help);
  // After a click, keys belong to the desk again.
  const toDesk = () => desk()?.isReady && desk().editor.focus();
  for (const part of ['top', 'message', 'toggle-list']) byId(part).addEventListener('click', (event) => event.detail > 0 && toDesk());
  for (const dialog of ['help-dialog', 'go-dialog']) byId(dialog).addEventListener('close', toDesk);
  byId('message-close').addEventListener('click', hideMessage);
  byId('toggle-list').addEventListener('click', () => {
    const hidden = byId('annotate').toggleAttribute('data-wide');
    byId('toggle-list').setAttribute('aria-expanded', String(!hidden));
  });
  byId('go-dialog').addEventListener('close', go);
  byId('close').hidden = !session.can_close;
  byId('close').addEventListener('click', () => {
    byId('close-dialog').returnValue = '';
    if (saver.isSaved && !desk()?.isDirty) byId('close-dialog').showModal();
    else say('Not everything is saved yet.', 'bad');
  });
  byId('close-dialog').addEventListener('close', close);
  addEventListener('hashchange', () => addressed() !== null && yourself() && annotate.open(addressed()));
  addEventListener('beforeunload', (event) => {
    if (!saver.isSaved || annotate.desk.isDirty || adjudicate.desk.isDirty) event.preventDefault();
  });
  listenToKeys(page, desk);
}

async function begin() {
  document.documentElement.dataset.theme = remembered('theme') ?? '';
  try {
    session = await get('/api/session');
  } catch (error) {
    byId('start').textContent = error.status === 401 ? error.message : `The workbench cannot be shown: ${error.message}.`;
    return;
  }
  byId('start').hidden = true;
  document.title = session.title;
  byId('title').textContent = shownWord(session.title);
  byId('you').textContent = shownWord(session.you.name);
  const sides = `${session.source_name} – ${session.target_name}`;
  // Without a title of its own a project is called by its texts.
  byId('sides').textContent = sides === session.title ? '' : shownWord(sides);
  annotate = new Annotate({ saver, clock, say });
  adjudicate = new Adjudicate({ saver, clock, say });
  drawHelp();
  listenToAll();
  showSaving('saved');
  showProgress();
  showLearning({ learning: true });
  byId('page').hidden = false;
  await (yourself() ? beginToAnnotate() : beginToAdjudicate());
  watch(news);
}

async function beginToAnnotate() {
  await showTab('annotate');
  try {
    await annotate.list.load();
  } catch (error) {
    say(`The list cannot be shown: ${error.message}`, 'bad');
  }
  await annotate.begin(addressed());
  await lookForShared();
}

async function beginToAdjudicate() {
  byId('show-annotate').hidden = true;
  byId('show-adjudicate').hidden = false;
  await showTab('adjudicate');
  showProgress();
}

begin();

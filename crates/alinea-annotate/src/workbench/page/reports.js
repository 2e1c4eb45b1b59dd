// The tabs that only show something: agreement between annotators, what was learned from them, the guideline; and the export.

import { button, byId, element, options } from './dom.js';
import { counted, decimal, duration, percent, shownWord } from './text.js';
import { download, get, post } from './server.js';

const name = (text) => element('bdi', {}, shownWord(text));

// A table; cells that are numbers stand on the right.
function table(caption, heads, rows) {
  const head = ([text, isNumber]) => element('th', { scope: 'col', class: isNumber && 'figure' }, text);
  const cell = (value, n) => element('td', { class: heads[n][1] && 'figure' }, value);
  return element('div', { class: 'overflow' }, element('table', {}, element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...heads.map(head))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cell))))));
}

export async function showAgreement() {
  const { pairs, annotators } = await get('/api/agreement');
  const parts = [];
  if (pairs.length) {
    parts.push(table('Agreement of annotators on the sentences that both have confirmed',
      [['Annotators'], ['Sentences', true], ['Agreement', true], ['Kappa', true]],
      pairs.map(({ first, second, sentences, agreement, kappa }) => (
        [element('span', {}, name(first), ' – ', name(second)), String(sentences), percent(agreement), decimal(kappa)]))));
  } else {
    parts.push(element('p', {}, annotators.length > 1 ? 'No two annotators have confirmed the same sentence yet.'
      : 'Agreement can be measured once there are two annotators. To add one: alinea annotate … --annotator NAME'));
  }
  const kinds = [...new Set(annotators.flatMap(({ types }) => Object.keys(types ?? {})))];
  parts.push(table('Annotators, and the shares of the types of correspondences',
    [['Annotator'], ['Done', true], ['Time a sentence', true], ...kinds.map((kind) => [kind, true])],
    annotators.map(({ name: who, confirmed, seconds, types }) => [
      name(who), String(confirmed), confirmed ? duration(seconds / confirmed) : '–',
      ...kinds.map((kind) => percent(types?.[kind] ?? null)),
    ])));
  const said = '1-1: one word linked to one word. chunk: linked words, two or more on at least one side. null: a word without a link.';
  parts.push(element('p', { class: 'faint' }, said));
  byId('agreement-report').replaceChildren(...parts);
}

const DOINGS = {
  unlinked: 'is left without a link',
  'with-next': 'is linked with the word after it',
  'with-previous': 'is linked with the word before it',
  alone: 'has a link of its own',
};

export async function showLearned(session, say) {
  const { used, pairs, aer_without: without, aer_with: using, habits, changes } = await get('/api/learned');
  const { settings } = session;
  const choice = (setting, text, note) => {
    const box = element('input', { type: 'checkbox' });
    box.checked = settings[setting];
    box.addEventListener('change', async () => {
      try {
        Object.assign(settings, await post('/api/settings', { [setting]: box.checked }));
      } catch (error) {
        say(`The setting was not changed: ${error.message}`, 'bad');
      }
      box.checked = settings[setting];
    });
    return element('label', { class: 'choice' }, box, element('span', {}, text, element('span', { class: 'faint' }, note)));
  };
  const parts = [
    choice('learning', 'Learn from confirmed sentences', ' – suggestions of the other sentences improve'),
    choice('follow', 'Follow the style of the annotators', ' – suggest what they link, where they differ from the general model'),
    element('p', {}, pairs ? `The style was learned from ${counted(pairs, 'confirmed sentence')}. ` : 'Nothing has been learned of the style yet. ',
      pairs ? (used ? 'Suggestions follow it.' : 'Suggestions do not follow it, because they would not be better.') : ''),
  ];
  if (without !== null && using !== null) {
    parts.push(element('p', {}, `Alignment error rate on confirmed sentences that were not learned from: ${percent(without)} without it, ${percent(using)} with it.`));
  }
  if (habits.length) {
    parts.push(table('What annotators do that suggestions without learning did not',
      [['Word'], ['What is done'], ['Times', true], ['Without learning', true]],
      habits.map(({ side, word, doing, times, before, of }) => [
        element('span', {}, name(word), element('span', { class: 'faint' }, side ? ' target' : ' source')), DOINGS[doing], `${times} of ${of}`, String(before)])));
  }
  if (changes.length) {
    const most = Math.max(...changes.map(({ weight }) => Math.abs(weight)));
    const bar = (weight) => {
      const made = element('span', { class: weight < 0 ? 'bar less' : 'bar more' });
      made.style.width = 6 * Math.abs(weight) / most + 'em';
      return element('span', { class: 'bars' }, made);
    };
    parts.push(table('What is linked more or less often than the general model would link it', [['What'], ['Weight', true], ['']],
      changes.map(({ of, weight }) => [name(of), (weight > 0 ? '+' : '−') + Math.abs(weight).toFixed(2),
        element('span', { class: 'with-bar' }, bar(weight), weight > 0 ? 'more often' : 'less often')])));
  }
  byId('learned-report').replaceChildren(...parts);
}

export function showGuideline({ guideline }) {
  byId('guideline-text').textContent = guideline || 'This project has no guideline.';
}

const FORMATS = [
  ['pharaoh', 'Pharaoh: 0-0 1-2, from 0'],
  ['talp', 'TALP: 1-1 2-3, sure and possible, from 1'],
  ['naacl', 'NAACL: a line a link, S or P'],
  ['jsonl', 'JSON lines: words and links'],
  ['who', 'JSON lines: who did what, and when'],
];

export function showExport(session, say) {
  const { you, annotators } = session;
  const everybody = [...annotators.map((each) => [each.name, shownWord(each.name)]), ['adjudication', 'adjudication'], ['all', 'all: adjudicated, otherwise what all agree on']];
  // Others link on their own.
  const who = you.adjudicates || annotators.length === 1 ? everybody : [[you.name, shownWord(you.name)]];
  const [format, by] = [element('select', {}), element('select', {})];
  options(format, FORMATS, 'pharaoh');
  options(by, who, who.at(-1)[0]);
  const start = button('Download', async () => {
    start.disabled = true;
    try {
      say(`Saved as ${await download('/api/export?' + new URLSearchParams({ format: format.value, by: by.value }))}.`);
    } catch (error) {
      say(`The export failed: ${error.message}`, 'bad');
    }
    start.disabled = false;
  }, { class: 'primary' });
  byId('export-choices').replaceChildren(
    element('label', {}, element('span', {}, 'Format'), format), element('label', {}, element('span', {}, 'Links of'), by), start);
}

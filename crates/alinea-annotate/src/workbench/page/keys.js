// All that keys and mouse do: one table, from which keys are dispatched and the help is drawn.

import { byId, element } from './dom.js';
import { VIEWS } from './editor.js';

// What each action does, its keys, and how it is done at the desk (`desk.js`) or with the whole page (`main.js`).
const ACTIONS = [
  ['The sentence', [
    { keys: ['Enter'], does: 'accept the rest and go to the next sentence', run: (desk) => desk.confirm() },
    { keys: ['n', 'PageDown'], does: 'next sentence, without confirming', run: (desk) => desk.step(1) },
    { keys: ['b', 'PageUp'], does: 'previous sentence', run: (desk) => desk.step(-1) },
    { keys: ['e'], does: 'reopen a confirmed sentence', run: (desk) => desk.reopen() },
    { keys: ['u', 'Ctrl+z'], does: 'undo', run: (desk) => desk.travel('undo') },
    { keys: ['r', 'Ctrl+y', 'Ctrl+Shift+z'], does: 'redo', run: (desk) => desk.travel('redo') },
    { keys: ['f'], does: 'flag, or take the flag away', run: (desk) => desk.toggleFlag() },
    { keys: ['c'], does: 'comment (Escape leaves the field)', run: (desk) => desk.focusComment() },
  ]],
  ['Words and links', [
    { keys: ['ArrowLeft', 'ArrowRight'], does: 'another source word; in the matrix, another column', run: (desk, key) => move(desk, key) },
    { keys: ['ArrowUp', 'ArrowDown'], does: 'another target word; in the matrix, another row', run: (desk, key) => move(desk, key) },
    {
      keys: ['Shift+ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowUp', 'Shift+ArrowDown'], shown: ['Shift+arrows'],
      does: 'select several words', run: (desk, key) => move(desk, key.slice('Shift+'.length), true),
    },
    { keys: [' '], does: 'link the words at the cursor, or those selected; links of the chosen kind are removed', run: (desk) => desk.editor.toggleAtCursor() },
    { keys: ['Delete', 'Backspace'], does: 'remove the link at the cursor, or reject the suggestion', run: (desk) => desk.editor.removeAtCursor() },
    {
      keys: ['a'], does: 'accept the suggestions of the source word (in adjudication, what is disputed), and go to the next such word',
      run: (desk) => desk.editor.decideWord('sure'),
    },
    {
      keys: ['x'], does: 'reject the suggestions of the source word (in adjudication, what is disputed), and go to the next such word',
      run: (desk) => desk.editor.decideWord('no-link'),
    },
    { keys: ['0'], does: 'the source word is translated by nothing, or is after all', run: (desk) => desk.editor.toggleUntranslatedAt(0) },
    { keys: ['9'], does: 'the target word is translated by nothing, or is after all', run: (desk) => desk.editor.toggleUntranslatedAt(1) },
    { keys: ['s'], does: 'new links are sure, and so is the one at the cursor', run: (desk) => desk.usePen('sure', true) },
    { keys: ['p'], does: 'new links are possible, and so is the one at the cursor', run: (desk) => desk.usePen('possible', true) },
    { keys: ['Escape'], does: 'select nothing', run: (desk) => desk.editor.clear() },
  ]],
  ['The page', [
    { keys: ['v'], does: 'lines, matrix, or both', run: (desk) => desk.setView(VIEWS[(VIEWS.indexOf(desk.editor.view) + 1) % VIEWS.length]) },
    { keys: ['+', '-'], does: 'larger or smaller cells', run: (desk, key) => desk.editor.zoom(key === '+' ? 1 : -1) },
    { keys: ['/'], does: 'search', run: (desk, key, page) => page.search() },
    { keys: ['g'], does: 'go to a sentence by its number', run: (desk, key, page) => page.goTo() },
    { keys: ['?'], does: 'this help', run: (desk, key, page) => page.help() },
  ]],
];

const MOUSE = [
  ['click a word', 'select it, or not any more; with words of the other side selected, link them all'],
  ['drag over words', 'select them, or link them with those selected'],
  ['drag from a word to one of the other side', 'link them'],
  ['click a line or a cell', 'make it a link, sure or possible as chosen; a link of this kind is removed'],
  ['drag over cells', 'the same for all of them'],
  ['right click on a line or a cell', 'remove the link, or reject the suggestion'],
  ['click beside words', 'select nothing'],
  ['hold a finger, then drag', 'as dragging with the mouse; without holding, the picture is scrolled'],
];

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function move(desk, key, extend = false) {
  desk.editor.move(...ARROWS[key], extend);
}

const byKey = new Map(ACTIONS.flatMap(([, actions]) => actions.flatMap((action) => action.keys.map((key) => [key, action]))));

const PLACES = { Slash: '/', Minus: '-', Equal: '+' };

// The name of a pressed key. Where the keyboard has other letters, such as Greek or Hebrew ones, the place of the key counts.
function nameOf(event) {
  let { key } = event;
  if (key.length === 1 && !/[!-~ ]/.test(key)) {
    key = event.code.startsWith('Key') ? event.code.slice(3) : event.code.startsWith('Digit') ? event.code.slice(5) : PLACES[event.code] ?? key;
  }
  if (/^[a-z]$/i.test(key)) key = key.toLowerCase();
  if (key === '=') key = '+';
  const shift = event.shiftKey && (key.length > 1 || /[a-z]/.test(key));
  return (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + (shift ? 'Shift+' : '') + key;
}

const isField = (node) => node.matches('input:not([type="checkbox"]), textarea, select');

// Dispatches keys to the desk that is shown; `deskOf` is null where there is none.
export function listenToKeys(page, deskOf) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || document.querySelector('dialog[open]')) return;
    const [at, name] = [event.target, nameOf(event)];
    if (isField(at)) {
      if (name === 'Escape') deskOf()?.editor.focus();
      return;
    }
    // Buttons and tables have keys of their own.
    if (['Enter', ' '].includes(name) && at.closest('button, summary, a, input')) return;
    const desk = deskOf();
    const action = byKey.get(name);
    if (!action || (!desk && name !== '?')) return;
    event.preventDefault();
    if (desk && !desk.isReady && !['/', 'g', '?', 'n', 'b'].includes(name)) return;
    action.run(desk, name, page);
  });
}

const KEY_SIGNS = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', PageDown: 'Page ↓', PageUp: 'Page ↑' };
const signOf = (key) => KEY_SIGNS[key] ?? key.replace(/^(Ctrl\+(?:Shift\+)?)([a-z])$/, (_, before, letter) => before + letter.toUpperCase());

export function drawHelp() {
  const list = (title, entries) => element('section', {}, element('h3', {}, title), element('dl', {}, ...entries.flat()));
  const keys = (action) => element('dt', {}, ...(action.shown ?? action.keys).flatMap((key) => [element('kbd', {}, signOf(key)), ' ']));
  byId('help-lists').replaceChildren(
    ...ACTIONS.map(([title, actions]) => list(title, actions.map((action) => [keys(action), element('dd', {}, action.does)]))),
    list('Mouse and touch', MOUSE.map(([gesture, does]) => [element('dt', {}, gesture), element('dd', {}, does)])));
}

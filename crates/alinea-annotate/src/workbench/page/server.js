// Requests to the server. The token is in the address that the command printed: `#token=…`, with `&n=17` for a sentence.

const KEPT = 'alinea-token';
const PATIENCE = 20_000;
const LONGEST_POLL = 40_000;

const fragment = () => new URLSearchParams(location.hash.slice(1));

function token() {
  const given = fragment().get('token');
  try {
    if (given) sessionStorage.setItem(KEPT, given);
    return given ?? sessionStorage.getItem(KEPT) ?? '';
  } catch {
    return given ?? '';
  }
}

// The sentence of the address, from 0; null if there is none.
export function addressed() {
  const number = Number(fragment().get('n'));
  return Number.isInteger(number) && number > 0 ? number - 1 : null;
}

export function keepAddress(n) {
  const parts = fragment();
  parts.set('n', n + 1);
  history.replaceState(null, '', '#' + parts);
}

export class Failure extends Error {
  // The status is 0 if there was no answer.
  constructor(status, message, body = {}) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

async function send(method, path, body, patience) {
  const headers = { Authorization: 'Bearer ' + token() };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(path, { method, headers, body: JSON.stringify(body), cache: 'no-store', signal: AbortSignal.timeout(patience) });
  } catch {
    throw new Failure(0, 'the server does not answer');
  }
  if (response.ok) return response;
  if (response.status === 401) throw new Failure(401, 'This address has no valid token: open the address that the command printed.');
  const said = await response.json().catch(() => ({}));
  throw new Failure(response.status, said.error ?? `the server answers ${response.status}`, said);
}

async function answer(method, path, body, patience = PATIENCE) {
  const response = await send(method, path, body, patience);
  if (response.status === 204) return null;
  try {
    return await response.json();
  } catch {
    throw new Failure(0, 'the answer of the server is not complete');
  }
}

export const get = (path) => answer('GET', path);
export const post = (path, body) => answer('POST', path, body);

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Calls back whenever something has changed, as long as the page lives.
export async function watch(changed) {
  let [version, wait] = [0, 1000];
  for (;;) {
    try {
      const news = await answer('GET', '/api/changes?since=' + version, undefined, LONGEST_POLL);
      if (news.version !== version) changed(news);
      else await pause(200);
      [version, wait] = [news.version, 1000];
    } catch {
      await pause(wait);
      wait = Math.min(2 * wait, 30_000);
    }
  }
}

// Fetches a file and hands it to the browser, under the name that the server gave it.
export async function download(path) {
  const response = await send('GET', path, undefined, LONGEST_POLL);
  const name = response.headers.get('Content-Disposition')?.match(/filename="?([^";]+)/)?.[1] ?? 'alignment.txt';
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return name;
}

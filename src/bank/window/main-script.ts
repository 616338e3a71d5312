/** The page: who may look, which part is shown, and the connection. */
export const mainScript = String.raw`
import { Failure, follow, get, getTenants, hasToken, setTenant, setToken, shownTenant } from './api.js';
import { button, el, put, say } from './dom.js';
import { forget, lastEvent, recall, take } from './store.js';
import { showBehaviour } from './behaviour.js';
import { showCalls } from './calls.js';
import { showAuthorisations, showConsents, showPayments } from './resources.js';
import { showPeople } from './people.js';

const parts = [
  { name: 'calls', title: 'Calls', view: showCalls },
  { name: 'authorisations', title: 'Authorisations', view: showAuthorisations },
  { name: 'payments', title: 'Payments', view: showPayments },
  { name: 'consents', title: 'Consents', view: showConsents },
  { name: 'people', title: 'People', view: showPeople },
  { name: 'behaviour', title: 'Behaviour', view: showBehaviour },
];
const main = document.getElementById('main');
const nav = document.getElementById('nav');
const state = document.getElementById('state');
const tenants = document.getElementById('tenants');

/** The part that is shown, and what ends it; a part that can show another thing of its own has a function for that. */
let shown;
/** @type {(() => void) & { select?: (id?: string) => void }} */
let leave = () => undefined;

/** The token stands in the address only until the page has read it. */
function tokenOfAddress() {
  const found = /^#token=([A-Za-z0-9._~-]+)$/.exec(location.hash)?.[1];
  if (found === undefined) return;
  setToken(found);
  history.replaceState(null, '', location.pathname + '#/calls');
}

/** An address may be typed by hand. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function show(first) {
  const [name = '', id] = location.hash.replace(/^#\/?/, '').split('/').map(decoded);
  const part = parts.find((one) => one.name === name) ?? parts[0];
  put(document.getElementById('said'));
  if (part === shown && leave.select !== undefined) {
    leave.select(id);
    return;
  }
  shown = part;
  leave();
  document.title = part.title + ' - obk test bank';
  for (const link of nav.children) {
    if (link.getAttribute('href') === '#/' + part.name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  leave = part.view(main, id);
  if (!first && id === undefined) main.focus();
}

function askForToken(why) {
  leave();
  leave = () => undefined;
  shown = undefined;
  nav.hidden = true;
  tenants.hidden = true;
  tellState('Closed', '');
  const field = el('input', { id: 'token', type: 'password', autocomplete: 'off' });
  const open = () => {
    setToken(field.value.trim());
    begin();
  };
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') open();
  });
  put(main, el('h1', undefined, 'The window of the bank'), el('div', { class: 'card narrow' },
    el('p', undefined, why),
    el('p', { class: 'quiet' }, 'It stands in the link that obk sandbox start prints, and in the file that it names.'),
    el('label', undefined, 'Token', field), el('div', { class: 'row' }, button('Open the window', open))));
  field.focus();
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when somebody looks at the page: a browser has few connections for all its tabs of one bank. */
const looked = () => new Promise((resolve) => {
  const look = () => {
    if (document.hidden) return;
    document.removeEventListener('visibilitychange', look);
    resolve();
  };
  document.addEventListener('visibilitychange', look);
  look();
});

function tellState(text, kind) {
  state.textContent = text;
  state.className = kind;
}

/** Ends the connection, so that another one follows what is shown now. */
let reconnect = () => undefined;

/** Takes events in; a bank that went back to a snapshot has calls of before, of which no event tells. */
async function told(events) {
  take(events);
  if (!events.some(({ kind }) => kind === 'reset')) return;
  const tenant = shownTenant();
  const { calls } = await get('calls?limit=500');
  if (tenant === shownTenant()) recall(calls);
}

/** Follows the bank; what happened while it was not reached, or not looked at, is told afterwards. */
async function stayConnected() {
  for (;;) {
    await looked();
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    reconnect = () => hidden.abort();
    document.addEventListener('visibilitychange', hide);
    try {
      await follow(lastEvent(), () => tellState('Live', 'live'), (events) => void told(events), hidden.signal);
    } catch (error) {
      if (error instanceof Failure && error.status === 401) {
        askAgain();
        return;
      }
    } finally {
      document.removeEventListener('visibilitychange', hide);
    }
    if (hidden.signal.aborted) continue;
    tellState('The bank does not answer; trying again', '');
    await pause(1000);
  }
}

function askAgain() {
  setToken('');
  askForToken('The token is not that of this bank; a bank that is started again has another one.');
}

function showTenant(name) {
  setTenant(name);
  forget();
  // Numbers of calls are those of each tenant: nothing that was shown stays.
  leave();
  leave = () => undefined;
  shown = undefined;
  history.replaceState(null, '', location.pathname + '#/' + location.hash.replace(/^#\/?/, '').split('/')[0]);
  show(true);
  reconnect();
}

const options = (names) => names.map((name) =>
  el('option', { value: name, selected: name === shownTenant() }, name));

/** Lets one of the tenants be chosen; those who come later are there when it is opened. */
function offer(names) {
  const choice = el('select', { id: 'tenant' }, options(names));
  choice.addEventListener('change', () => showTenant(choice.value));
  choice.addEventListener('focus', async () => {
    const { tenants: known } = await getTenants();
    if (known.length !== choice.options.length) put(choice, options(known.map(({ name }) => name)));
  });
  put(tenants, el('label', undefined, 'Tenant', choice));
  tenants.hidden = false;
}

/** Whether something can be shown: of a bank with tenants it is what one of them has. */
async function hasLedger() {
  const told = await getTenants().catch((error) => error);
  if (told instanceof Failure && told.status === 401) {
    askAgain();
    return false;
  }
  // A bank that does not answer is waited for below.
  if (told instanceof Failure) return true;
  const names = told.tenants.map(({ name }) => name);
  if (told.by === null) setTenant('');
  else if (!names.includes(shownTenant())) setTenant(names[0] ?? '');
  if (told.by === null) return true;
  if (names.length > 0) {
    offer(names);
    return true;
  }
  nav.hidden = true;
  tellState('No tenant', '');
  put(main, el('h1', undefined, 'The window of the bank'), el('div', { class: 'card narrow' },
    el('p', undefined, 'This bank has a ledger for each tenant, and no tenant has called yet.'),
    el('div', { class: 'row' }, button('Look again', begin))));
  return false;
}

async function begin() {
  if (!hasToken()) {
    askForToken('The window opens with the token of the bank.');
    return;
  }
  nav.hidden = false;
  forget();
  put(nav, parts.map(({ name, title }) => el('a', { href: '#/' + name }, title)));
  if (!(await hasLedger())) return;
  show(true);
  void stayConnected();
}

addEventListener('hashchange', () => {
  if (/^#token=/.test(location.hash)) location.reload();
  else if (hasToken() && !nav.hidden) show(false);
});
addEventListener('unhandledrejection', (event) => say(String(event.reason?.message ?? event.reason)));
tokenOfAddress();
void begin();
`;

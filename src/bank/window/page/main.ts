// The page: who may look, which part is shown, and the connection.
import { ask, Failure, follow, getTenants, hasToken, setTenant, setToken, shownTenant } from './api.ts';
import type { AnswerAt, BankEvent } from './api.ts';
import { showAuthorisations } from './authorisations.ts';
import { showBehaviour } from './behaviour-tab.ts';
import { showCalls } from './calls.ts';
import type { Leave } from './calls.ts';
import { showConsents } from './consents.ts';
import { button, el, messageOf, ofPage, put, say, sideBySide } from './dom.ts';
import { showPayments } from './payments.ts';
import { showPeople } from './people.ts';
import { forget, lastEvent, recall, take } from './store.ts';

/** A part of the page; `view` shows it, or one thing of it, and returns what ends it. */
interface Part {
  name: string;
  title: string;
  view: (main: HTMLElement, id?: string) => Leave;
}
const firstPart: Part = { name: 'calls', title: 'Calls', view: showCalls };
const allParts: readonly Part[] = [
  firstPart,
  { name: 'authorisations', title: 'Authorisations', view: showAuthorisations },
  { name: 'payments', title: 'Payments', view: showPayments },
  { name: 'consents', title: 'Consents', view: showConsents },
  { name: 'people', title: 'People', view: showPeople },
  { name: 'behaviour', title: 'Behaviour', view: showBehaviour },
];
const main = ofPage('main');
const nav = ofPage('nav');
const state = ofPage('state');
const tenants = ofPage('tenants');

/** The part that is shown, and what ends it. */
let shown: Part | undefined;
let leave: Leave = () => undefined;

function leavePart(): void {
  leave();
  leave = () => undefined;
  shown = undefined;
}

/** The token stands in the address only until the page has read it. */
function takeTokenOfAddress(): void {
  const found = /^#token=([A-Za-z0-9._~-]+)$/.exec(location.hash)?.[1];
  if (found === undefined) return;
  setToken(found);
  history.replaceState(null, '', `${location.pathname}#/calls`);
}

/** An address may be typed by hand. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const wordsOfAddress = () => location.hash.replace(/^#\/?/, '').split('/');

function show(isFirst: boolean): void {
  const [name, id] = wordsOfAddress().map(decoded);
  const part = allParts.find((one) => one.name === name) ?? firstPart;
  put(ofPage('said'));
  if (part === shown && leave.select !== undefined) {
    leave.select(id);
    return;
  }
  leavePart();
  shown = part;
  document.title = `${part.title} - obk test bank`;
  for (const link of nav.children) {
    if (link.getAttribute('href') === `#/${part.name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  leave = part.view(main, id);
  if (!isFirst && id === undefined) main.focus();
}

/** Shows a card instead of a part of the bank. */
function showCard(...content: Parameters<typeof el>[2][]): void {
  put(main, el('h1', 'The window of the bank'), el('div', { class: 'card narrow' }, content));
}

function askForToken(why: string): void {
  leavePart();
  nav.hidden = true;
  tenants.hidden = true;
  tellState('Closed', '');
  const field = el('input', { id: 'token', type: 'password', autocomplete: 'off' });
  const open = () => {
    setToken(field.value.trim());
    void begin();
  };
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') open();
  });
  showCard(
    el('p', why),
    el(
      'p',
      { class: 'quiet' },
      'It stands in the link that obk sandbox start prints, and in the file that it names.',
    ),
    el('label', 'Token', field),
    sideBySide(button('Open the window', open)),
  );
  field.focus();
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when somebody looks at the page: a browser has few connections for all its tabs of one bank. */
const looked = () =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });

function tellState(text: string, kind: string): void {
  state.textContent = text;
  state.className = kind;
}

/** Ends the connection, so that another one follows what is shown now. */
let reconnect: () => void = () => undefined;

/** Takes events in; a bank that went back to a snapshot has earlier calls, which no event reports. */
async function happened(events: readonly BankEvent[]): Promise<void> {
  take(events);
  if (!events.some(({ kind }) => kind === 'reset')) return;
  const tenant = shownTenant();
  const { calls } = await ask('GET /calls', { query: { limit: '500' } });
  if (tenant === shownTenant()) recall(calls);
}

/** Follows the bank; events from while the bank was out of reach, or the page out of sight, come afterwards. */
async function stayConnected(): Promise<void> {
  for (;;) {
    await looked();
    const hidden = new AbortController();
    const hide = () => {
      if (document.hidden) hidden.abort();
    };
    reconnect = () => {
      hidden.abort();
    };
    document.addEventListener('visibilitychange', hide);
    const follower = {
      opened: () => {
        tellState('Live', 'live');
      },
      happened: (events: readonly BankEvent[]) => void happened(events),
    };
    try {
      await follow(lastEvent(), follower, hidden.signal);
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

function askAgain(): void {
  setToken('');
  askForToken('The token is not that of this bank; a bank that is started again has another one.');
}

function showTenant(name: string): void {
  setTenant(name);
  forget();
  // Each tenant counts its calls by itself: nothing that was shown stays.
  leavePart();
  history.replaceState(null, '', `${location.pathname}#/${wordsOfAddress()[0] ?? ''}`);
  show(true);
  reconnect();
}

const options = (names: readonly string[]) =>
  names.map((name) => el('option', { value: name, selected: name === shownTenant() }, name));

/** Lets one of the tenants be chosen; those who come later are there when it is opened. */
function offer(names: readonly string[]): void {
  const choice = el('select', { id: 'tenant' }, options(names));
  const update = async () => {
    const { tenants: known } = await getTenants();
    if (known.length !== choice.options.length) put(choice, options(known.map(({ name }) => name)));
  };
  choice.addEventListener('change', () => {
    showTenant(choice.value);
  });
  choice.addEventListener('focus', () => void update());
  put(tenants, el('label', 'Tenant', choice));
  tenants.hidden = false;
}

/** Whether something can be shown: of a bank with tenants it is what one of them has. */
async function hasLedger(): Promise<boolean> {
  let known: AnswerAt<'GET /tenants'>;
  try {
    known = await getTenants();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A bank that does not answer is waited for later.
    if (error.status !== 401) return true;
    askAgain();
    return false;
  }
  const names = known.tenants.map(({ name }) => name);
  if (known.by === null) setTenant('');
  else if (!names.includes(shownTenant())) setTenant(names[0] ?? '');
  if (known.by === null) return true;
  if (names.length > 0) {
    offer(names);
    return true;
  }
  nav.hidden = true;
  tellState('No tenant', '');
  showCard(
    el('p', 'This bank has a ledger for each tenant, and no tenant has called yet.'),
    sideBySide(button('Look again', begin)),
  );
  return false;
}

async function begin(): Promise<void> {
  if (!hasToken()) {
    askForToken('The window opens with the token of the bank.');
    return;
  }
  nav.hidden = false;
  forget();
  put(
    nav,
    allParts.map(({ name, title }) => el('a', { href: `#/${name}` }, title)),
  );
  if (!(await hasLedger())) return;
  show(true);
  void stayConnected();
}

addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) location.reload();
  else if (hasToken() && !nav.hidden) show(false);
});
addEventListener('unhandledrejection', ({ reason }) => {
  say(messageOf(reason));
});
takeTokenOfAddress();
void begin();

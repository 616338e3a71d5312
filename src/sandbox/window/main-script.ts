/** The page: who may look, which part is shown, and the connection. */
export const mainScript = String.raw`
import { Failure, follow, hasToken, setToken } from './api.js';
import { button, el, put, say } from './dom.js';
import { forget, take } from './store.js';
import { showBehaviour } from './behaviour.js';
import { showCalls } from './calls.js';
import { showAuthorisations, showConsents, showPayments } from './resources.js';
import { showPeople } from './people.js';

const parts = [
  ['calls', 'Calls', showCalls],
  ['authorisations', 'Authorisations', showAuthorisations],
  ['payments', 'Payments', showPayments],
  ['consents', 'Consents', showConsents],
  ['people', 'People', showPeople],
  ['behaviour', 'Behaviour', showBehaviour],
];
const main = document.getElementById('main');
const nav = document.getElementById('nav');
const state = document.getElementById('state');

let leave = () => undefined;

/** The token stands in the address only until the page has read it. */
function tokenOfAddress() {
  const found = /^#token=([A-Za-z0-9._~-]+)$/.exec(location.hash)?.[1];
  if (found === undefined) return;
  setToken(found);
  history.replaceState(null, '', location.pathname + '#/calls');
}

function show(first) {
  const [name = '', id] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  const part = parts.find(([key]) => key === name) ?? parts[0];
  leave();
  document.title = part[1] + ' - obk test bank';
  for (const link of nav.children) {
    if (link.getAttribute('href') === '#/' + part[0]) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  leave = part[2](main, id);
  if (!first && id === undefined) main.focus();
}

function askForToken(why) {
  leave();
  leave = () => undefined;
  nav.hidden = true;
  state.textContent = 'Closed';
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

/** Follows the bank; one that comes back may have another past, so all begins anew with it. */
async function stayConnected() {
  for (;;) {
    try {
      await follow(() => {
        forget();
        take([{ id: 0, kind: 'reset', data: {} }]);
        state.textContent = 'Live';
        state.className = 'live';
      }, take);
    } catch (error) {
      if (error instanceof Failure && error.status === 401) {
        setToken('');
        askForToken('This bank has another token.');
        return;
      }
    }
    state.textContent = 'The bank does not answer; trying again';
    state.className = '';
    await pause(1000);
  }
}

function begin() {
  if (!hasToken()) {
    askForToken('The window opens with the token of the bank.');
    return;
  }
  nav.hidden = false;
  put(nav, parts.map(([name, title]) => el('a', { href: '#/' + name }, title)));
  show(true);
  void stayConnected();
}

addEventListener('hashchange', () => {
  if (/^#token=/.test(location.hash)) location.reload();
  else if (hasToken()) show(false);
});
addEventListener('unhandledrejection', (event) => say(String(event.reason?.message ?? event.reason)));
tokenOfAddress();
begin();
`;

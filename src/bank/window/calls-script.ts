/** The list of calls: the newest first, growing while one looks. */
export const callsScript = String.raw`
import { badge, clockTime, el, empty, put } from './dom.js';
import { calls, onChange } from './store.js';
import { showCall } from './call.js';

const kinds = { accepted: 'good', refused: 'bad', limited: 'warn', fault: 'warn' };

export const verdictBadge = (call) =>
  badge((call.status ?? 'cut') + ' ' + (call.code ?? call.verdict), kinds[call.verdict] ?? 'plain');

const row = (call) => el('li', { 'data-number': call.number },
  el('a', { href: '#/calls/' + call.number, id: 'call-' + call.number },
    el('span', { class: 'number' }, call.number),
    el('span', { class: 'time' }, clockTime(call.at)),
    el('span', { class: 'what' }, el('strong', undefined, call.method), ' ', call.path),
    call.findings?.length > 0
      && badge(call.findings.length + (call.findings.length === 1 ? ' finding' : ' findings'), 'warn'),
    verdictBadge(call),
    call.rule && el('span', { class: 'why' }, call.rule)));

/** A list of calls that stands on another page. */
export const callList = (list) =>
  list.length === 0 ? empty('No call of it is kept any more.') : el('ol', { class: 'calls' }, list.map(row));

function matches(call, words, only) {
  if (only === 'trouble' && call.verdict === 'accepted' && !(call.findings?.length > 0)) return false;
  const text = [call.number, call.method, call.path, call.operation, call.status, call.code, call.requestId, call.tpp, call.rule]
    .join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Shows the list, and beside it (or, where there is little room, instead of it) one call. */
export function showCalls(main, number) {
  const list = el('ol', { class: 'calls', id: 'calls' });
  const count = el('p', { class: 'quiet', id: 'count' });
  const words = el('input', { id: 'words', type: 'search', autocomplete: 'off', on: { input: () => filter() } });
  const only = el('select', { id: 'only', on: { change: () => filter() } },
    el('option', { value: 'all' }, 'All calls'), el('option', { value: 'trouble' }, 'What went wrong'));
  const detail = el('section', { id: 'call', 'aria-label': 'The call' });
  const panes = el('div', undefined,
    el('section', { id: 'list', 'aria-label': 'Calls, the newest first' },
      el('div', { class: 'row' },
        el('label', undefined, 'Words in path, status or id', words),
        el('label', undefined, 'Show', only)),
      count, list),
    detail);
  put(main, el('h1', undefined, 'Calls'), panes);

  const wanted = (call) => matches(call, words.value.toLowerCase().split(/\s+/).filter(Boolean), only.value);
  function tell() {
    const shown = list.childElementCount;
    count.textContent = calls.size === 0
      ? 'No TPP has called yet. Each call appears here as it comes.'
      : shown === calls.size ? shown + ' calls' : shown + ' of ' + calls.size + ' calls';
  }
  function filter() {
    put(list, [...calls.values()].filter(wanted).reverse().map(row));
    mark();
    tell();
  }
  function mark() {
    for (const link of list.querySelectorAll('a[aria-current]')) link.removeAttribute('aria-current');
    if (number !== undefined) document.getElementById('call-' + number)?.setAttribute('aria-current', 'true');
  }
  /** Puts the new ones on top and takes those away that are kept no more: the rest stays as it is, with its focus. */
  function grow() {
    const newest = Number(list.firstElementChild?.getAttribute('data-number') ?? 0);
    const known = [...calls.keys()];
    if (known.length === 0 || known.at(-1) < newest) return filter();
    for (const call of calls.values()) if (call.number > newest && wanted(call)) list.prepend(row(call));
    const oldest = known[0];
    while (Number(list.lastElementChild?.getAttribute('data-number') ?? oldest) < oldest) list.lastElementChild.remove();
    tell();
  }
  function select(other) {
    const before = number;
    number = other;
    panes.className = number === undefined ? 'panes' : 'panes detail';
    detail.hidden = number === undefined;
    mark();
    if (number !== undefined) void showCall(detail, number);
    else if (before !== undefined) document.getElementById('call-' + before)?.focus();
  }
  filter();
  select(number);
  const end = onChange((seen) => {
    if (seen.has('reset')) filter();
    else if (seen.has('call')) grow();
  });
  return Object.assign(end, { select });
}
`;

// The list of calls: the newest first, growing while one looks.
import type { Call } from './api.ts';
import { showCall } from './call.ts';
import { badge, clockTime, el, empty, put, searchField, sideBySide, wordsIn } from './dom.ts';
import { calls, onChange } from './store.ts';

const kinds = { accepted: 'good', refused: 'bad', limited: 'warn', fault: 'warn' };

const row = (call: Call) =>
  el(
    'li',
    { 'data-number': call.number },
    el(
      'a',
      { href: `#/calls/${call.number}`, id: `call-${call.number}` },
      el('span', { class: 'number' }, call.number),
      el('span', { class: 'time' }, clockTime(call.at)),
      el('span', { class: 'what' }, el('strong', call.method), ' ', call.path),
      call.findings.length > 0 &&
        badge(`${call.findings.length}${call.findings.length === 1 ? ' finding' : ' findings'}`, 'warn'),
      badge(`${call.status ?? 'cut'} ${call.code ?? call.verdict}`, kinds[call.verdict]),
      call.rule !== null && el('span', { class: 'why' }, call.rule),
    ),
  );

/** A list of calls that stands on another page. */
export const callList = (list: readonly Call[]) =>
  list.length === 0 ? empty('No call of it is kept any more.') : el('ol', { class: 'calls' }, list.map(row));

function matches(call: Call, words: readonly string[], isTroubleOnly: boolean): boolean {
  if (isTroubleOnly && call.verdict === 'accepted' && call.findings.length === 0) return false;
  const { number, method, path, operation, status, code, requestId, tpp, rule } = call;
  const text = [number, method, path, operation, status, code, requestId, tpp, rule].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** What ends a part of the page; a part that can show another thing of its own has `select`. */
export type Leave = (() => void) & { select?: (id?: string) => void };

/** Shows the list, and beside it (or, where there is little room, instead of it) one call. */
export function showCalls(main: Element, number?: string): Leave {
  const { grow, mark, refill, ...list } = listOfCalls();
  const detail = el('section', { id: 'call', 'aria-label': 'The call' });
  const panes = el('div', list.section, detail);
  put(main, el('h1', 'Calls'), panes);
  let selected = number;
  const select = (other?: string) => {
    const before = selected;
    selected = other;
    panes.className = other === undefined ? 'panes' : 'panes detail';
    detail.hidden = other === undefined;
    mark(other);
    if (other !== undefined) void showCall(detail, other);
    else if (before !== undefined) document.getElementById(`call-${before}`)?.focus();
  };
  refill();
  select(number);
  const end = onChange((seen) => {
    if (seen.has('reset')) refill();
    else if (seen.has('call')) grow();
  });
  return Object.assign(end, { select });
}

/** The list with its fields: `refill` makes it anew, `grow` adds the new calls, `mark` shows which call is selected. */
function listOfCalls() {
  let selected: string | undefined;
  const list = el('ol', { class: 'calls', id: 'calls' });
  const count = el('p', { class: 'quiet', id: 'count' });
  const words = searchField('words');
  const only = el(
    'select',
    { id: 'only' },
    el('option', { value: 'all' }, 'All calls'),
    el('option', { value: 'trouble' }, 'What went wrong'),
  );
  const isWanted = (call: Call) => matches(call, wordsIn(words), only.value === 'trouble');
  const tell = () => {
    count.textContent = countText(list.childElementCount);
  };
  const mark = (number: string | undefined) => {
    selected = number;
    for (const link of list.querySelectorAll('a[aria-current]')) link.removeAttribute('aria-current');
    if (number !== undefined) document.getElementById(`call-${number}`)?.setAttribute('aria-current', 'true');
  };
  const refill = () => {
    put(list, [...calls.values()].filter(isWanted).reverse().map(row));
    mark(selected);
    tell();
  };
  /** Puts the new ones on top and takes away those that are no longer kept: the rest stays as it is, with its focus. */
  const grow = () => {
    const newest = numberOf(list.firstElementChild) ?? 0;
    const known = [...calls.keys()];
    const oldest = known[0];
    if (oldest === undefined || (known.at(-1) ?? 0) < newest) {
      refill();
      return;
    }
    for (const call of calls.values()) if (call.number > newest && isWanted(call)) list.prepend(row(call));
    while ((numberOf(list.lastElementChild) ?? oldest) < oldest) list.lastElementChild?.remove();
    tell();
  };
  words.addEventListener('input', refill);
  only.addEventListener('change', refill);
  const section = el(
    'section',
    { id: 'list', 'aria-label': 'Calls, the newest first' },
    sideBySide(el('label', 'Words in path, status or id', words), el('label', 'Show', only)),
    count,
    list,
  );
  return { section, grow, mark, refill };
}

function numberOf(element: Element | null): number | undefined {
  const text = element?.getAttribute('data-number');
  return text === null || text === undefined ? undefined : Number(text);
}

function countText(shown: number): string {
  if (calls.size === 0) return 'No TPP has called yet. Each call appears here as it comes.';
  return shown === calls.size ? `${shown} calls` : `${shown} of ${calls.size} calls`;
}

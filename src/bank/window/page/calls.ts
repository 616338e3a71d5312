import type { Call, AnswerAt } from './api.ts';
import {
  badge,
  clockTime,
  el,
  empty,
  put,
  searchField,
  sideBySide,
  wordsIn,
  box,
  dayTime,
  facts,
  headings,
  messageOf,
} from './dom.ts';
import { calls, onChange } from './store.ts';
import { ask } from './api.ts';
import type { Child } from './dom.ts';

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

type CallInFull = AnswerAt<'GET /calls/{number}'>;
type Message = CallInFull['request'];

const header = (message: Message, name: string) =>
  message.headers.find((one) => one.name.toLowerCase() === name)?.value;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of bytes that come as one character each: UTF-8, such as the name of a PSU, or else ISO 8859-1. */
function readable(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes) || /[^\0-\xff]/.test(bytes)) return bytes;
  try {
    return utf8.decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
  } catch {
    return bytes;
  }
}

const verdicts = {
  accepted: 'The bank accepted it',
  refused: 'The bank refused it',
  limited: 'The bank takes no more calls of this TPP for now',
  fault: 'A fault that was set here struck it',
};

const title = (text: string) => el('h2', { tabindex: '-1', id: 'call-title' }, text);

/** Shows a call, unless another one was asked for in the meantime. */
async function showCall(place: HTMLElement, number: string): Promise<void> {
  put(place, empty(`Loading call ${number}`));
  place.dataset['number'] = number;
  const isWanted = () => place.dataset['number'] === number;
  try {
    const call = await ask('GET /calls/{number}', { path: { number } });
    if (!isWanted()) return;
    put(place, inFull(call));
    document.getElementById('call-title')?.focus({ preventScroll: false });
  } catch (error) {
    if (isWanted()) put(place, title(`Call ${number}`), el('p', messageOf(error)));
  }
}

const inFull = (call: CallInFull): Child => [
  el('p', { class: 'back' }, el('a', { href: '#/calls' }, 'All calls')),
  title(`Call ${call.number}: ${call.method} ${call.path}`),
  judged(call),
  findings(call),
  facts([
    ['Operation', call.operation ?? 'none of the interface'],
    ['Came at', dayTime(call.at)],
    ['Took', call.ms === null ? undefined : `${call.ms} ms`],
    ['TPP', call.tpp ?? 'not known'],
    ['X-Request-ID', call.requestId],
    ['Query', call.query],
  ]),
  signature(call),
  message('Request', call.request),
  call.response === null
    ? el('section', el('h3', 'Answer'), empty('None was sent.'))
    : message('Answer', call.response),
];

const judged = ({ verdict, status, code, rule }: CallInFull) =>
  el(
    'div',
    { class: `verdict ${verdict === 'accepted' ? 'good' : 'bad'}`, id: 'verdict' },
    el(
      'p',
      el('strong', verdicts[verdict]),
      status === null ? ', without an answer' : `: ${status}`,
      code !== null && ` ${code}`,
    ),
    rule !== null && el('p', rule),
  );

/** The findings of the referee in words; of an accepted call as well. */
const findings = ({ findings: found }: CallInFull) =>
  el(
    'section',
    { id: 'findings' },
    el('h3', 'Findings of the referee'),
    found.length === 0 && empty('None: the call is as the interface has it.'),
    el('ul', { class: 'findings' }, found.map(finding)),
  );

const finding = (one: CallInFull['findings'][number]) =>
  el(
    'li',
    el('p', badge(one.severity, one.severity === 'error' ? 'bad' : 'warn'), ' ', el('strong', one.what)),
    el('p', one.why),
    el('p', { class: 'quiet' }, `${one.place} ${one.pointer} - ${one.rule} - ${one.source}`),
  );

const parametersOf = (signature = ''): Partial<Record<string, string>> =>
  Object.fromEntries(
    [...signature.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

/** What was signed beside what should have been. */
function signature(call: CallInFull) {
  const sent = header(call.request, 'signature');
  const digest = header(call.request, 'digest');
  const { keyId, algorithm, headers } = parametersOf(sent);
  if (sent === undefined && digest === undefined)
    return el('section', el('h3', 'Signature'), empty('The request has none: neither Digest nor Signature.'));
  return el(
    'section',
    { id: 'signature' },
    el('h3', 'Signature'),
    mistakes(call, digest),
    facts([
      ['Digest as sent', digest ?? 'none'],
      ['Digest of the body', call.digest],
      ['keyId', keyId],
      ['algorithm', algorithm],
      ['Signed headers, in this order', headers],
    ]),
    expected(call.signingString),
  );
}

const mistakes = (call: CallInFull, digest: string | undefined): Child => [
  call.digest !== null &&
    digest !== undefined &&
    digest !== call.digest &&
    el('p', { class: 'verdict bad' }, 'The Digest is not that of the body which the bank received.'),
  call.findings.some(({ rule }) => rule === 'signature-wrong') &&
    el(
      'p',
      { class: 'verdict bad' },
      'The signature was made of other bytes than the signing string below, or with a key that is not that of ' +
        'TPP-Signature-Certificate. Compare the bytes first: names in lower case, a colon and one blank, values as they ' +
        'were sent, the headers in the order of the list.',
    ),
];

const expected = (signingString: string | null): Child =>
  signingString === null
    ? empty('The bank kept no signing string of it.')
    : [
        el('h4', 'Signing string that the bank expects'),
        el(
          'p',
          { class: 'quiet' },
          'These bytes are to be signed, with one line feed between the lines and none at the end.',
        ),
        box(signingString.split('\n').map(readable).join('\n'), 'Signing string'),
      ];

const message = (name: string, { headers, body, encoding, bodyBytes, isCut }: Message) =>
  el(
    'section',
    el('h3', name),
    el(
      'table',
      el('caption', `${name}: headers`),
      headings(['Header', 'Value']),
      el(
        'tbody',
        headers.map((one) => el('tr', el('th', { scope: 'row' }, one.name), el('td', readable(one.value)))),
      ),
    ),
    bodyBytes === 0
      ? empty(`${name} without a body`)
      : [
          el('h4', `${name}: body, ${bodyBytes} bytes${encoding === 'base64' ? ', in base64' : ''}`),
          isCut && el('p', { class: 'quiet' }, 'Its beginning; the bank keeps no more.'),
          box(body, `${name}: body`),
        ],
  );

// One call with all that the bank kept of it, and what is wrong with it in words.
import { ask } from './api.ts';
import type { AnswerAt } from './api.ts';
import { badge, box, dayTime, el, empty, facts, headings, messageOf, put } from './dom.ts';
import type { Child } from './dom.ts';

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
export async function showCall(place: HTMLElement, number: string): Promise<void> {
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

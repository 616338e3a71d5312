/** One call with all that the bank kept of it, and what is wrong with it in words. */
export const callScript = String.raw`
import { get } from './api.js';
import { badge, box, dayTime, el, empty, facts, put } from './dom.js';

const header = (message, name) => message.headers.find((one) => one.name.toLowerCase() === name)?.value;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes, a character for each, as the text that they are: UTF-8, such as the name of a PSU, and ISO 8859-1 where they are none. */
function readable(bytes) {
  if (!/[\x80-\xff]/.test(bytes) || /[^\x00-\xff]/.test(bytes)) return bytes;
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

export async function showCall(place, number) {
  put(place, empty('Loading call ' + number));
  place.dataset.number = String(number);
  // Another call may be wanted by the time the answer is there.
  const isWanted = () => place.dataset.number === String(number);
  let call;
  try {
    call = await get('calls/' + number);
  } catch (error) {
    if (isWanted()) put(place, el('h2', { tabindex: '-1', id: 'call-title' }, 'Call ' + number), el('p', undefined, error.message));
    return;
  }
  if (!isWanted()) return;
  put(place,
    el('p', { class: 'back' }, el('a', { href: '#/calls' }, 'All calls')),
    el('h2', { tabindex: '-1', id: 'call-title' }, 'Call ' + call.number + ': ' + call.method + ' ' + call.path),
    judged(call),
    findings(call),
    facts([
      ['Operation', call.operation ?? 'none of the interface'],
      ['Came at', dayTime(call.at)],
      ['Took', call.ms === null ? undefined : call.ms + ' ms'],
      ['TPP', call.tpp ?? 'not known'],
      ['X-Request-ID', call.requestId],
      ['Query', call.query],
    ]),
    signature(call),
    message('Request', call.request),
    call.response === null ? el('section', undefined, el('h3', undefined, 'Answer'), empty('None was sent.'))
      : message('Answer', call.response));
  document.getElementById('call-title')?.focus({ preventScroll: false });
}

const judged = (call) => el('div', { class: 'verdict ' + (call.verdict === 'accepted' ? 'good' : 'bad'), id: 'verdict' },
  el('p', undefined, el('strong', undefined, verdicts[call.verdict] ?? call.verdict),
    call.status === null ? ', without an answer' : ': ' + call.status, call.code && ' ' + call.code),
  call.rule && el('p', undefined, call.rule));

/** What the referee found, in words; of an accepted call as well. */
function findings({ findings: found, notTested }) {
  if (found === undefined) return undefined;
  return el('section', { id: 'findings' },
    el('h3', undefined, 'Findings of the referee'),
    found.length === 0 && empty('None: the call is as the interface has it.'),
    el('ul', { class: 'findings' }, found.map((one) => el('li', undefined,
      el('p', undefined, badge(one.severity, one.severity === 'error' ? 'bad' : 'warn'), ' ',
        el('strong', undefined, one.what)),
      el('p', undefined, one.why),
      el('p', { class: 'quiet' }, one.place + ' ' + one.pointer + ' - ' + one.rule + ' - ' + one.source)))),
    notTested?.length > 0 && el('p', { class: 'quiet' }, 'Not tested: ' + notTested.join('; ') + '.'));
}

function parametersOf(signature) {
  return Object.fromEntries([...(signature ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

/** What was signed beside what should have been. */
function signature(call) {
  const sent = header(call.request, 'signature');
  const digest = header(call.request, 'digest');
  const { keyId, algorithm, headers } = parametersOf(sent);
  if (sent === undefined && digest === undefined)
    return el('section', undefined, el('h3', undefined, 'Signature'),
      empty('The request has none: neither Digest nor Signature.'));
  const other = call.digest !== null && digest !== undefined && digest !== call.digest;
  return el('section', { id: 'signature' }, el('h3', undefined, 'Signature'),
    other && el('p', { class: 'verdict bad' }, 'The Digest is not that of the body which the bank received.'),
    call.findings?.some(({ rule }) => rule === 'signature-wrong') && el('p', { class: 'verdict bad' },
      'The signature was made of other bytes than the signing string below, or with a key that is not that of '
      + 'TPP-Signature-Certificate. Compare the bytes first: names in lower case, a colon and one blank, values as they '
      + 'were sent, the headers in the order of the list.'),
    facts([
      ['Digest as sent', digest ?? 'none'],
      ['Digest of the body', call.digest],
      ['keyId', keyId],
      ['algorithm', algorithm],
      ['Signed headers, in this order', headers],
    ]),
    call.signingString === null ? empty('The bank kept no signing string of it.') : [
      el('h4', undefined, 'Signing string that the bank expects'),
      el('p', { class: 'quiet' }, 'These bytes are to be signed, with one line feed between the lines and none at the end.'),
      box(call.signingString.split('\n').map(readable).join('\n'), 'Signing string'),
    ]);
}

const message = (name, { headers, body, encoding, bodyBytes, isCut }) => el('section', undefined,
  el('h3', undefined, name),
  el('table', undefined,
    el('caption', undefined, name + ': headers'),
    el('thead', undefined, el('tr', undefined, el('th', { scope: 'col' }, 'Header'), el('th', { scope: 'col' }, 'Value'))),
    el('tbody', undefined, headers.map((one) =>
      el('tr', undefined, el('th', { scope: 'row' }, one.name), el('td', undefined, readable(one.value)))))),
  bodyBytes === 0 ? empty(name + ' without a body') : [
    el('h4', undefined, name + ': body, ' + bodyBytes + ' bytes' + (encoding === 'base64' ? ', in base64' : '')),
    isCut && el('p', { class: 'quiet' }, 'Its beginning; the bank keeps no more.'),
    box(body, name + ': body'),
  ]);
`;

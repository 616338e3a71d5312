import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { wire } from '../helpers/raw-server.ts';
import type { Surprise } from './plain-bank.ts';

type Body = Record<string, unknown>;
const json = 'Content-Type: application/json';

/** The usual answer as its parts. */
function parts(usual: Buffer): { status: string; body: Body; text: string } {
  const [head = '', text = ''] = usual.toString().split('\r\n\r\n', 2);
  const status = head.split('\r\n', 1)[0]?.slice('HTTP/1.1 '.length) ?? '';
  return { status, body: text === '' ? {} : (JSON.parse(text) as Body), text };
}

/** The usual answer with another body. */
const body = (change: (usual: Body) => unknown): Surprise => {
  return (socket, usual) => {
    const { status, body: sent } = parts(usual);
    socket.write(wire(status, JSON.stringify(change(structuredClone(sent))), [json]));
  };
};

/** The usual answer with a body that is no document, or one of its own making. */
const text = (change: (usual: string) => string | Buffer, ...headers: string[]): Surprise => {
  return (socket, usual) => {
    const { status, text: sent } = parts(usual);
    socket.write(wire(status, change(sent), headers.length === 0 ? [json] : headers));
  };
};

/** The usual body with another status. */
const status = (line: string, ...headers: string[]): Surprise => {
  return (socket, usual) => socket.write(wire(line, parts(usual).text, [json, ...headers]));
};

const bytes = (change: (usual: Buffer) => string | Buffer): Surprise => {
  return (socket, usual) => socket.write(change(usual));
};
const withHeaders = (...headers: string[]): Surprise =>
  bytes((usual) => usual.toString().replace('\r\n', `\r\n${headers.join('\r\n')}\r\n`));

const ids = ['paymentId', 'consentId', 'authorisationId'] as const;
const named = (id: unknown): Surprise =>
  body((usual) =>
    Object.fromEntries(Object.entries(usual).map(([k, v]) => [k, ids.some((n) => n === k) ? id : v])),
  );
const linked = (links: unknown): Surprise => body((usual) => ({ ...usual, _links: links }));
const stated = (state: unknown): Surprise =>
  body((usual) =>
    Object.fromEntries(
      Object.entries(usual).map(([k, v]) => [k, /^(transaction|consent|sca)Status$/.test(k) ? state : v]),
    ),
  );
const digest = (value: string) => `Digest: SHA-256=${createHash('sha256').update(value).digest('base64')}`;
const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
const other = '/v1/payments/sepa-credit-transfers/other';

/** Those in which an answer names nothing that a call can lead to. */
export const noIds: ReadonlySet<string> = new Set([
  ...['an id that is null', 'an id that is an object', 'an id that is empty', 'an id of blanks'],
  ...['an id that is two dots', 'an id with a line end', 'an id with escapes', 'no id'],
]);

/** What a bank can answer to a write besides what it should; the request has arrived, and the bank has acted. */
export const surprises: Readonly<Record<string, Surprise>> = {
  '200 in place of the right status': status('200 OK'),
  '201 in place of the right status': status('201 Created'),
  '202': status('202 Accepted'),
  '204 with a body': status('204 No Content'),
  '206': status('206 Partial Content'),
  '299': status('299 Whatever'),
  '300 with the usual body': status('300 Multiple Choices'),
  '303 to the payment': status('303 See Other', `Location: ${other}`),
  '400 with the usual body': status('400 Bad Request'),
  '404 with the usual body': status('404 Not Found'),
  '409 with the usual body': status('409 Conflict'),
  '500 with the usual body': status('500 Internal Server Error'),
  '599': status('599 Odd'),
  '999': status('999 Odd'),
  '101': status('101 Switching Protocols', 'Upgrade: x', 'Connection: upgrade'),
  'no reason phrase': bytes((usual) => usual.toString().replace(/^HTTP\/1\.1 (\d+)[^\r]*/, 'HTTP/1.1 $1')),
  'a status of four digits': bytes((usual) => usual.toString().replace(/^HTTP\/1\.1 (\d+)/, 'HTTP/1.1 $10')),
  'HTTP/1.0': bytes((usual) => usual.toString().replace(/^HTTP\/1\.1/, 'HTTP/1.0')),
  'HTTP/2 in the status line': bytes((usual) => usual.toString().replace(/^HTTP\/1\.1/, 'HTTP/2')),
  ICY: bytes((usual) => usual.toString().replace(/^HTTP\/1\.1/, 'ICY')),
  'a storm of 1xx before it': bytes((usual) =>
    Buffer.concat([Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(300)), usual]),
  ),
  'a 100 Continue before it': bytes((usual) =>
    Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), usual]),
  ),
  'no body': text(() => ''),
  'an empty object': body(() => ({})),
  'a list': body((usual) => [usual]),
  null: text(() => 'null'),
  'a number': text(() => '1'),
  'a text': text(() => '"ok"'),
  'a web page': text(() => '<html><script>alert(1)</script></html>', 'Content-Type: text/html'),
  'a web page that says it is JSON': text(() => '<html></html>'),
  'plain text': text(() => 'OK', 'Content-Type: text/plain'),
  XML: text(() => '<?xml version="1.0"?><a/>', 'Content-Type: application/xml'),
  'no Content-Type': text((usual) => usual, 'X-A: b'),
  'a charset that is none': text((usual) => usual, 'Content-Type: application/json; charset=klingon'),
  'UTF-16': text((usual) => Buffer.from(`\ufeff${usual}`, 'utf16le')),
  'a byte order mark': text((usual) => `\ufeff${usual}`),
  'bytes that are no UTF-8': text((usual) =>
    Buffer.concat([Buffer.from(usual.replace(/}$/, ',"x":"')), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
  ),
  'truncated JSON': text((usual) => usual.slice(0, -5)),
  'JSON twice': text((usual) => usual + usual),
  'rubbish behind it': text((usual) => `${usual}\u0000\u0000`),
  'a member twice': text((usual) =>
    usual.replace(/"(paymentId|consentId|authorisationId|scaStatus)":/, '"$1":"first","$1":'),
  ),
  'a member twice, the status': text((usual) =>
    usual.replace(/"(transactionStatus|consentStatus|scaStatus)":/, '"$1":"RJCT","$1":'),
  ),
  'a member __proto__': text((usual) =>
    usual.replace(
      /^{/,
      '{"__proto__":{"polluted":"yes","transactionStatus":"ACSC"},"constructor":{"prototype":{"polluted":"yes"}},',
    ),
  ),
  'deep nesting': text((usual) => usual.replace(/^{/, `{"deep":${deep},`)),
  'a number without end': text((usual) => usual.replace(/^{/, `{"n":${'9'.repeat(100_000)},"e":1e999999,`)),
  'a lone surrogate': text((usual) => usual.replace(/^{/, '{"psuMessage":"\\ud800",')),
  'an id that is a number': named('12345678901234567890'),
  'an id without quotes': text((usual) => usual.replace(/"(p-1|c-1|a-1)"/, '12345678901234567890123')),
  'an id that is null': named(null),
  'an id that is an object': named({ toString: 'x' }),
  'an id that is empty': named(''),
  'an id of blanks': named('  '),
  'an id with a path': named('../../consents/c-9'),
  'an id that is two dots': named('..'),
  'an id for the shell': named("x;touch${IFS}/tmp/obk-pwned;#'`$(id)`"),
  'an id with a line end': named('p-1\nobk payment cancel p-2 --yes'),
  'an id with escapes': named('p-1\u001b[2J\u001b]0;x\u0007'),
  'an id that is __proto__': named('__proto__'),
  'an id that is constructor': named('constructor'),
  'an id that is a flag': named('--yes'),
  'an id that is @last': named('@last'),
  'an id of 5,000 characters': named('p'.repeat(5000)),
  'an id that is not ASCII': named('zahlung-ü-\u202e1'),
  'the id of another': named('other'),
  'no id': body((usual) =>
    Object.fromEntries(Object.entries(usual).filter(([k]) => !ids.some((n) => n === k))),
  ),
  'no status': body((usual) =>
    Object.fromEntries(Object.entries(usual).filter(([k]) => !k.endsWith('Status'))),
  ),
  'a status that is unknown': stated('YOLO'),
  'a status in small letters': stated('acsc'),
  'a status with blanks': stated(' ACSC '),
  'a status that is null': stated(null),
  'a status that is a number': stated(7),
  'a status that is an object': stated({ a: 1 }),
  'a status with escapes': stated('RCVD\u001b[31m\nACSC'),
  'a status of the prototype': stated('constructor'),
  RJCT: stated('RJCT'),
  CANC: stated('CANC'),
  failed: stated('failed'),
  finalised: stated('finalised'),
  exempted: stated('exempted'),
  'no links': body(({ _links: _, ...rest }) => rest),
  'links that are a text': linked('x'),
  'links that are a list': linked([{ href: '/v1/x' }]),
  'links that are null': linked(null),
  'a link that is a number': linked({
    scaStatus: 7,
    startAuthorisation: { href: 7 },
    authoriseTransaction: null,
  }),
  'links to another payment': linked({
    startAuthorisationWithPsuAuthentication: { href: `${other}/authorisations` },
    authoriseTransaction: { href: `${other}/authorisations/a-1` },
    scaStatus: { href: `${other}/authorisations/a-1` },
    status: { href: `${other}/status` },
    self: { href: other },
  }),
  'links to a consent': linked({
    startAuthorisationWithPsuAuthentication: { href: '/v1/consents/c-9/authorisations' },
    authoriseTransaction: { href: '/v1/consents/c-9/authorisations/a-1' },
  }),
  'links to another host': linked({
    startAuthorisationWithPsuAuthentication: { href: 'https://evil.example/v1/authorisations' },
    authoriseTransaction: { href: '//evil.example/v1/x' },
    scaRedirect: { href: 'javascript:alert(1)' },
  }),
  'a redirect to a file': linked({ scaRedirect: { href: 'file:///etc/passwd' } }),
  'a redirect with a user': linked({ scaRedirect: { href: 'https://bank@evil.example/' } }),
  'a redirect with escapes': linked({ scaRedirect: { href: 'https://bank.example/\u001b[2J' } }),
  'an oauth link elsewhere': linked({ scaOAuth: { href: 'http://evil.example/.well-known/x' } }),
  'a wrong digest': (socket, usual) => {
    const { status: line, text: sent } = parts(usual);
    socket.write(wire(line, sent, [json, digest('another')]));
  },
  'a Content-Length twice': withHeaders('Content-Length: 5'),
  'a Content-Length and chunks': withHeaders('Transfer-Encoding: chunked'),
  'a Content-Length below zero': bytes((usual) =>
    usual.toString().replace(/Content-Length: \d+/, 'Content-Length: -1'),
  ),
  'a Content-Length that is too short': bytes((usual) =>
    usual.toString().replace(/Content-Length: \d+/, 'Content-Length: 5'),
  ),
  'a header with a bare line end': withHeaders('X-A: b\nX-C: d'),
  'a header of 200,000 bytes': withHeaders(`X-A: ${'b'.repeat(200_000)}`),
  'a folded header': withHeaders('X-A: b\r\n c'),
  'a thousand headers': withHeaders(...Array.from({ length: 3000 }, (_, at) => `X-${String(at)}: b`)),
  'gzip that is none': withHeaders('Content-Encoding: gzip'),
  'a bomb': text(() => gzipSync(Buffer.alloc(200_000_000)), json, 'Content-Encoding: gzip'),
  'a coding that nobody knows': withHeaders('Content-Encoding: rot13'),
  'the answer and a reset': (socket, usual) => {
    socket.write(usual, () => void socket.resetAndDestroy());
  },
  'an approach that is unknown': withHeaders('ASPSP-SCA-Approach: TELEPATHY'),
  'an approach with escapes': withHeaders('ASPSP-SCA-Approach: \u001b[31mREDIRECT'),
  'another request id': bytes((usual) =>
    usual.toString().replace(/X-Request-ID: [^\r]*/, 'X-Request-ID: 0-0-0'),
  ),
  'a Location elsewhere': withHeaders('Location: https://evil.example/v1/x'),
  'a Retry-After without end': withHeaders('Retry-After: 99999999999'),
  'a cookie and a redirect': withHeaders('Set-Cookie: a=b', 'Refresh: 0; url=https://evil.example/'),
  'a message of 100,000 characters': body((usual) => ({ ...usual, psuMessage: 'x'.repeat(100_000) })),
  'a message with escapes': body((usual) => ({
    ...usual,
    psuMessage: '\u001b[2JDone.\n$ obk payment cancel p-9 --yes\r',
  })),
  'fees that are none': body((usual) => ({
    ...usual,
    transactionFees: { currency: 'EUR', amount: '1e9' },
    estimatedTotalAmount: { amount: {} },
  })),
};

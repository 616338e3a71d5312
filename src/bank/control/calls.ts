import type { BankRequest } from '../rules/arrivals.ts';
import { findRequest, requestsAfter } from '../rules/arrivals.ts';
import { keptCall } from '../rules/messages.ts';
import type { KeptCall, KeptMessage } from '../rules/messages.ts';
import type { ControlCall, Operations } from './control-call.ts';
import { harOf, textOf } from './har.ts';
import { notThere } from './problem.ts';
import {
  anyObject,
  flag,
  integer,
  list,
  named,
  object,
  orNull,
  text,
  textUpTo,
  words,
} from '../openapi/schema.ts';
import { afterNumber, inPath, inQuery, limit, truth } from '../openapi/operation.ts';

const someCall = {
  number: 1,
  at: '2026-11-23T10:00:00.000Z',
  method: 'GET',
  path: '/v1/accounts',
  operation: 'getAccountList',
  requestId: null,
  tpp: null,
  status: 400,
  verdict: 'refused',
  code: 'FORMAT_ERROR',
  rule: 'X-Request-ID is missing.',
  digest: 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  signingString: 'digest: SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  findings: [
    {
      rule: 'header-missing',
      severity: 'error',
      place: 'header',
      pointer: 'X-Request-ID',
      what: 'X-Request-ID is missing.',
      why: 'Every request has one.',
      source: 'guidelines 4.12',
      status: 400,
      code: 'FORMAT_ERROR',
    },
  ],
};

const verdicts = ['accepted', 'refused', 'limited', 'fault'];

const Finding = named(
  'Finding',
  object(
    {
      rule: text('The name of the rule.'),
      severity: words(['error', 'warning', 'note']),
      place: words(
        ['path', 'header', 'query', 'body', 'connection', 'call'],
        'Where in the request; call is the call among others.',
      ),
      pointer: text(
        'The header or parameter, the segment of the path, or a pointer into the body (RFC 6901).',
      ),
      what: text(),
      why: text(),
      source: text('Where it is written.'),
      status: integer('That a bank answers.'),
      code: text('Of the tppMessage that a bank answers; empty where the status has none.'),
    },
    {},
    'A mistake of the TPP, as the referee sees it.',
  ),
);

const ofCall = {
  number: integer('Counts up with every call.'),
  at: text(),
  method: text(),
  path: text('Without the query.'),
  operation: orNull(text()),
  requestId: orNull(text()),
  tpp: orNull(text('The verified caller.')),
  status: orNull(integer('Null where the connection was cut before an answer.')),
  verdict: words(verdicts),
  code: orNull(text('Of the tppMessage.')),
  rule: orNull(text('Why the bank refused, in words.')),
  digest: orNull(text('The Digest that the bank expects.')),
  signingString: orNull(text('The string that the bank expects to be signed.')),
  findings: list(Finding, 'What the referee says of the call; `obk sandbox log --findings` tells the same.'),
};

const Call = named('Call', object(ofCall));

const Message = named(
  'Message',
  object({
    headers: list(
      object({ name: text(), value: text() }),
      'As they came; of Authorization and of cookies the scheme or name alone.',
    ),
    body: orNull(text('In UTF-8, or in base64.')),
    encoding: words(['utf-8', 'base64']),
    bodyBytes: integer('The length of the whole body.'),
    isCut: flag('Whether only the first 32 KiB of the body are kept.'),
  }),
);

const CallInFull = named(
  'CallInFull',
  object({
    ...ofCall,
    query: text('As it came, without the question mark.'),
    request: Message,
    response: orNull(Message),
    ms: orNull(integer('How long the bank took.')),
  }),
);

const Har = named('Har', object({ log: anyObject() }, {}, 'HTTP Archive 1.2.'));

const filters = [
  afterNumber,
  limit,
  inQuery('operation', 'Those of this operation only.', 'getAccountList', textUpTo(100)),
  inQuery('findings', 'Those with findings of the referee, or those without.', 'true', truth()),
  inQuery('verdict', 'Those with this verdict only.', 'refused', words(verdicts)),
];

/** What TPPs have sent. */
export const calls = {
  listCalls: {
    at: 'GET /calls',
    summary: 'The calls that reached the interface',
    about: 'The last 1,000, oldest first; of many the newest.',
    parameters: filters,
    gives: {
      status: 200,
      about: 'The calls.',
      schema: object({ calls: list(Call) }),
      example: { calls: [someCall] },
    },
    run: (call) => ({ status: 200, body: { calls: chosen(call) } }),
  },
  getCall: {
    at: 'GET /calls/{number}',
    summary: 'One call in full',
    about: 'Headers and bodies of request and answer, and what the bank expects to be signed.',
    parameters: [
      inPath('number', 'The number of the call.', '1', text(undefined, { pattern: '^[0-9]{1,15}$' })),
    ],
    gives: {
      status: 200,
      about: 'The call.',
      schema: CallInFull,
      example: {
        ...someCall,
        ...{
          query: '',
          request: {
            headers: [{ name: 'Host', value: '127.0.0.1:8080' }],
            body: '',
            encoding: 'utf-8',
            bodyBytes: 0,
            isCut: false,
          },
          response: {
            headers: [{ name: 'Content-Type', value: 'application/json' }],
            body: '{"tppMessages":[{"category":"ERROR","code":"FORMAT_ERROR"}]}',
            encoding: 'utf-8',
            bodyBytes: 59,
            isCut: false,
          },
          ms: 3,
        },
      },
    },
    also: [404],
    run(call) {
      const { log } = call.books.ledger;
      const number = Number(call.path['number']);
      const found = findRequest(log, number);
      const kept = keptCall(log, number);
      if (found === undefined || kept === undefined) throw notThere('call', String(number), 'calls');
      return { status: 200, body: { ...found, ...inFull(kept) } };
    },
  },
  getCallsHar: {
    at: 'GET /calls.har',
    summary: 'The calls as HTTP Archive',
    about: 'For the tools that read HAR 1.2.',
    parameters: filters,
    gives: {
      status: 200,
      about: 'HAR 1.2.',
      schema: Har,
      example: { log: { version: '1.2', creator: { name: 'obk', version: '1' }, entries: [] } },
    },
    run(call) {
      const { log } = call.books.ledger;
      const entries = chosen(call).flatMap((one) => {
        const kept = keptCall(log, one.number);
        return kept === undefined ? [] : [{ call: one, kept }];
      });
      return { status: 200, body: harOf(entries) };
    },
  },
} as const satisfies Operations;

/** The newest calls that are asked for, oldest first. */
function chosen({ books, given }: ControlCall): BankRequest[] {
  const { after = 0, operation, verdict, findings, limit } = given;
  return requestsAfter(books.ledger.log, Number(after))
    .filter((one) => operation === undefined || one.operation === operation)
    .filter((one) => verdict === undefined || one.verdict === verdict)
    .filter((one) => findings === undefined || String(one.findings.length > 0) === findings)
    .slice(-Number(limit));
}

const inFull = ({ query, request, response, ms }: KeptCall) => ({
  query,
  request: shown(request),
  response: response === undefined ? null : shown(response),
  ms: ms ?? null,
});

function shown({ headers, body, bytes }: KeptMessage) {
  const { text, encoding } = textOf(body);
  return {
    headers: headers.map(([name, value]) => ({ name, value })),
    body: text,
    encoding,
    bodyBytes: bytes,
    isCut: bytes > body.length,
  };
}

import type { BankRequest } from '../door.ts';
import { findRequest, requestsAfter } from '../rules/arrivals.ts';
import { keptCall } from '../rules/messages.ts';
import type { KeptCall, KeptMessage } from '../rules/messages.ts';
import type { ControlCall, ControlHandler } from './control-call.ts';
import { harOf } from './har.ts';
import { notThere } from './problem.ts';
import { textOf } from './text-of.ts';

/** What TPPs have sent. */
export const calls = {
  listCalls: (call) => ({ status: 200, body: { calls: chosen(call) } }),
  getCall(call) {
    const { log } = call.books.ledger;
    const number = Number(call.path['number']);
    const found = findRequest(log, number);
    const kept = keptCall(log, number);
    if (found === undefined || kept === undefined) throw notThere('call', String(number), 'calls');
    return { status: 200, body: { ...found, ...inFull(kept) } };
  },
  getCallsHar(call) {
    const { log } = call.books.ledger;
    const entries = chosen(call).flatMap((one) => {
      const kept = keptCall(log, one.number);
      return kept === undefined ? [] : [{ call: one, kept }];
    });
    return { status: 200, body: harOf(entries) };
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;

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

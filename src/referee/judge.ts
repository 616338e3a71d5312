/** The referee: judges one request of a TPP by the facts of the interface, without any part of the client. */
import type { Operation } from '../standard/xs2a/operations.ts';
import { judgeBody, longestBody } from './body/body.ts';
import { Findings } from './finding.ts';
import type { RefereeFinding } from './finding.ts';
import { judgeHeaders } from './headers.ts';
import { judgeAccept } from './media.ts';
import { judgeOrder } from './order.ts';
import { judgeNoOperation, judgePath, matchedOperation } from './path.ts';
import { judgeQuery } from './query.ts';
import { headersOf } from './request-headers.ts';
import { targetOf } from './request.ts';
import type { JudgedCall, JudgedRequest, Terms } from './request.ts';
import { judgeSigning } from './signing.ts';

/** The findings about a request, in the order in which it is read, and the parts that could not be judged. */
export interface Judgement {
  /** Undefined where method and path are those of no operation. */
  readonly operation: Operation | undefined;
  readonly findings: readonly RefereeFinding[];
  readonly notTested: readonly string[];
}

/** Judges a request. Never throws for anything that is in it. */
export async function judge(request: JudgedRequest, terms: Terms): Promise<Judgement> {
  const { path, query } = targetOf(request.target);
  const matched = matchedOperation(terms, request.method, path);
  const found = new Findings(terms.variant.framework, matched?.operation);
  const headers = headersOf({ rawHeaders: request.headers.flat() });
  if (matched === undefined) {
    judgeNoOperation(found, terms, request.method, path);
    return { operation: undefined, findings: found.list, notTested: [] };
  }
  const call: JudgedCall = { ...matched, terms, request, path, query, headers };
  judgePath(found, call);
  judgeHeaders(found, call);
  judgeAccept(found, call);
  judgeQuery(found, call);
  if (request.body !== undefined) await judgeBody(found, call, request.body);
  judgeSigning(found, call);
  if (terms.known !== undefined) judgeOrder(found, terms.known, call);
  return { operation: call.operation, findings: found.list, notTested: notTested(call) };
}

function notTested({ request: { body }, terms: { certificates }, operation, headers }: JudgedCall): string[] {
  const hasDigest = headers.has('digest');
  const takesBody = operation.body !== 'none';
  return [
    ...(body === undefined && takesBody ? ['the body'] : []),
    ...(body === undefined && hasDigest ? ['whether Digest is that of the body'] : []),
    ...((body?.length ?? 0) > longestBody && takesBody ? ['the body, which is longer than 1 MiB'] : []),
    ...(certificates === undefined && hasDigest ? ['the issuer of the certificate'] : []),
  ];
}

/** The referee: judges one request of a TPP by the facts of the interface, without any part of the client. */
import type { Operation } from '../standard/xs2a/operations.ts';
import { judgeBody, longestBody } from './body/body.ts';
import { Findings } from './finding.ts';
import type { RefereeFinding } from './finding.ts';
import { judgeHeaders } from './headers.ts';
import { judgeAccept } from './media.ts';
import { judgeOrder } from './order.ts';
import { judgeNoOperation, judgePath, matchedOperation } from './path.ts';
import type { Matched } from './path.ts';
import { judgeQuery } from './query.ts';
import { headersOf } from './request-headers.ts';
import { targetOf } from './request.ts';
import type { JudgedRequest, Terms } from './request.ts';
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
  const { operation, params } = matched;
  judgePath(found, terms, matched, path);
  judgeHeaders(found, terms, operation, request, headers);
  judgeAccept(found, operation, params, headers);
  judgeQuery(found, terms, operation, query);
  if (request.body !== undefined) await judgeBody(found, terms, matched, headers, request.body);
  judgeSigning(found, terms, operation, request, headers);
  if (terms.known !== undefined) judgeOrder(found, terms.known, operation, request, headers);
  return {
    operation,
    findings: found.list,
    notTested: notTested(request, terms, matched, headers.has('digest')),
  };
}

function notTested(
  { body }: JudgedRequest,
  { certificates }: Terms,
  { operation }: Matched,
  hasDigest: boolean,
): string[] {
  const takesBody = operation.body !== 'none';
  return [
    ...(body === undefined && takesBody ? ['the body'] : []),
    ...(body === undefined && hasDigest ? ['whether Digest is that of the body'] : []),
    ...((body?.length ?? 0) > longestBody && takesBody ? ['the body, which is longer than 1 MiB'] : []),
    ...(certificates === undefined && hasDigest ? ['the issuer of the certificate'] : []),
  ];
}

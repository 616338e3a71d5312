// Judges an exchange by the official OpenAPI files. Branches of their oneOf are chosen by operation and by the key of the
// request, patterns are anchored, and every difference that is right all the same is a waiver with its reason.
import type { OperationId } from '../../src/standard/xs2a/operations.ts';
import { operationNamed } from '../../src/standard/xs2a/variants.ts';
import type { Variant } from '../../src/standard/xs2a/variants.ts';
import { Judge, bytes, finding, headerMap } from './contract-judge.ts';
import type { ContractFinding, Exchange, ExchangeRequest } from './contract-judge.ts';
import { official } from './official.ts';
import type { OfficialOperation } from './official.ts';

export type { ContractFinding, Exchange, ExchangeRequest } from './contract-judge.ts';
export { hasOfficialFiles } from './official.ts';

/** Every departure of request and answer from the official file of the variant's framework; none is right. */
export function checkExchange(variant: Variant, exchange: Exchange): ContractFinding[] {
  return [...checkRequest(variant, exchange), ...checkAnswer(variant, exchange)];
}

/** The departures of the request alone. */
export function checkRequest(variant: Variant, request: ExchangeRequest): ContractFinding[] {
  const { op, params, query } = find(variant, request);
  if (op === undefined)
    return [finding('request', 'path', 'operation', `no operation ${request.method} ${request.path}`)];
  const judge = new Judge(variant.framework, idOf(op), 'request');
  judge.parameters(op, 'path', params);
  judge.parameters(op, 'query', query);
  judge.parameters(op, 'header', headerMap(request.requestHeaders));
  judge.requestBody(
    op,
    params,
    bytes(request.requestBody),
    headerMap(request.requestHeaders).get('content-type'),
  );
  return judge.findings;
}

/** The departures of the answer alone; the request tells operation and branch, and may itself be wrong on purpose. */
export function checkAnswer(variant: Variant, exchange: Exchange): ContractFinding[] {
  const { op, params } = find(variant, exchange);
  const status = String(exchange.status);
  if (op === undefined) {
    const refused = exchange.status === 404 || exchange.status === 405;
    return refused
      ? []
      : [finding('answer', 'status', 'operation', `${status} on a path that does not exist`)];
  }
  const judge = new Judge(variant.framework, idOf(op), 'answer');
  const response = op.responses[status];
  if (response === undefined) {
    judge.add('status', 'undeclared', `${status} is not declared for ${op.operationId}`);
    return judge.findings;
  }
  judge.answerHeaders(variant, exchange, response);
  judge.answerBody(exchange, response, params.get('payment-service') ?? '');
  return judge.findings;
}

/** Later files call some operations otherwise. */
const idOf = ({ operationId }: OfficialOperation): OperationId =>
  operationNamed(operationId) ?? (operationId as OperationId);

interface Found {
  op?: OfficialOperation;
  params: Map<string, string>;
  query: Map<string, string>;
}

/** Official templates, not our table: the two must not be wrong together. */
function find(variant: Variant, { method, path }: ExchangeRequest): Found {
  const url = new URL(path, 'http://h');
  const query = new Map(url.searchParams);
  const none: Found = { params: new Map(), query };
  if (!url.pathname.startsWith(`${variant.prefix}/`)) return none;
  const segments = url.pathname.slice(variant.prefix.length + 1).split('/');
  const services = ['payments', 'bulk-payments', 'periodic-payments'];
  const matches = official(variant.framework).operations.flatMap((op) => {
    const template = op.path.slice(1).split('/');
    if (template.length !== segments.length) return [];
    const params = new Map<string, string>();
    for (const [at, part] of template.entries()) {
      const segment = decodeURIComponent(segments[at] ?? '');
      if (!part.startsWith('{') && part !== segment) return [];
      if (part === '{payment-service}' && !services.includes(segment)) return [];
      if (part.startsWith('{')) params.set(part.slice(1, -1), segment);
    }
    return [{ op, params, query }];
  });
  return matches.find(({ op }) => op.method === method) ?? matches[0] ?? none;
}

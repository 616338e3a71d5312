/** The judge of answers: one answer of a bank by the facts of the interface, without any part of the client. */
import { translated } from '../../standard/xs2a/answer-dialect.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { answerRoot } from '../../standard/xs2a/answer-shapes.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { AnswerKind, Operation } from '../../standard/xs2a/operations.ts';
import { noId } from '../../standard/xs2a/request.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import type { LinkAliases } from '../../standard/xs2a/links.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';
import { matchedOperation } from '../path.ts';
import { targetOf } from '../request.ts';
import type { AnswerTerms, JudgedAnswer } from './answer.ts';
import { judgeContent } from './content.ts';
import { AnswerFindings, quoted } from './finding.ts';
import type { AnswerFinding } from './finding.ts';
import { createdId, judgeAnswerHeaders, judgeBody, judgeLocation, judgeStatus } from './http.ts';
import { judgeTargets, judgeWay, ofAuthorisation } from './links.ts';
import { judgeObject } from './members.ts';
import { judgeRefusal, judgeWarnings } from './messages.ts';

/** The findings about an answer, in the order in which it is read, and what could not be judged. */
export interface AnswerJudgement {
  /** Undefined where the request was for no operation; its answer is nobody's then. */
  readonly operation: Operation | undefined;
  readonly findings: readonly AnswerFinding[];
  readonly notTested: readonly string[];
}

/** Judges an answer. Never throws for anything that is in it. */
export function judgeAnswer(answer: JudgedAnswer, terms: AnswerTerms): AnswerJudgement {
  const { path, query } = targetOf(answer.target);
  const matched = answer.matched ?? matchedOperation(terms, answer.method, path);
  const found = new AnswerFindings();
  if (matched === undefined) {
    if (answer.status < 300)
      found.add(
        'answer-status',
        'status',
        '',
        `${String(answer.status)} answers a path or method of no operation.`,
      );
    return { operation: undefined, findings: found.list, notTested: [] };
  }
  const { operation, params } = matched;
  judgeStatus(found, operation, answer.status);
  judgeAnswerHeaders(found, terms, operation, answer);
  const { body } = answer;
  if (body === undefined) return { operation, findings: found.list, notTested: ['the body of the answer'] };
  const sent = judgeBody(found, terms, operation, params, { ...answer, body });
  if (sent === undefined) return { operation, findings: found.list, notTested: [] };
  const json = asStandard(sent, terms);
  const { framework } = terms.variant;
  if (answer.status >= 400) judgeRefusal(found, framework, operation, answer.status, json);
  else judgeSuccess(found, terms, { operation, params, query, answer }, json);
  return { operation, findings: found.list, notTested: [] };
}

/** Returns the JSON as the standard would write it, where the bank is known to write otherwise. */
export function asStandard(json: JsonValue, { dialect }: AnswerTerms): JsonValue {
  if (dialect === undefined) return json;
  const read = translated(json, dialect);
  return dialect.aliases === undefined ? read : withLinkNames(read, dialect.aliases);
}

function withLinkNames(json: JsonValue, aliases: LinkAliases): JsonValue {
  if (!isJsonObject(json) || !isJsonObject(json['_links'])) return json;
  const links = Object.entries(json['_links']).map(([name, link]): [string, JsonValue] => [
    Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name,
    link,
  ]);
  return { ...json, _links: Object.fromEntries(links) };
}

interface About {
  readonly operation: Operation;
  readonly params: PathParams;
  readonly query: URLSearchParams;
  readonly answer: JudgedAnswer;
}

function judgeSuccess(
  found: AnswerFindings,
  { variant: { framework } }: AnswerTerms,
  { operation, params, query, answer }: About,
  json: JsonValue,
): void {
  const { status, requestBody, headers } = answer;
  const kind = operation.success.find((row) => row.status === status)?.answer;
  const asked = requestBody === undefined || requestBody.length === 0 ? undefined : tryJson(requestBody);
  const root = answerRoot(framework, operation, status, {
    service: params['payment-service'],
    sent: requestBody === undefined ? undefined : sentMember(asked),
  });
  if (kind === undefined || root === undefined) return;
  // The file of 1.3.3 has the ids of cancellations as the whole answer.
  if (kind === 'authorisation-list' && Array.isArray(json) && root.object === 'cancellationList') return;
  if (!isJsonObject(json)) {
    found.add('answer-member-type', 'body', '', 'The answer is no JSON object.');
    return;
  }
  const inner = root.wrapper === undefined ? json : member(json, root.wrapper);
  const innermost = root.inner === undefined || !isJsonObject(inner) ? undefined : member(inner, root.inner);
  const at = root.wrapper === undefined ? '' : `/${root.wrapper}`;
  if (isJsonObject(innermost))
    judgeObject(found, framework, root.object, innermost, `${at}/${root.inner ?? ''}`);
  else if (isJsonObject(inner)) judgeObject(found, framework, root.object, inner, at);
  else if (root.mayBeBare === true && inner === undefined) judgeObject(found, framework, root.object, json);
  else
    found.add(
      'answer-wrapper',
      'body',
      `/${root.wrapper ?? ''}`,
      `The object ${root.wrapper ?? ''} is missing.`,
    );
  const id = createdId(kind, json);
  judgeLocation(found, answer, id);
  judgeWay(found, kind, json, headerOf(headers, 'aspsp-sca-approach'));
  judgeTargets(found, json, '', {
    id: id ?? resourceIn(params),
    origins: answer.origins,
    ...(ofAuthorisation.has(kind) && { ofCancellation: /cancel/i.test(operation.id) }),
  });
  judgeAuthorisationId(found, json, params);
  for (const [list, one, at] of innerLinks(kind, json)) {
    const listed = stringMember(one, 'resourceId');
    const owner = params['account-id'] ?? (noId(listed ?? '') === undefined ? listed : undefined);
    judgeTargets(found, one, `/${list}${at}`, { owner, origins: answer.origins });
  }
  judgeWarnings(found, framework, operation, status, json);
  judgeContent(found, kind, json, { params, query, json: asked });
}

/** The id of an authorisation is that of its path, and that of the link to its status. */
function judgeAuthorisationId(found: AnswerFindings, json: JsonObject, params: PathParams): void {
  const given = stringMember(json, 'authorisationId');
  const href = stringMember(member(member(json, '_links'), 'scaStatus'), 'href');
  const linked = /authorisations\/([^/?]+)(?:\?.*)?$/.exec(href ?? '')?.[1];
  const due = params.authorisationId ?? linked;
  if (given === undefined || due === undefined || noId(given) !== undefined) return;
  // A link that leads elsewhere was told already.
  if (
    params.authorisationId === undefined &&
    found.list.some(({ pointer }) => pointer === '/_links/scaStatus')
  )
    return;
  if (given !== due && encodeURIComponent(given) !== due)
    found.add(
      'answer-id',
      'body',
      '/authorisationId',
      `It is ${quoted(given)}, and that of the calls ${quoted(due)}.`,
    );
}

/** The member that says which update was sent; one without a body identifies the PSU. */
function sentMember(json: JsonValue | undefined): string | undefined {
  if (json === undefined) return 'identification';
  if (!isJsonObject(json)) return undefined;
  const [name] = Object.keys(json);
  return name ?? 'identification';
}

const resourceIn = (params: PathParams): string | undefined =>
  params.paymentId ?? params.consentId ?? params.basketId;

/** The objects of an answer that have links of their own. */
function innerLinks(
  kind: AnswerKind,
  json: JsonObject,
): readonly (readonly [list: string, object: JsonObject, at: string])[] {
  const list = { 'account-list': 'accounts', 'card-account-list': 'cardAccounts' }[kind as string];
  if (list !== undefined) {
    const accounts = json[list];
    return Array.isArray(accounts)
      ? accounts.flatMap((one, at) => (isJsonObject(one) ? [[list, one, `/${String(at)}`] as const] : []))
      : [];
  }
  const single = {
    account: 'account',
    'card-account': 'cardAccount',
    transactions: 'transactions',
    'card-transactions': 'cardTransactions',
  }[kind as string];
  const one = single === undefined ? undefined : json[single];
  return single !== undefined && isJsonObject(one) ? [[single, one, '']] : [];
}

/** The judge of answers: one answer of a bank by the facts of the interface, without any part of the client. */
import { translated } from '../../standard/xs2a/answer-dialect.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { answerRoot } from '../../standard/xs2a/answer-shapes.ts';
import type { AnswerRoot } from '../../standard/xs2a/answer-shapes.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { AnswerKind, Operation } from '../../standard/xs2a/operations.ts';
import { noId } from '../../standard/xs2a/request.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import type { LinkAliases } from '../../standard/xs2a/links.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';
import { matchedOperation } from '../path.ts';
import { targetOf } from '../request.ts';
import type { AnsweredCall, AnswerTerms, JudgedAnswer } from './answer.ts';
import { judgeContent } from './content.ts';
import { AnswerFindings, quoted } from './finding.ts';
import type { AnswerFinding, AnswerPlace } from './finding.ts';
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
  const { status, body } = answer;
  const matched = answer.matched ?? matchedOperation(terms, answer.method, path);
  const found = new AnswerFindings(terms.variant.framework);
  if (matched === undefined) {
    if (status < 300)
      found.at('status').add('answer-status', `${String(status)} answers a path or method of no operation.`);
    return { operation: undefined, findings: found.list, notTested: [] };
  }
  const { operation } = matched;
  const kind = operation.success.find((row) => row.status === status)?.answer;
  const call: AnsweredCall = { ...matched, query, answer, kind };
  judgeStatus(found, call);
  judgeAnswerHeaders(found, terms, call);
  if (body === undefined) return { operation, findings: found.list, notTested: ['the body of the answer'] };
  const sent = judgeBody(found, call, body);
  if (sent === undefined) return { operation, findings: found.list, notTested: [] };
  const json = asStandard(sent, terms);
  if (status >= 400) judgeRefusal(found.at('body'), call, json);
  else judgeSuccess(found, call, json);
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

function judgeSuccess(found: AnswerFindings, call: AnsweredCall, json: JsonValue): void {
  const { operation, params, query, answer, kind } = call;
  const { requestBody, headers, origins } = answer;
  const asked = requestBody === undefined || requestBody.length === 0 ? undefined : tryJson(requestBody);
  const root = rootOf(found.framework, call, asked);
  if (kind === undefined || root === undefined) return;
  // The file of 1.3.3 has the ids of cancellations as the whole answer.
  if (kind === 'authorisation-list' && Array.isArray(json) && root.object === 'cancellationList') return;
  const at = found.at('body');
  if (!isJsonObject(json)) {
    at.add('answer-member-type', 'The answer is no JSON object.');
    return;
  }
  judgeRoot(at, root, json);
  const id = createdId(kind, json);
  judgeLocation(found, answer, id);
  judgeWay(found, kind, json, headerOf(headers, 'aspsp-sca-approach'));
  judgeTargets(at, json, {
    id: id ?? resourceIn(params),
    origins,
    ...(ofAuthorisation.has(kind) && { ofCancellation: /cancel/i.test(operation.id) }),
  });
  judgeAuthorisationId(at.in('authorisationId'), json, params, at.in('_links').in('scaStatus').isFaulty);
  for (const [place, one] of innerLinks(at, kind, json)) {
    const listed = stringMember(one, 'resourceId');
    const own = listed === undefined || noId(listed) !== undefined ? undefined : listed;
    const owner = params['account-id'] ?? own;
    judgeTargets(place, one, { owner, origins });
  }
  judgeWarnings(at, call, json);
  judgeContent(at, kind, json, { params, query, json: asked });
}

function rootOf(
  framework: Framework,
  { operation, params, answer }: AnsweredCall,
  asked: JsonValue | undefined,
): AnswerRoot | undefined {
  return answerRoot(framework, operation, answer.status, {
    service: params['payment-service'],
    sent: answer.requestBody === undefined ? undefined : sentMember(asked),
  });
}

/** Judges the object of an answer where it stands, which may be below a name or two. */
function judgeRoot(at: AnswerPlace, root: AnswerRoot, json: JsonObject): void {
  const { object, wrapper, inner, mayBeBare } = root;
  const wrapped = wrapper === undefined ? json : member(json, wrapper);
  const place = wrapper === undefined ? at : at.in(wrapper);
  const innermost = inner === undefined ? undefined : member(wrapped, inner);
  if (inner !== undefined && isJsonObject(innermost)) judgeObject(place.in(inner), object, innermost);
  else if (isJsonObject(wrapped)) judgeObject(place, object, wrapped);
  else if (mayBeBare === true && wrapped === undefined) judgeObject(at, object, json);
  else place.add('answer-wrapper', `The object ${wrapper ?? ''} is missing.`);
}

/** The id of an authorisation is that of its path, and that of the link to its status unless that leads elsewhere. */
function judgeAuthorisationId(
  at: AnswerPlace,
  json: JsonObject,
  params: PathParams,
  isLinkFaulty: boolean,
): void {
  const given = stringMember(json, 'authorisationId');
  const href = stringMember(member(member(json, '_links'), 'scaStatus'), 'href');
  const linked = isLinkFaulty ? undefined : /authorisations\/([^/?]+)(?:\?.*)?$/.exec(href ?? '')?.[1];
  const due = params.authorisationId ?? linked;
  if (given === undefined || due === undefined || noId(given) !== undefined) return;
  if (given !== due && encodeURIComponent(given) !== due)
    at.add('answer-id', `It is ${quoted(given)}, and that of the calls ${quoted(due)}.`);
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
  at: AnswerPlace,
  kind: AnswerKind,
  json: JsonObject,
): readonly (readonly [place: AnswerPlace, object: JsonObject])[] {
  const { list, single } = withLinks[kind] ?? {};
  if (single !== undefined) {
    const one = json[single];
    return isJsonObject(one) ? [[at.in(single), one]] : [];
  }
  const accounts = list === undefined ? undefined : json[list];
  if (list === undefined || !Array.isArray(accounts)) return [];
  return accounts.flatMap((one, index) => (isJsonObject(one) ? [[at.in(list).in(index), one] as const] : []));
}

const withLinks: Readonly<Partial<Record<AnswerKind, { list?: string; single?: string }>>> = {
  'account-list': { list: 'accounts' },
  'card-account-list': { list: 'cardAccounts' },
  account: { single: 'account' },
  'card-account': { single: 'cardAccount' },
  transactions: { single: 'transactions' },
  'card-transactions': { single: 'cardTransactions' },
};

import {
  consentMoves,
  consentStatus,
  scaMoves,
  scaStatus,
  transactionMoves,
  transactionStatus,
} from '../../standard/xs2a/codes.ts';
import { defined } from '../../base/defined.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { checkIban } from '../../standard/xs2a/check.ts';
import type { AnswerKind, Operation, ParamName } from '../../standard/xs2a/operations.ts';
import { mediaKind } from '../../standard/xs2a/media.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';
import { matchedOperation } from '../path.ts';
import { targetOf } from '../request.ts';
import type { Matched } from '../request.ts';
import type { AnswerTerms, JudgedAnswer } from './answer.ts';
import { AnswerFindings, quoted } from './finding.ts';
import type { AnswerFinding } from './finding.ts';
import { compareConsent, comparePayment, same } from './as-sent.ts';
import { asStandard } from './judge-answer.ts';
import type { AnswerRuleId } from './rules.ts';

/** A status whose changes are judged from answer to answer. */
interface MovingStatus {
  /** Its member in an answer. */
  readonly name: string;
  readonly rule: AnswerRuleId;
  readonly isKnown: (code: string) => boolean;
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** What it stays at once the resource was deleted. */
  readonly deleted?: string;
}

const ofPayments: MovingStatus = {
  name: 'transactionStatus',
  rule: 'answer-order-payment',
  isKnown: (code) => transactionStatus(code) !== undefined,
  moves: transactionMoves,
  deleted: 'CANC',
};
const ofConsents: MovingStatus = {
  name: 'consentStatus',
  rule: 'answer-order-consent',
  isKnown: (code) => consentStatus(code) !== undefined,
  moves: consentMoves,
  deleted: 'terminatedByTpp',
};
const ofAuthorisations: MovingStatus = {
  name: 'scaStatus',
  rule: 'answer-order-sca',
  isKnown: (code) => scaStatus(code) !== undefined,
  moves: scaMoves,
};

/** What an answer is about: its payment or consent, and each status by the name under which its last value is kept. */
interface Subjects {
  readonly id: string | undefined;
  readonly statuses: readonly (readonly [status: MovingStatus, about: string])[];
  /** The name under which the authorisations that were started are kept. */
  readonly authorisations: string;
}

function subjectsOf({ operation, params }: Matched, read: JsonValue | undefined): Subjects {
  const { parent } = operation;
  const idOf = (name: ParamName) => params[name] ?? stringMember(read, name);
  const payment = idOf('paymentId') ?? idOf('basketId');
  const consent = idOf('consentId');
  const authorisation = idOf('authorisationId');
  const id = payment ?? consent;
  const authorisations = `${parent} ${id ?? ''}`;
  const statuses: (readonly [MovingStatus, string])[] = [];
  if (payment !== undefined)
    statuses.push([ofPayments, `${parent === 'basket' ? 'basket' : 'payment'} ${payment}`]);
  if (consent !== undefined) statuses.push([ofConsents, `consent ${consent}`]);
  // A creation tells of the same authorisation as the calls to it.
  if (authorisation !== undefined)
    statuses.push([ofAuthorisations, `${authorisations} authorisation ${authorisation}`]);
  return { id, statuses, authorisations };
}

/** Judges the answers of a bank one after the other, as they came: statuses that go back, and reads of what was sent. */
export class AnswerOrder {
  readonly #terms: AnswerTerms;
  /** The last status by what has it: `payment 1`. */
  readonly #statuses = new Map<string, string>();
  /** The numbers of accounts by their resourceId, as the last list had them. */
  readonly #ibans = new Map<string, string>();
  /** The ids of the authorisations that were started, by what they are of: `payment 1`. */
  readonly #started = new Map<string, Set<string>>();
  /** The bodies that made resources, by the id. */
  readonly #sent = new Map<string, JsonObject>();

  constructor(terms: AnswerTerms) {
    this.#terms = terms;
  }

  /** Judges the next answer. Never throws for anything that is in it. */
  next(answer: JudgedAnswer, dialect = this.#terms.dialect): readonly AnswerFinding[] {
    const found = new AnswerFindings(this.#terms.variant.framework);
    const matched =
      answer.matched ?? matchedOperation(this.#terms, answer.method, targetOf(answer.target).path);
    if (matched === undefined || answer.status >= 300) return [];
    const { operation, params } = matched;
    const read = this.#jsonOf(answer, dialect);
    const { id, statuses, authorisations } = subjectsOf(matched, read);
    for (const [status, about] of statuses) this.#move(found, status, about, read);
    this.#authorisations(found, operation, authorisations, read);
    if (answer.method === 'DELETE' && answer.status === 204)
      for (const [{ deleted }, about] of statuses)
        if (deleted !== undefined) this.#statuses.set(`${about} deleted`, deleted);
    if (operation.parent === 'account') this.#account(found, operation, params['account-id'], read);
    if (id === undefined || !isJsonObject(read)) return found.list;
    if (makes.has(operation.id)) this.#keep(id, answer);
    else this.#compare(found, operation, id, read);
    return found.list;
  }

  /** The JSON of an answer as the standard would write it; undefined where it has none. */
  #jsonOf({ headers, body }: JudgedAnswer, dialect: AnswerTerms['dialect']): JsonValue | undefined {
    const isJson = mediaKind(headerOf(headers, 'content-type')) === 'json';
    const json = body === undefined || !isJson ? undefined : tryJson(body);
    return json === undefined ? undefined : asStandard(json, { ...this.#terms, ...defined({ dialect }) });
  }

  /** Those that were started are listed. */
  #authorisations(
    found: AnswerFindings,
    { success }: Operation,
    about: string,
    read: JsonValue | undefined,
  ): void {
    const isKind = (kind: AnswerKind) => success.some(({ answer }) => answer === kind);
    const started = this.#started.get(about) ?? new Set<string>();
    const id = stringMember(read, 'authorisationId');
    if (isKind('authorisation-start') && id !== undefined) this.#started.set(about, started.add(id));
    if (!isKind('authorisation-list')) return;
    const names = ['authorisationIds', 'cancellationIds'];
    for (const name of names) {
      const listed = member(read, name);
      if (!Array.isArray(listed) || !listed.every((one) => typeof one === 'string')) continue;
      const absent = [...started].find((one) => !listed.includes(one));
      if (absent !== undefined)
        found
          .at('order', `/${name}`)
          .add('answer-order-authorisations', `${quoted(absent)} was started, and is not listed.`);
    }
  }

  /** An account is read under the number that it was listed with. */
  #account(
    found: AnswerFindings,
    { id }: Operation,
    asked: string | undefined,
    read: JsonValue | undefined,
  ): void {
    const list = id === 'getAccountList' ? member(read, 'accounts') : undefined;
    for (const one of Array.isArray(list) ? list : []) {
      const [resource, iban] = [stringMember(one, 'resourceId'), stringMember(one, 'iban')];
      if (resource !== undefined && iban !== undefined) this.#ibans.set(resource, iban);
    }
    const known = asked === undefined ? undefined : this.#ibans.get(asked);
    const iban = stringMember(member(read, 'account'), 'iban');
    if (known === undefined || iban === undefined || !checkIban(iban).ok || same('iban', known, iban)) return;
    found
      .at('body', '/account/iban')
      .add(
        'answer-report-account',
        `${quoted(iban)} is not the account ${quoted(known)} that was asked for.`,
      );
  }

  #move(found: AnswerFindings, status: MovingStatus, about: string, read: JsonValue | undefined): void {
    const now = stringMember(read, status.name);
    if (now === undefined || !status.isKnown(now)) return;
    const deleted = this.#statuses.get(`${about} deleted`);
    const before = this.#statuses.get(about);
    this.#statuses.set(about, now);
    const at = found.at('order').in(status.name);
    if (deleted !== undefined) {
      if (now !== deleted)
        at.add('answer-order-deleted', `It was deleted, and is ${now} in place of ${deleted}.`);
    } else if (before !== undefined && before !== now && status.moves[before]?.includes(now) === false)
      at.add(status.rule, `It was ${before} before, and is ${now}.`);
  }

  #keep(id: string, { requestBody }: JudgedAnswer): void {
    const sent = requestBody === undefined ? undefined : tryJson(requestBody);
    if (isJsonObject(sent)) this.#sent.set(id, sent);
  }

  /** What was sent is what is read. */
  #compare(found: AnswerFindings, operation: Operation, id: string, read: JsonObject): void {
    const sent = this.#sent.get(id);
    if (sent === undefined) return;
    if (operation.id === 'getPaymentInformation') comparePayment(found, sent, read);
    if (operation.id === 'getConsentInformation') compareConsent(found, sent, read);
  }
}

/** The operations whose bodies are kept, to be held against later reads. */
const makes: ReadonlySet<string> = new Set(['initiatePayment', 'createConsent']);

import {
  consentMoves,
  consentStatus,
  scaMoves,
  scaStatus,
  transactionMoves,
  transactionStatus,
} from '../../standard/xs2a/codes.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { checkIban } from '../../standard/xs2a/check.ts';
import type { AnswerKind, Operation } from '../../standard/xs2a/operations.ts';
import { mediaKind } from '../../standard/xs2a/media.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';
import { matchedOperation } from '../path.ts';
import { targetOf } from '../request.ts';
import type { AnswerTerms, JudgedAnswer } from './answer.ts';
import { AnswerFindings, quoted } from './finding.ts';
import type { AnswerFinding } from './finding.ts';
import { compareConsent, comparePayment, same } from './as-sent.ts';
import { asStandard } from './judge-answer.ts';
import type { AnswerRuleId } from './rules.ts';

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
    const found = new AnswerFindings();
    const matched =
      answer.matched ?? matchedOperation(this.#terms, answer.method, targetOf(answer.target).path);
    if (matched === undefined || answer.status >= 300) return [];
    const { operation, params } = matched;
    const isJson = mediaKind(headerOf(answer.headers, 'content-type')) === 'json';
    const json = answer.body === undefined || !isJson ? undefined : tryJson(answer.body);
    const read =
      json === undefined ? undefined : asStandard(json, { ...this.#terms, ...(dialect && { dialect }) });
    const text = (name: string) => stringMember(read, name);
    const payment = params.paymentId ?? text('paymentId') ?? params.basketId ?? text('basketId');
    const consent = params.consentId ?? text('consentId');
    const kind = operation.parent === 'basket' ? 'basket' : 'payment';
    const status = text('transactionStatus');
    if (payment !== undefined && status !== undefined && transactionStatus(status) !== undefined)
      this.#move(
        found,
        'answer-order-payment',
        '/transactionStatus',
        `${kind} ${payment}`,
        status,
        transactionMoves,
      );
    const own = text('consentStatus');
    if (consent !== undefined && own !== undefined && consentStatus(own) !== undefined)
      this.#move(found, 'answer-order-consent', '/consentStatus', `consent ${consent}`, own, consentMoves);
    const authorisation = params.authorisationId ?? text('authorisationId');
    const sca = text('scaStatus');
    if (authorisation !== undefined && sca !== undefined && scaStatus(sca) !== undefined) {
      const about = `${operation.parent} ${payment ?? consent ?? ''} authorisation ${authorisation}`;
      // A creation tells of the same authorisation as the calls to it.
      this.#move(found, 'answer-order-sca', '/scaStatus', about, sca, scaMoves);
    }
    this.#authorisations(found, operation, `${operation.parent} ${payment ?? consent ?? ''}`, read);
    if (answer.method === 'DELETE' && answer.status === 204) {
      const [key, end] =
        consent === undefined
          ? [`${kind} ${payment ?? ''}`, 'CANC']
          : [`consent ${consent}`, 'terminatedByTpp'];
      this.#statuses.set(`${key} deleted`, end);
    }
    if (operation.parent === 'account') this.#account(found, operation, params['account-id'], read);
    this.#compare(found, answer, operation.id, payment ?? consent, read);
    return found.list;
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
        found.add(
          'answer-order-authorisations',
          'order',
          `/${name}`,
          `${quoted(absent)} was started, and is not listed.`,
        );
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
    found.add(
      'answer-report-account',
      'body',
      '/account/iban',
      `${quoted(iban)} is not the account ${quoted(known)} that was asked for.`,
    );
  }

  #move(
    found: AnswerFindings,
    rule: AnswerRuleId,
    pointer: string,
    about: string,
    now: string,
    moves: Readonly<Record<string, readonly string[]>>,
  ): void {
    const deleted = this.#statuses.get(`${about} deleted`);
    const before = this.#statuses.get(about);
    this.#statuses.set(about, now);
    if (deleted !== undefined && now !== deleted)
      found.add(
        'answer-order-deleted',
        'order',
        pointer,
        `It was deleted, and is ${now} in place of ${deleted}.`,
      );
    else if (
      before !== undefined &&
      before !== now &&
      !(moves[before]?.includes(now) ?? true) &&
      deleted === undefined
    )
      found.add(rule, 'order', pointer, `It was ${before} before, and is ${now}.`);
  }

  /** What was sent is what is read. */
  #compare(
    found: AnswerFindings,
    { requestBody }: JudgedAnswer,
    operation: string,
    id: string | undefined,
    read: JsonValue | undefined,
  ): void {
    if (id === undefined || !isJsonObject(read)) return;
    if (operation === 'initiatePayment' || operation === 'createConsent') {
      const sent = requestBody === undefined ? undefined : tryJson(requestBody);
      if (isJsonObject(sent)) this.#sent.set(id, sent);
      return;
    }
    const sent = this.#sent.get(id);
    if (sent === undefined) return;
    if (operation === 'getPaymentInformation') comparePayment(found, sent, read);
    if (operation === 'getConsentInformation') compareConsent(found, sent, read);
  }
}

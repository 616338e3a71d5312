import {
  consentMoves,
  consentStatus,
  scaMoves,
  scaStatus,
  transactionMoves,
  transactionStatus,
} from '../../xs2a/codes.ts';
import { headerOf } from '../../xs2a/answer.ts';
import { checkIban, checkIsoDate } from '../../xs2a/check.ts';
import type { AnswerKind, Operation } from '../../xs2a/operations.ts';
import { mediaKind } from '../../xs2a/media.ts';
import { isJsonObject, JsonNumber, member, stringMember } from '../../xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../xs2a/json.ts';
import { tryJson } from '../../xs2a/tpp-messages.ts';
import { matchedOperation } from '../path.ts';
import { targetOf } from '../request.ts';
import type { AnswerTerms, JudgedAnswer } from './answer.ts';
import { AnswerFindings, quoted } from './finding.ts';
import type { AnswerFinding } from './finding.ts';
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
    if (operation === 'getPaymentInformation') {
      comparePayment(found, sent, read);
      compareTexts(found, sent, read);
    }
    if (operation === 'getConsentInformation') compareConsent(found, sent, read);
  }
}

function comparePayment(found: AnswerFindings, sent: JsonObject, read: JsonObject): void {
  const places = [
    ['instructedAmount', 'amount'],
    ['instructedAmount', 'currency'],
    ['creditorAccount', 'iban'],
    ['debtorAccount', 'iban'],
  ] as const;
  for (const [object, name] of places) {
    const [was, is] = [stringMember(sent[object], name), stringMember(read[object], name)];
    // A value that is none is told by its own rule.
    if (was === undefined || is === undefined || !isSound(name, is) || same(name, was, is)) continue;
    found.add(
      'answer-order-payment-changed',
      'order',
      `/${object}/${name}`,
      `${quoted(was)} was sent, and ${quoted(is)} is read.`,
    );
  }
}

/** Texts of a payment, which a bank may cut, write in capitals or in its own blanks, but not replace. */
const texts = ['creditorName', 'endToEndIdentification', 'remittanceInformationUnstructured'] as const;

function compareTexts(found: AnswerFindings, sent: JsonObject, read: JsonObject): void {
  for (const name of texts) {
    const [was, is] = [stringMember(sent, name), stringMember(read, name)];
    if (was === undefined || is === undefined || !isPlain(was) || !isPlain(is)) continue;
    const [one, other] = [plain(was), plain(is)];
    // A text that is too long is told by its own rule.
    if (one.startsWith(other) || other.length > 140 || (name === 'creditorName' && other.length > 70))
      continue;
    found.add(
      'answer-order-payment-changed',
      'order',
      `/${name}`,
      `${quoted(was)} was sent, and ${quoted(is)} is read.`,
    );
  }
}

/** Characters that nobody transliterates. */
const isPlain = (text: string): boolean => /^[ -~]+$/.test(text);
const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toUpperCase();

const isSound = (name: string, text: string): boolean =>
  name === 'iban'
    ? checkIban(text).ok
    : name === 'amount'
      ? /^-?\d{1,14}(\.\d{1,3})?$/.test(text)
      : /^[A-Z]{3}$/.test(text);

/** 1.5 is 1.50, and an account number is the same in groups. */
const same = (name: string, one: string, other: string): boolean =>
  name === 'amount'
    ? one.replace(/(\.\d*?)0*$/, '$1').replace(/\.$/, '') ===
      other.replace(/(\.\d*?)0*$/, '$1').replace(/\.$/, '')
    : one.replace(/\s/g, '') === other.replace(/\s/g, '');

function compareConsent(found: AnswerFindings, sent: JsonObject, read: JsonObject): void {
  const [wished, given] = [member(sent, 'frequencyPerDay'), member(read, 'frequencyPerDay')];
  if (wished instanceof JsonNumber && given instanceof JsonNumber && given.value > wished.value)
    found.add(
      'answer-order-consent-wider',
      'order',
      '/frequencyPerDay',
      `${given.text} is more than the ${wished.text} that was asked for.`,
    );
  const [last, until] = [stringMember(sent, 'validUntil'), stringMember(read, 'validUntil')];
  if (last !== undefined && until !== undefined && checkIsoDate(until).ok && until > last)
    found.add(
      'answer-order-consent-wider',
      'order',
      '/validUntil',
      `${until} is later than the ${last} that was asked for.`,
    );
  if (member(sent, 'recurringIndicator') === false && member(read, 'recurringIndicator') === true)
    found.add(
      'answer-order-consent-wider',
      'order',
      '/recurringIndicator',
      'One access was asked for, and it recurs.',
    );
  const [asked, access] = [member(sent, 'access'), member(read, 'access')];
  if (isJsonObject(asked) && isJsonObject(access)) compareAccess(found, asked, access);
}

/** What a TPP asks for by a word, without naming accounts. */
const globalAccess = ['allPsd2', 'availableAccounts', 'availableAccountsWithBalance'];

/** A consent for named accounts is for these; where none is named, the PSU chooses at the bank. */
function compareAccess(found: AnswerFindings, asked: JsonObject, access: JsonObject): void {
  const isGlobal = globalAccess.some((name) => (asked[name] ?? null) !== null);
  for (const name of globalAccess)
    if (!isGlobal && (access[name] ?? null) !== null)
      found.add('answer-order-consent-wider', 'order', `/access/${name}`, `${name} was not asked for.`);
  const listed = (one: JsonObject, name: string) => (Array.isArray(one[name]) ? one[name] : []);
  const named = ['accounts', 'balances', 'transactions'].flatMap((name) => listed(asked, name));
  const known = named.map((one) => stringMember(one, 'iban')?.replace(/\s/g, ''));
  if (known.length === 0 || known.includes(undefined)) return;
  for (const name of ['accounts', 'balances', 'transactions'])
    for (const [at, one] of listed(access, name).entries()) {
      const iban = stringMember(one, 'iban');
      if (iban === undefined || !checkIban(iban).ok || known.includes(iban.replace(/\s/g, ''))) continue;
      found.add(
        'answer-order-consent-wider',
        'order',
        `/access/${name}/${String(at)}/iban`,
        `${quoted(iban)} is not one of the accounts that were asked for.`,
      );
    }
}

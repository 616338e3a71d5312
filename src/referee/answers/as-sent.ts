/** What is read, held against what was sent to make it. */
import { checkIban, checkIsoDate } from '../../standard/xs2a/check.ts';
import { frequencies } from '../../standard/xs2a/code-lists.ts';
import { isJsonObject, JsonNumber, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { quoted } from './finding.ts';
import type { AnswerFindings, AnswerPlace } from './finding.ts';

/** Judges whether a payment, each entry of a bulk payment, and the frequency of a periodic one are read as they were sent. */
export function comparePayment(found: AnswerFindings, sent: JsonObject, read: JsonObject): void {
  const place = found.at('order');
  compareOrder(place, sent, read);
  const [was, is] = [stringMember(sent, 'frequency'), stringMember(read, 'frequency')];
  if (was !== undefined && is !== undefined && was !== is && frequencies.some(({ code }) => code === is))
    changed(place.in('frequency'), was, is);
  const [entries, listed] = [sent['payments'], read['payments']];
  if (!Array.isArray(entries) || !Array.isArray(listed)) return;
  if (entries.length !== listed.length) {
    changed(place.in('payments'), `${String(entries.length)} payments`, String(listed.length));
    return;
  }
  // A bank may list the entries in another order.
  const keys = [entries, listed].map((all) => all.map(keyOfEntry).sort().join('\n'));
  if (keys[0] === keys[1]) return;
  for (const [at, one] of listed.entries()) {
    const entry = entries[at];
    if (isJsonObject(entry) && isJsonObject(one)) compareOrder(place.in('payments').in(at), entry, one);
  }
}

function compareOrder(at: AnswerPlace, sent: JsonObject, read: JsonObject): void {
  for (const [object, name] of places) {
    const [was, is] = [stringMember(sent[object], name), stringMember(read[object], name)];
    // A value that is none is told by its own rule.
    if (was === undefined || is === undefined || !isSound(name, is) || same(name, was, is)) continue;
    changed(at.in(object).in(name), was, is);
  }
  compareTexts(at, sent, read);
}

const places = [
  ['instructedAmount', 'amount'],
  ['instructedAmount', 'currency'],
  ['creditorAccount', 'iban'],
  ['debtorAccount', 'iban'],
] as const;

const keyOfEntry = (entry: JsonValue): string =>
  JSON.stringify([
    ...places.map(([object, name]) => normal(name, stringMember(member(entry, object), name) ?? '')),
    ...texts.map((name) => plain(stringMember(entry, name) ?? '')),
  ]);

function changed(at: AnswerPlace, was: string, is: string): void {
  at.add('answer-order-payment-changed', `${quoted(was)} was sent, and ${quoted(is)} is read.`);
}

/** Texts of a payment, which a bank may cut, write in capitals or in its own blanks, but not replace. */
const texts = ['creditorName', 'endToEndIdentification', 'remittanceInformationUnstructured'] as const;

function compareTexts(at: AnswerPlace, sent: JsonObject, read: JsonObject): void {
  for (const name of texts) {
    const [was, is] = [stringMember(sent, name), stringMember(read, name)];
    if (was === undefined || is === undefined || !isPlain(was) || !isPlain(is)) continue;
    const [one, other] = [plain(was), plain(is)];
    // A text that is too long is told by its own rule.
    if (one.startsWith(other) || other.length > 140 || (name === 'creditorName' && other.length > 70))
      continue;
    changed(at.in(name), was, is);
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

/** Tells whether two values are one: 1.5 is 1.50, and an account number is the same in groups. */
export const same = (name: string, one: string, other: string): boolean =>
  normal(name, one) === normal(name, other);

const normal = (name: string, text: string): string =>
  name === 'amount' ? text.replace(/(\.\d*?)0*$/, '$1').replace(/\.$/, '') : text.replace(/\s/g, '');

/** Judges whether a consent is for more than was asked for. */
export function compareConsent(found: AnswerFindings, sent: JsonObject, read: JsonObject): void {
  const at = found.at('order');
  const [wished, given] = [member(sent, 'frequencyPerDay'), member(read, 'frequencyPerDay')];
  if (wished instanceof JsonNumber && given instanceof JsonNumber && given.value > wished.value)
    at.in('frequencyPerDay').add(
      'answer-order-consent-wider',
      `${given.text} is more than the ${wished.text} that was asked for.`,
    );
  const [last, until] = [stringMember(sent, 'validUntil'), stringMember(read, 'validUntil')];
  if (last !== undefined && until !== undefined && checkIsoDate(until).ok && until > last)
    at.in('validUntil').add(
      'answer-order-consent-wider',
      `${until} is later than the ${last} that was asked for.`,
    );
  if (member(sent, 'recurringIndicator') === false && member(read, 'recurringIndicator') === true)
    at.in('recurringIndicator').add('answer-order-consent-wider', 'One access was asked for, and it recurs.');
  const [asked, access] = [member(sent, 'access'), member(read, 'access')];
  if (isJsonObject(asked) && isJsonObject(access)) compareAccess(at.in('access'), asked, access);
}

/** What a TPP asks for by a word, without naming accounts. */
const globalAccess = ['allPsd2', 'availableAccounts', 'availableAccountsWithBalance'];

/** A consent for named accounts is for these; where none is named, the PSU chooses at the bank. */
function compareAccess(place: AnswerPlace, asked: JsonObject, access: JsonObject): void {
  const isGlobal = globalAccess.some((name) => (asked[name] ?? null) !== null);
  for (const name of globalAccess)
    if (!isGlobal && (access[name] ?? null) !== null)
      place.in(name).add('answer-order-consent-wider', `${name} was not asked for.`);
  const listed = (one: JsonObject, name: string) => (Array.isArray(one[name]) ? one[name] : []);
  const named = ['accounts', 'balances', 'transactions'].flatMap((name) => listed(asked, name));
  const known = named.map((one) => stringMember(one, 'iban')?.replace(/\s/g, ''));
  if (known.length === 0 || known.includes(undefined)) return;
  for (const name of ['accounts', 'balances', 'transactions'])
    for (const [at, one] of listed(access, name).entries()) {
      const iban = stringMember(one, 'iban');
      if (iban === undefined || !checkIban(iban).ok || known.includes(iban.replace(/\s/g, ''))) continue;
      place
        .in(name)
        .in(at)
        .in('iban')
        .add('answer-order-consent-wider', `${quoted(iban)} is not one of the accounts that were asked for.`);
    }
}

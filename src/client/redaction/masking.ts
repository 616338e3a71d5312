import { ibanForm } from '../../base/values.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';

const numbers = new RegExp(`\\b${ibanForm.source}\\b`, 'g');
/** An account number as it stands on paper, in groups of four; of words in capitals it has more digits. */
const inGroups = /\b[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?\b/g;
const compact = (text: string): string => {
  const number = text.replaceAll(' ', '');
  return /(?:\D*\d){8}/.test(number) ? `${number.slice(0, 4)}…${number.slice(-4)}` : text;
};
const maskedNumbers = /\b([A-Z]{2}\d{2})…([A-Z0-9]{4})\b/g;

/** Masks account numbers for records that outlive the call: country, check digits and the last four stay. */
export function maskAccounts(text: string): string {
  return text.replace(numbers, (number) => `${number.slice(0, 4)}…${number.slice(-4)}`);
}

/** The account numbers that masking takes out of a text, in their order; none where the policy forbids to show them. */
export function accountsIn(text: string): string[] {
  return isWanted() ? [] : (text.match(numbers) ?? []);
}

/** A masked text with its account numbers put back, in their order; a place that none of them fits stays masked. */
export function unmasked(text: string, accounts: readonly string[]): string {
  let next = 0;
  return text.replace(maskedNumbers, (place, start: string, end: string) => {
    const account = accounts[next] ?? '';
    if (!account.startsWith(start) || !account.endsWith(end)) return place;
    next += 1;
    return account;
  });
}

let isWanted: () => boolean = () => false;

/** Says whether the administrator of this machine wants account numbers masked wherever a call is shown or written out. */
export function maskWhere(wanted: () => boolean): void {
  isWanted = wanted;
}

/** A text of a call as it is shown on this machine: where the policy says so, without account numbers. */
export function maskedText(text: string): string {
  if (!isWanted()) return text;
  // Numbers without a form of their own are known by their members.
  return maskAccounts(text)
    .replace(inGroups, compact)
    .replace(/("(?:pan|bban|msisdn)"\s*:\s*")[^"]*(?=")/g, '$1…');
}

/** A call as it is shown on this machine. */
export function maskedView(view: ExchangeView): ExchangeView {
  if (!isWanted()) return view;
  const { request, answer, failure } = view;
  return {
    ...view,
    url: maskedText(view.url),
    request: { ...request, body: maskedText(request.body) },
    ...(answer && {
      answer: {
        ...answer,
        headers: answer.headers.map(({ name, value }) => ({ name, value: maskedText(value) })),
        body: maskedText(answer.body),
        messages: answer.messages.map((one) => ({
          ...one,
          ...(one.text !== undefined && { text: maskedText(one.text) }),
        })),
      },
    }),
    ...(failure && { failure: { ...failure, why: maskedText(failure.why) } }),
  };
}

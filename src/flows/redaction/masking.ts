import type { ExchangeView } from '../../records/exchange.ts';

/** Masks account numbers for records that outlive the call: country, check digits and the last four stay. */
export function maskAccounts(text: string): string {
  return text.replace(/\b([A-Z]{2}\d{2})[A-Z0-9]{7,26}([A-Z0-9]{4})\b/g, '$1…$2');
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
  return maskAccounts(text).replace(/("(?:pan|bban|msisdn)"\s*:\s*")[^"]*(?=")/g, '$1…');
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

// Requests as a TPP writes them by hand, each made of a few facts of the guidelines; nothing of obk has a part in them.
import { judge } from '../../src/referee/judge.ts';
import type { RefereeFinding } from '../../src/referee/finding.ts';

type Header = readonly [name: string, value: string];

/** A request as it is on the wire. */
export interface HandRequest {
  framework: keyof typeof prefixes;
  method: string;
  /** Path and query. */
  target: string;
  headers: readonly Header[];
  body: string;
}

/** Where each framework is served. */
const prefixes = { '1.3.2': '/v1', '1.3.6': '/v136', '1.3.12': '/v1' } as const;

/** The day of the requests. */
const handDay = new Date('2026-06-10T12:00:00Z');

/** An id that a bank has given. */
export const id = '4711aaaa-0000-4000-8000-00000000000a';
export const authorisations = `/payments/sepa-credit-transfers/${id}/authorisations`;
export const iban = 'DE40100100103307118608';
export const euro = (amount: string) => ({ currency: 'EUR', amount });

export const requestId: Header = ['X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'];
export const json: Header = ['Content-Type', 'application/json'];
const ip: Header = ['PSU-IP-Address', '192.0.2.1'];
const back: Header = ['TPP-Redirect-URI', 'https://tpp.example/cb'];
const creation = [requestId, ip, json, ['PSU-ID', 'anna'], back] as const;

/** What differs from a request. */
export const but = (request: HandRequest, changes: Partial<HandRequest>): HandRequest => ({
  ...request,
  ...changes,
});

/** The request without a header, or with another value of it. */
export function header(request: HandRequest, name: string, value?: string): HandRequest {
  const others = request.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return but(request, { headers: value === undefined ? others : [...others, [name, value]] });
}

type Framework = HandRequest['framework'];

export function call(
  method: string,
  path: string,
  { framework = '1.3.6', headers = [], body = '' }: Partial<Omit<HandRequest, 'method' | 'target'>> = {},
): HandRequest {
  return { framework, method, target: prefixes[framework] + path, headers: [requestId, ...headers], body };
}

const create = (path: string, body: object, framework: Framework): HandRequest => ({
  framework,
  method: 'POST',
  target: prefixes[framework] + path,
  headers: creation,
  body: JSON.stringify(body),
});

const transfer = {
  instructedAmount: euro('10.00'),
  creditorName: 'Shop',
  creditorAccount: { iban: 'DE89370400440532013000' },
};

export const payment = (
  members: object = {},
  framework: Framework = '1.3.6',
  product = 'sepa-credit-transfers',
): HandRequest =>
  create(`/payments/${product}`, { debtorAccount: { iban }, ...transfer, ...members }, framework);

export const crossBorder = (members: object, framework: Framework = '1.3.6'): HandRequest =>
  payment(members, framework, 'cross-border-credit-transfers');

export const bulk = (members: object = {}): HandRequest =>
  create(
    '/bulk-payments/sepa-credit-transfers',
    { debtorAccount: { iban }, payments: [transfer], ...members },
    '1.3.6',
  );
export const bulkOf = (...members: object[]): HandRequest =>
  bulk({ payments: members.map((more) => ({ ...transfer, ...more })) });

export const standing = (members: object = {}, framework: Framework = '1.3.6'): HandRequest =>
  create(
    '/periodic-payments/sepa-credit-transfers',
    { debtorAccount: { iban }, ...transfer, startDate: '2026-07-01', frequency: 'Monthly', ...members },
    framework,
  );

export const consent = (members: object = {}, framework: Framework = '1.3.6'): HandRequest =>
  create(
    '/consents',
    {
      access: { accounts: [{ iban }] },
      recurringIndicator: true,
      validUntil: '2026-09-01',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
      ...members,
    },
    framework,
  );
export const access = (members: object, framework: Framework = '1.3.6'): HandRequest =>
  consent({ access: members }, framework);

export const basket = (members: object, ...headers: Header[]): HandRequest =>
  call('POST', '/signing-baskets', {
    headers: [ip, json, back, ...headers],
    body: JSON.stringify(members),
  });

export const funds = (members: object = {}): HandRequest =>
  call('POST', '/funds-confirmations', {
    headers: [json],
    body: JSON.stringify({ account: { iban }, instructedAmount: euro('1.00'), ...members }),
  });

/** A call of an authorisation: PUT goes on with it, POST starts it. */
export const step = (
  body: object,
  { method = 'PUT', framework = '1.3.6' }: { method?: string; framework?: Framework } = {},
): HandRequest =>
  call(method, method === 'PUT' ? `${authorisations}/${id}` : authorisations, {
    framework,
    headers: [json],
    body: JSON.stringify(body),
  });

/** A read under a consent. */
export const read = (
  path: string,
  framework: Framework = '1.3.6',
  ...headers: readonly Header[]
): HandRequest => call('GET', path, { framework, headers: [ip, ['Consent-ID', 'c-1'], ...headers] });

export const transactions = (
  query: string,
  framework: Framework = '1.3.6',
  ...headers: readonly Header[]
): HandRequest => read(`/accounts/${id}/transactions?${query}`, framework, ...headers);

/** What the referee finds in a request. */
export async function findingsIn({
  framework,
  method,
  target,
  headers,
  body,
}: HandRequest): Promise<readonly RefereeFinding[]> {
  const variant = { framework, prefix: prefixes[framework], surface: 'framework' as const };
  return (await judge({ method, target, headers, body: Buffer.from(body) }, { variant, now: handDay }))
    .findings;
}

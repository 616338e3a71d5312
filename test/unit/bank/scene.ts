import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { startBank } from '../../helpers/bank.ts';
import type { TestBank } from '../../helpers/bank.ts';
import { controlOf } from '../../helpers/control.ts';
import { judgedTpp, payment, testJudge } from './tpp.ts';
import type { TestAnswer } from './tpp.ts';

/** Where browsers are led back to. */
export const back = 'http://127.0.0.1:9/back';

export type Links = Record<string, { href: string }>;

/** A created payment. */
export interface Created {
  created: TestAnswer;
  id: string;
  links: Links;
}

/** What the test says of a payment; without `named`, no PSU-ID is sent. */
export interface CreateOptions {
  prefix?: string;
  more?: object;
  headers?: object;
  named?: boolean;
}

export const href = (links: Links, name: string): string =>
  links[name]?.href ?? `no ${name} in ${Object.keys(links).join(', ')}`;

/** Status and code of an error. */
export const codeOf = ({ status, json }: TestAnswer): [number, string | undefined] => [
  status,
  json?.tppMessages?.[0]?.code,
];

/** The names of the links that lead on. */
export const leads = (links: Links): string[] =>
  Object.keys(links).filter((name) => !['self', 'status', 'scaStatus'].includes(name));

/** A bank of the file's own with a clock that stands still, one minute later for each test, and a TPP that is judged. */
export function useScene(
  variants?: Parameters<typeof judgedTpp>[1],
  options: Parameters<typeof startBank>[0] = {},
) {
  const clock = { ms: Date.parse('2026-06-01T12:00:00Z'), now: () => new Date(clock.ms) };
  let bank: TestBank;
  let call: ReturnType<typeof judgedTpp>;
  beforeAll(async () => {
    bank = await startBank({ ...options, clock });
    call = judgedTpp(bank, variants);
  });
  beforeEach(() => {
    clock.ms += 60_001;
  });
  afterAll(() => bank.close());
  testJudge(() => bank);
  return {
    clock,
    get bank(): TestBank {
      return bank;
    },
    control: (...asked: Parameters<ReturnType<typeof controlOf>>) => controlOf(bank)(...asked),
    call: (...[method, path, options]: Parameters<typeof call>) => call(method, path, options),
    async create(psuId: string, options: CreateOptions = {}): Promise<Created> {
      const { prefix = 'v136', more = {}, headers = {}, named = true } = options;
      const created = await call('POST', `/${prefix}/payments/sepa-credit-transfers`, {
        body: { ...payment(bank.person(psuId).accounts[0]!.iban, '1.00'), ...more },
        headers: { ...(named && { 'PSU-ID': psuId }), 'TPP-Redirect-URI': back, ...headers },
      });
      expect(created.status, created.text).toBe(201);
      return { created, id: created.json.paymentId as string, links: created.json._links as Links };
    },
    statusOf: async (links: Links) =>
      (await call('GET', href(links, 'status'))).json.transactionStatus as string,
    scaOf: async (links: Links) => (await call('GET', href(links, 'scaStatus'))).json.scaStatus as string,
  };
}

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { startBank } from './bank.ts';
import type { TestBank } from './bank.ts';

/** An answer as it came. */
export interface Told {
  status: number;
  headers: Headers;
  text: string;
  /** The body, where it is JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a bank says may be anything
  json: any;
}

interface Sent {
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  json?: object;
}

/** The bank inside as a file describes it, called by bytes of the test's own; obk has no part in it. */
export interface DescribedBank {
  bank: TestBank;
  ask: (method: string, path: string, sent?: Sent) => Promise<Told>;
}

/** Starts a bank that nobody has to sign for, unless the settings say otherwise. */
export type StartDescribed = (
  settings: object,
  more?: Parameters<typeof startBank>[0],
) => Promise<DescribedBank>;

/** The banks of one test file, which end with it: files share a process and what is loaded in it. */
export function describedBanks(): StartDescribed {
  const open: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  return async (settings, more = {}) => {
    const folder = mkdtempSync(join(tmpdir(), 'obk-described-'));
    const file = join(folder, 'bank.json');
    const usual = { framework: '1.3.6', prefix: '/v1', signing: { mode: 'none' } };
    writeFileSync(file, JSON.stringify({ ...usual, ...settings }));
    const bank = await startBank({ bank: file, ...more });
    rmSync(folder, { recursive: true, force: true });
    open.push(bank);
    return calling(bank);
  };
}

function calling(bank: TestBank): DescribedBank {
  return {
    bank,
    async ask(method, path, { headers = {}, body, json } = {}) {
      const content = body ?? (json && JSON.stringify(json));
      const answer = await fetch(bank.baseUrl + path, {
        method,
        redirect: 'manual',
        headers: {
          'X-Request-ID': randomUUID(),
          'PSU-IP-Address': '192.0.2.1',
          ...(json && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, json: jsonIn(text) };
    },
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A payment in JSON from the account of a PSU. */
export const paymentOf = ({ bank }: DescribedBank, psuId: string, more: object = {}): object => ({
  debtorAccount: { iban: bank.person(psuId).accounts[0]?.iban },
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Shop',
  remittanceInformationUnstructured: `Order ${String(Math.random())}`,
  ...more,
});

export const payments = '/v1/payments/sepa-credit-transfers';

/** The status and the first code of a refusal. */
export const codeOf = ({ status, json }: Told): [number, string | undefined] => [
  status,
  (json as { tppMessages?: { code: string }[] } | undefined)?.tppMessages?.[0]?.code,
];

/** A valid consent to all accounts of a PSU who approves at the bank; its id. */
export async function consentOf({ ask, bank }: DescribedBank, psuId = 'redirect'): Promise<string> {
  const asked = await ask('POST', '/v1/consents', {
    headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': 'https://tpp.example/back' },
    json: {
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      combinedServiceIndicator: false,
      validUntil: '9999-12-31',
      frequencyPerDay: 4,
    },
  });
  expect(asked.status, asked.text).toBe(201);
  const { consentId } = asked.json as { consentId: string };
  bank.decide('approve', consentId, psuId);
  return consentId;
}

// The files from 1.3.8 on have the details of a transaction within transactionsDetails twice by their schema, and once by their example.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runInside } from '../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-wrapped-'));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };

const details = (transactionId = 't-1', amount: object = { currency: 'EUR', amount: '1.00' }) => ({
  transactionId,
  transactionAmount: amount,
});

/** The rules and places of what is wrong with an answer to GET /v1/accounts/a-1/transactions/t-1. */
async function found(framework: string, body: object): Promise<string[]> {
  const id = { name: 'X-Request-ID', value: '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' };
  const json = { name: 'Content-Type', value: 'application/json' };
  const headers = [id, { name: 'Consent-ID', value: 'c-1' }, { name: 'Accept', value: 'application/json' }];
  const request = { method: 'GET', url: 'https://bank.example/v1/accounts/a-1/transactions/t-1', headers };
  const content = { size: 0, mimeType: 'application/json', text: JSON.stringify(body) };
  const response = { status: 200, headers: [id, json], content };
  const entries = [{ startedDateTime: '2026-11-20T10:00:00.000Z', time: 1, request, response }];
  writeFileSync(join(home, 'call.har'), JSON.stringify({ log: { version: '1.2', entries } }));
  const line = ['check', 'call.har', '--framework', framework, '--json', '--no-input'];
  const { stdout, stderr } = await runInside(line, { env, cwd: home, input: '' });
  expect(stderr).toBe('');
  const { exchanges } = JSON.parse(stdout) as {
    exchanges: { findings: { side: string; rule: string; pointer: string }[] }[];
  };
  return exchanges.flatMap(({ findings }) =>
    findings.filter(({ side }) => side === 'answer').map(({ rule, pointer }) => `${rule} ${pointer}`),
  );
}

const once = (inner: object = details()) => ({ transactionsDetails: inner });
const twice = (inner: object = details()) => once({ transactionDetails: inner });
const at = '/transactionsDetails/transactionDetails';

it.each<[string, object, string[]]>([
  ['1.3.6', once(), []],
  ['1.3.6', twice(), ['answer-member-missing /transactionsDetails/transactionAmount']],
  ...['1.3.8', '1.3.11', '1.3.12'].flatMap((framework): [string, object, string[]][] => [
    [framework, once(), []],
    [framework, twice(), []],
    [framework, twice(details('t-2')), [`answer-report-account ${at}/transactionId`]],
    [
      framework,
      twice(details('t-1', { currency: 'EUR', amount: 1 })),
      [`answer-amount ${at}/transactionAmount/amount`, `answer-tolerated ${at}/transactionAmount/amount`],
    ],
    [framework, once({}), ['answer-member-missing /transactionsDetails/transactionAmount']],
  ]),
])('a wrapped transaction is judged in %s: %j', async (framework, body, wrong) => {
  expect(await found(framework, body)).toEqual(wrong);
});

// `obk check` at the bank inside under each of its switches: nothing is found where the bank is lawful, and by the right rule where it is not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckRun } from '../../src/settings/records/check-run.ts';
import { standardScenario, switches } from '../../src/bank/rules/scenario.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import { part, ranTable } from '../helpers/trials.ts';

/** Values of the form that a switch has beside its fixed ones. */
const open: Readonly<Record<string, readonly string[]>> = {
  productApproach: ['sepa-credit-transfers:redirect'],
  attempts: ['1'],
  redirectLink: ['1-minutes'],
  multilevel: ['from-1000.00'],
  feeAmount: ['0.10'],
  validUntil: ['1-days'],
  frequencyPerDay: ['up-to-100'],
  bookingStatuses: ['booked', 'booked,both'],
  reportFormats: ['json', 'camt.053', 'camt.052,text'],
  pages: ['of-1', 'of-5'],
};
/** What is about who may call, or refuses whom this test is. */
const others = [
  ...['rateLimit', 'signature', 'signatureProfile', 'dateHeader', 'clientCertificate', 'oauthPreStep'],
  'surface',
];
/** What no framework has. */
const unlawful: Readonly<Record<string, readonly string[]>> = {
  'hrefs without-product': ['answer-link-target'],
  'hrefs foreign': ['answer-link-target'],
  'links misspelt': ['answer-link-name'],
  'links none': ['answer-link-missing', 'answer-member-missing'],
  'statuses unknown': ['answer-code'],
};
const all = Object.entries(switches)
  .filter(([name]) => !others.includes(name))
  .flatMap(([name, { values }]) =>
    [...Object.keys(values).slice(1), ...(open[name] ?? [])].map((value) => [name, value] as const),
  );

let bank: TestBank;
const home = mkdtempSync(join(tmpdir(), 'obk-policies-'));
const psuId = 'embedded-one';
const obk = (words: readonly string[]) =>
  runInside([...words, '--json', '--no-input'], {
    env: {
      ...process.env,
      OBK_CONFIG_DIR: join(home, 'config'),
      OBK_STATE_DIR: join(home, 'state'),
      PASSWORD: bank.person(psuId).password,
      OTP: bank.person(psuId).otp,
    },
    cwd: home,
    input: '',
    bound: 60_000,
  });
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  bank.scenario({ surface: 'framework' });
  for (const variant of ['v1', 'v136']) {
    const made = await obk([
      ...['profile', 'create', variant, '--variant', variant, '--environment', 'sandbox'],
      ...['--base-url', bank.baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath],
      ...['--psu-id', psuId, '--psu-ip', '192.0.2.1', '--surface', 'framework'],
      ...['--redirect-uri', 'https://tpp.example/back'],
    ]);
    expect(made.code, made.stderr).toBe(0);
  }
}, 60_000);
afterAll(async () => {
  ranTable(`${String(all.length)} values of switches`);
  await bank.close();
  rmSync(home, { recursive: true, force: true });
});

/** Reads need a consent, which is made while the bank is as usual. */
async function consented(profile: string) {
  const made = await obk([
    ...['consent', 'create', '--all-psd2', '--recurring', '--profile', profile],
    ...['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP'],
  ]);
  expect(made.code, made.stderr).toBe(0);
}

it.each(
  part(
    all.map(([name, value], at) => [name, value, at % 2 === 0 ? 'v136' : 'v1'] as const),
    27,
    0,
  ),
)('check finds nothing with %s %s, as %s', { timeout: 60_000 }, async (name, value, profile) => {
  await consented(profile);
  bank.scenario({ [name]: value });
  const [debtor = '', creditor = ''] = [psuId, 'redirect'].map((one) => bank.person(one).accounts[0]?.iban);
  const { stdout, stderr } = await obk([
    ...['check', '--profile', profile, '--writes', '--wrong-requests'],
    ...['--debtor', debtor, '--creditor', creditor],
  ]);
  bank.scenario({ [name]: standardScenario[name as keyof typeof standardScenario] });
  expect(stdout, stderr).not.toBe('');
  const { cases } = JSON.parse(stdout) as CheckRun;
  const rules = cases.flatMap((one) => one.findings.map(({ rule }) => rule));
  const due = unlawful[`${name} ${value}`] ?? [];
  expect(rules.filter((rule) => !due.includes(rule))).toEqual([]);
  expect(due.length === 0 || rules.length > 0).toBe(true);
  expect(cases.some(({ verdict }) => verdict === 'pass')).toBe(true);
});

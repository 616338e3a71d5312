// What was done at the bank inside, recorded as a journey: it runs at once, and holds no secret and no id.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/program/pages.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import { part, ranTable } from '../helpers/trials.ts';

let bank: TestBank;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  env = {
    HOME: bank.stateDir,
    XDG_CONFIG_HOME: join(bank.stateDir, 'config'),
    OBK_STATE_DIR: bank.stateDir,
  };
  await commandTree();
}, 60_000);
afterAll(() => bank.close());

const obk = (...args: readonly string[]) => runInside(args, { env, cwd: bank.stateDir });

/** Does what a journey says, and returns the ids of its runs. */
async function done(text: string): Promise<string[]> {
  const before = new Set(await runs());
  const path = join(bank.stateDir, 'done.yaml');
  writeFileSync(path, text);
  const { code, stdout } = await obk('journey', 'run', path, '--profile', 'sandbox', '--json');
  expect(code, stdout).toBe(0);
  return (await runs()).filter((run) => !before.has(run)).reverse();
}

async function runs(): Promise<string[]> {
  const { stdout } = await obk('log', 'list', '--limit', '1000', '--json');
  return (JSON.parse(stdout) as { run: string }[]).map(({ run }) => run);
}

async function recorded(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await obk('journey', 'record', ...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** Runs a recorded journey, and tells what it came to. */
async function again(text: string) {
  const path = join(bank.stateDir, 'again.yaml');
  writeFileSync(path, text);
  const { code, stdout, stderr } = await obk('journey', 'run', path, '--json');
  return { code, wrong: `${stdout}\n${stderr}` };
}

const pay = (psuId: string, psu: string, more = '') => `journey: x
steps:
  - payment init:
      product: sepa-credit-transfers
      psu-id: ${psuId}
      creditor-account: DE89370400440532013000
      creditor-name: Shop
      amount: '4.00'
${more}    psu: ${psu}
    save: payment
`;

/** Several payments in one journey. */
const pays = (all: readonly (readonly [psuId: string, psu: string])[]) =>
  all
    .map(([psuId, psu]) => pay(psuId, psu).replace('save: payment', `save: ${psuId.replace('-', '_')}`))
    .map((text, at) => (at === 0 ? text : text.slice(text.indexOf('  - '))))
    .join('');

const cases = [
  [
    'every approach',
    pays([
      ['redirect', 'approve'],
      ['oauth', 'approve'],
      ['decoupled', 'approve'],
      ['embedded-choice', '{ does: approve, method: SMS_OTP }'],
    ]),
  ],
  [
    'requests of its own, and what they have made',
    `journey: x
steps:
  - http:
      method: POST
      path: consents
      headers: { PSU-ID: embedded-one }
      body: { access: { allPsd2: allAccounts }, recurringIndicator: true, validUntil: '2099-12-31', frequencyPerDay: 4, combinedServiceIndicator: false }
    save: consent
    expect: { status: 201 }
  - http: { method: GET, path: consents/$consent.consentId/status }
    expect: { status: 200 }
  - http: { method: POST, path: consents/$consent.consentId/authorisations, headers: { PSU-ID: embedded-one } }
    save: started
    expect: { status: 201 }
  - http: { method: GET, path: consents/$consent.consentId/authorisations/$started.authorisationId }
    expect: { status: 200 }
  - http:
      method: POST
      path: payments/sepa-credit-transfers
      headers: { PSU-ID: embedded-one }
      body: { debtorAccount: { iban: DE25990010000000001999 }, creditorAccount: { iban: DE89370400440532013000 }, creditorName: Shop, instructedAmount: { currency: EUR, amount: '4.00' } }
    save: payment
    expect: { status: 201 }
  - consent delete: $consent.consentId
  - payment cancel: $payment.paymentId
`,
  ],
  [
    'wrong entries and a refusal',
    `${pays([
      ['embedded-one', 'wrong otp then right'],
      ['redirect', 'refuse'],
    ])}    expect: { exit: declined }\n`,
  ],
  [
    'an entry that was wrong and the only one',
    pays([
      ['embedded-one', 'wrong otp'],
      ['embedded-none', 'wrong password'],
    ]).replaceAll(/ {4}save: .*\n/g, '    expect: { exit: declined }\n'),
  ],
  [
    'a login of a PSU before any call, and a payment with its token',
    `journey: x
steps:
  - auth login: { psu-id: oauth-prestep }
    psu: approve
${pay('oauth-prestep', 'approve').replace(/^[^]*steps:\n/, '')}`,
  ],
  [
    'a cancellation',
    `${pay('next-day', 'approve')}  - payment cancel: $payment.paymentId
    psu: approve
    expect: { body: { transactionStatus: CANC } }
`,
  ],
  [
    'a payment in two runs',
    `${pay('embedded-one', 'approve', '      authorise-later: true\n')}  - payment authorise: $payment.paymentId
    psu: approve
  - payment status: $payment.paymentId
`,
  ],
  [
    'a consent and what is read with it',
    `journey: x
steps:
  - consent create: { psu-id: redirect, all-psd2: true, recurring: true, frequency: '4' }
    psu: approve
    save: consent
  - accounts list: { consent: $consent.consentId }
    save: accounts
  - accounts balances: { id: $accounts.0.resourceId, consent: $consent.consentId }
  - transactions list: { account: $accounts.0.iban, consent: $consent.consentId }
  - consent delete: $consent.consentId
`,
  ],
  [
    'funds and a call of the api',
    `journey: x
steps:
  - funds check: { account: DE25990010000000001999, amount: '1.00' }
  - api: { what: GET, path: payments/sepa-credit-transfers/none/status }
    expect: { exit: rejected }
`,
  ],
  [
    'two signatories',
    `${pay('pair-a', 'approve')}    expect: { exit: pending }
  - payment authorise: { id: $payment.paymentId, psu-id: pair-b, new: true }
    psu: approve
`,
  ],
] as const;

afterAll(() => {
  ranTable(`${String(cases.length)} recorded journeys run again`);
});

describe('a recorded journey', () => {
  it.each([...cases.slice(0, 3), ...part(cases.slice(3), 6, 1)])(
    'runs at once for %s',
    async (name, text) => {
      const made = await done(text);
      // The last run is about a payment of an earlier one, which comes with it.
      const journey = await recorded(...(name === 'a cancellation' ? [] : made));
      const { code, wrong } = await again(journey);
      expect(code, `${journey}\n${wrong}`).toBe(0);
      // An id of the bank, or a secret of the PSU, would make it a journey of this one day.
      expect(journey).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
      for (const { password, otp } of bank.people) {
        expect(journey).not.toContain(password);
        expect(journey).not.toContain(otp);
      }
      const steps = journey.slice(journey.indexOf('\nsteps:'));
      expect(steps).not.toMatch(/DE[0-9]{20}|4\.00/);
    },
  );
});

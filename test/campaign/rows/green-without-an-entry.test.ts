// A step in which the customer has entered nothing is no success at any bank, and the report names what is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { trials } from '../../helpers/trials.ts';
import { payerAt } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank } from '../plain-bank.ts';

const fields = `product: sepa-credit-transfers, debtor: DE65990010000000002443, creditor-account: DE89370400440532013000, creditor-name: Shop, amount: '1.00', sca-method: sms`;
const commands = {
  'payment init': `- payment init: { ${fields} }\n    PSU`,
  'payment init, later': `- payment init: { ${fields}, authorise-later: true }\n    save: made\n  - payment authorise: $made.paymentId\n    PSU`,
  'consent create': `- consent create: { all-psd2: true }\n    PSU`,
} as const;
const bound = {
  nothing: { psu: '', secrets: [], missing: '--psu-password-from' },
  'the password': { psu: ', password: pw', secrets: ['pw'], missing: '--otp-from' },
  'the code': { psu: ', otp: code', secrets: ['code'], missing: '--psu-password-from' },
} as const;
const actions = [
  'approve',
  'refuse',
  'wrong otp',
  'wrong password',
  'wrong otp then right',
  'wrong password then right',
] as const;

const cases = actions.flatMap((does) =>
  (Object.keys(commands) as (keyof typeof commands)[]).flatMap((command) =>
    (Object.keys(bound) as (keyof typeof bound)[]).map((has) => ({ command, has, does })),
  ),
);
const row = trials('green', 9);
const chosen = cases.filter((_, at) => (at * row.count) % cases.length < row.count);

let bank: PlainBank;
let payer: Payer;
beforeAll(async () => {
  bank = await startPlainBank();
});
afterAll(async () => {
  row.report('steps without an entry fail', chosen.length);
  await bank.close();
});
beforeEach(async () => {
  bank.afresh();
  payer = await payerAt(bank.baseUrl);
});
afterEach(() => {
  payer.close();
});

async function run(command: keyof typeof commands, psu: string, names: readonly string[]) {
  const step = commands[command].replace('PSU', `psu: { ${psu} }`);
  const secrets = 'secrets: { pw: a password, code: a code }\n';
  writeFileSync(
    join(payer.home, 'j.yaml'),
    `journey: J\n${names.length > 0 ? secrets : ''}steps:\n  ${step}\n`,
  );
  const references = { pw: 'env:PLAIN_PASSWORD', code: 'env:PLAIN_CODE' } as Record<string, string>;
  const { code, stderr } = await payer.run(
    ...['journey', 'run', 'j.yaml', '--profile', 'plain', '--junit', 'j.xml', '--no-input'],
    ...names.flatMap((name) => ['--secret', `${name}=${references[name] ?? ''}`]),
  );
  return { code, stderr, junit: readFileSync(join(payer.home, 'j.xml'), 'utf8') };
}

it.each(chosen)(
  'a journey without an entry is not green: $command, where a customer is to $does with $has bound',
  async ({ command, has, does }) => {
    const { psu, secrets, missing } = bound[has];
    const ran = await run(command, `does: ${does}${psu}`, secrets);
    const about = JSON.stringify([ran, bank.asked.map(({ what, body }) => `${what} ${body}`)]);
    expect(ran.code, about).toBe(10);
    expect(ran.junit, about).toContain('<failure');
    // A customer who refuses enters nothing.
    expect(ran.junit, about).toContain(does === 'refuse' ? '--psu-password-from' : missing);
    expect(bank.now.transactionStatus, about).toBe('RCVD');
  },
  row.timeout(30_000),
);

it.each(Object.keys(commands) as (keyof typeof commands)[])(
  'the command %s passes where everything is bound',
  async (command) => {
    const { code, stderr } = await run(command, 'does: approve, password: pw, otp: code', ['pw', 'code']);
    expect(code, stderr).toBe(0);
  },
  row.timeout(30_000),
);

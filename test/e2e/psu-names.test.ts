import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { createObk } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

const name = 'Jiří Čapek & 李';
const iban = 'DE02120300000000202051';
let bank: TestBank;
let obk: Obk;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-psu-'));
  const config = join(folder, 'bank.yaml');
  writeFileSync(
    config,
    `people: [{ psuId: '${name}', approach: EMBEDDED, accounts: [{ iban: ${iban}, balance: 100.00 }] }]\n`,
  );
  bank = await startBank({ config, database: join(folder, 'ledger.db') });
  obk = createObk();
  const keys = ['--certificate', bank.certificatePath, '--key', bank.keyPath];
  await obk.json(['profile', 'create', 'bank', '--base-url', bank.baseUrl, '--psu-ip', '192.0.2.1', ...keys]);
});
afterAll(async () => {
  obk.close();
  await bank.close();
});

const pay = (...more: string[]) => [
  ...['payment', 'init', '--profile', 'bank', '--product', 'sepa-credit-transfers', '--psu-id', name],
  ...['--creditor-name', 'Shop', '--debtor', iban, '--creditor-account', 'DE89370400440532013000'],
  ...['--amount', '1.00', '--no-input', ...more],
];

describe('a PSU with a name beyond ASCII', () => {
  it('pays, signed, and the referee has nothing to say', async () => {
    const { code, stderr } = await obk.run(pay());
    expect(code, stderr).toBe(0);
    const calls = await bank.bank.log(0);
    expect(calls.map(({ verdict, findings }) => ({ verdict, findings }))).toEqual([
      { verdict: 'accepted', findings: [] },
    ]);
  });

  it('is in a curl command as text, which a terminal sends as the same bytes', async () => {
    const { stdout } = await obk.run(['log', 'curl', '@last']);
    expect(stdout).toContain(`'PSU-ID: ${name}'`);
  });

  it('is judged and verified where a file has the request as text', async () => {
    const { stdout } = await obk.run(['log', 'curl', '@last']);
    const judged = await obk.run(['check', 'request', '-'], { input: stdout });
    expect(judged.stdout + judged.stderr).not.toContain('PSU-ID');
    const verified = await obk.run(['sign', 'verify', '-', '--certificate', bank.certificatePath], {
      input: stdout,
    });
    // The log has lost the body: of that the digest says nothing.
    expect(verified.stdout).toContain('ok The signature fits the signing string');
  });

  it('is found again when the customer is erased', async () => {
    const erased = (await obk.json(['log', 'erase', '--psu-id', name, '--profile', 'bank', '--dry-run'])) as {
      runs: unknown;
    };
    expect(JSON.stringify(erased)).not.toContain('"runs":[]');
  });
});

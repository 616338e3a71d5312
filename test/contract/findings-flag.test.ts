// `--findings` on any command: its calls are judged on both sides, what it prints on stdout stays as it is.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import type { InsideOptions } from '../helpers/inside.ts';

let bank: TestBank;
const psuId = 'embedded-one';
const home = mkdtempSync(join(tmpdir(), 'obk-findings-'));
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  const made = await obk([
    ...['profile', 'create', 'bank', '--variant', 'v1', '--environment', 'sandbox'],
    ...['--base-url', bank.baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath],
    ...['--psu-id', psuId, '--psu-ip', '192.0.2.1'],
  ]);
  expect(made.code, made.stderr).toBe(0);
}, 60_000);
afterAll(async () => {
  await bank.close();
  rmSync(home, { recursive: true, force: true });
});

const env = () => ({
  ...process.env,
  OBK_CONFIG_DIR: join(home, 'config'),
  OBK_STATE_DIR: join(home, 'state'),
});
const obk = (words: readonly string[], options: Partial<InsideOptions> = {}) =>
  runInside(words, { env: env(), cwd: home, input: '', ...options });

const create = ['consent', 'create', '--all-psd2', '--authorise-later', '--no-input', '--profile', 'bank'];
/** A consent with a body that no bank takes. */
const wrong = ['api', 'POST', '/consents', '-f', 'validUntil=soon', '--profile', 'bank', '--no-input'];
const spoil = () => {
  bank.fault({ operation: 'createConsent', kind: 'edit', edit: 'Location:' });
};
interface Told {
  side: string;
  rule: string;
  operation: string;
  status: number | null;
}
const lines = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { finding?: Told; error?: { code: string } });
const findings = (stderr: string) => lines(stderr).flatMap(({ finding }) => finding ?? []);

describe('--findings', () => {
  it('leaves the document and the exit code where nothing is found', async () => {
    const { code, stdout, stderr } = await obk([...create, '--findings', '--json']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('consentId');
    expect(findings(stderr)).toEqual([]);
  });

  it('reports what the bank does wrong as JSON on stderr, and ends with 10', async () => {
    spoil();
    const { code, stdout, stderr } = await obk([...create, '--findings', '--json']);
    expect(code, stderr).toBe(10);
    expect(JSON.parse(stdout)).toHaveProperty('consentId');
    expect(findings(stderr)).toEqual([
      expect.objectContaining({ side: 'answer', operation: 'createConsent', status: 201 }),
    ]);
    spoil();
    const without = await obk([...create, '--json']);
    expect([without.code, findings(without.stderr)]).toEqual([0, []]);
  });

  it('reports to a person in lines, and in one where nothing is found', async () => {
    spoil();
    const found = await obk([...create, '--findings'], { terminal: true });
    expect(found.code, found.stderr).toBe(10);
    const told = stripVTControlCharacters(found.stderr);
    expect(told).toMatch(/POST \S*\/consents → 201.*\n {2}must answer .*\n.*\nmust: 1, should: 0, may: 0\n$/);
    const right = await obk([...create, '--findings'], { terminal: true });
    expect([right.code, right.stderr]).toEqual([0, expect.stringContaining('No findings in 1 call.\n')]);
    const quiet = await obk([...create, '--findings', '--quiet'], { terminal: true });
    expect([quiet.code, quiet.stderr]).toEqual([0, '']);
    const none = await obk(['version', '--findings'], { terminal: true });
    expect(none.stderr).toContain('the command made no call of the interface');
  });

  it('keeps a worse end, whose error stays the last line', async () => {
    const plain = await obk([...wrong, '--json']);
    const { code, stderr } = await obk([...wrong, '--findings', '--json']);
    expect(code).not.toBe(0);
    expect(code).toBe(plain.code);
    expect(findings(stderr).map(({ side }) => side)).toContain('request');
    expect(lines(stderr).at(-1)).toHaveProperty('error');
  });

  it('keeps exit 12 of a payment, and its document', async () => {
    bank.fault({ operation: 'initiatePayment', kind: 'html', status: 502 });
    const { code, stdout, stderr } = await obk([
      ...[
        'payment',
        'init',
        '--product',
        'sepa-credit-transfers',
        '--profile',
        'bank',
        '--no-input',
        '--json',
      ],
      ...['--creditor-account', 'DE89370400440532013000', '--creditor-name', 'Shop', '--amount', '1.00'],
      ...['--debtor', bank.person(psuId).accounts[0]?.iban ?? ''],
      '--findings',
    ]);
    expect(code, stderr).toBe(12);
    expect(JSON.parse(stdout)).toHaveProperty('intent');
    expect(findings(stderr).map(({ side, operation }) => [side, operation])).toContainEqual([
      ...['answer', 'initiatePayment'],
    ]);
    expect(lines(stderr).at(-1)).toHaveProperty('error');
  });

  it('judges the request of a dry run, and sends nothing', async () => {
    const before = bank.arrivals().length;
    const right = await obk([...create, '--findings', '--dry-run', '--json']);
    expect([right.code, findings(right.stderr)], right.stderr).toEqual([0, []]);
    const { code, stdout, stderr } = await obk([...wrong, '--findings', '--dry-run', '--json']);
    expect(code, stderr).toBe(10);
    expect(JSON.parse(stdout)).toHaveProperty('requestId');
    expect(findings(stderr)).not.toEqual([]);
    for (const { side, status } of findings(stderr)) expect([side, status]).toEqual(['request', null]);
    expect(bank.arrivals()).toHaveLength(before);
  });

  it('ends alike for the file of --output and for a report', async () => {
    spoil();
    const file = join(home, 'consent.json');
    const report = join(home, 'report.xml');
    const into = ['--output', file, '--report-junit', report];
    const { code, stdout } = await obk([...create, '--findings', '--json', ...into]);
    expect([code, stdout]).toEqual([10, '']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('consentId');
    expect(readFileSync(report, 'utf8')).toContain('exit 10');
  });

  it('judges the calls of the command lines within a command', async () => {
    const file = join(home, 'journey.yaml');
    writeFileSync(
      file,
      'journey: one consent\nsteps:\n  - consent create: { all-psd2: true, authorise-later: true }\n',
    );
    spoil();
    const { code, stdout, stderr } = await obk([
      'journey',
      'run',
      file,
      '--profile',
      'bank',
      '--findings',
      '--json',
    ]);
    expect(code, stdout + stderr).toBe(10);
    expect(findings(stderr)).toHaveLength(1);
  });

  it('accepts what the bank description lists as known, as obk check does', async () => {
    const file = join(home, 'bank.json');
    const description = { framework: '1.3.2', prefix: '/v1', consent: { deleteStatus: [202] } };
    const deleted = async () => {
      const { stdout } = await obk([...create, '--json']);
      const { consentId } = JSON.parse(stdout) as { consentId: string };
      bank.fault({ operation: 'deleteConsent', kind: 'edit', edit: 'status=202' });
      const way = ['--profile', 'bank', '--no-input', '--yes', '--findings', '--json'];
      const { code, stderr } = await obk(['consent', 'delete', consentId, ...way]);
      const judged = await obk(['check', '@last', '--json']);
      return [code, judged.code, ...findings(stderr).map(({ rule }) => rule)];
    };
    expect(await deleted()).toEqual([10, 10, 'answer-status']);
    writeFileSync(file, JSON.stringify(description));
    const edited = await obk(['profile', 'edit', 'bank', '--bank', file]);
    expect(edited.code, edited.stderr).toBe(0);
    expect(await deleted()).toEqual([0, 0]);
  });

  it(
    'accepts what a waiver names, as obk check does of a run and of a file',
    { timeout: 30_000 },
    async () => {
      const describe = async (more: object) => {
        const file = join(home, 'waiving.json');
        const waiver = { rule: 'answer-location', operation: 'createConsent', reason: 'TICKET-9', ...more };
        writeFileSync(file, JSON.stringify({ framework: '1.3.2', prefix: '/v1', waivers: [waiver] }));
        const edited = await obk(['profile', 'edit', 'bank', '--bank', file]);
        expect(edited.code, edited.stderr).toBe(0);
      };
      const judged = async (...words: string[]) => {
        const { code, stdout, stderr } = await obk(['check', ...words, '--json']);
        expect(stdout, stderr).not.toBe('');
        const { waivers, must } = JSON.parse(stdout) as { waivers: { verdict: string }[]; must: number };
        return [code, must, waivers.map(({ verdict }) => verdict).join()];
      };
      await describe({ until: '2999-12-31' });
      spoil();
      const { code, stderr } = await obk([...create, '--findings', '--json']);
      expect([code, findings(stderr)]).toEqual([0, [expect.objectContaining({ waived: 'TICKET-9' })]]);
      expect(await judged('@last')).toEqual([0, 0, 'used']);
      const har = join(home, 'waived.har');
      writeFileSync(har, (await obk(['log', 'har', '@last', '--json'])).stdout);
      expect(await judged(har, '--profile', 'bank')).toEqual([0, 0, 'used']);
      // Without the description nothing is known of it.
      expect(await judged(har, '--framework', '1.3.2')).toEqual([10, 1, '']);
      await describe({ status: 202 });
      expect(await judged('@last')).toEqual([10, 1, 'not tested']);
      await describe({ until: '2020-01-01' });
      expect(await judged('@last')).toEqual([10, 1, 'expired']);
      // What is right again needs none; of another operation a run says nothing.
      await describe({});
      expect((await obk([...create, '--json'])).code).toBe(0);
      expect(await judged('@last')).toEqual([10, 0, 'obsolete']);
      await describe({ operation: 'initiatePayment' });
      expect(await judged('@last')).toEqual([0, 0, 'not tested']);
      const page = join(home, 'calls.html');
      expect(await judged(har, '--profile', 'bank', '--html', page)).toEqual([10, 1, 'not tested']);
      const text = readFileSync(page, 'utf8');
      for (const part of ['bank: fail', 'answer-location', '/consents']) expect(text).toContain(part);
      const odd = await obk(['check', '@last', '--plan', '--json']);
      expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('--plan is for a check of a bank')]);
      await describe({ operation: 'initiatePayment' });
    },
  );

  it('is a flag of its own at obk sandbox log', async () => {
    const { code, stdout, stderr } = await obk(['sandbox', 'log', '--findings', '--json'], {
      env: { ...env(), OBK_STATE_DIR: bank.stateDir },
    });
    expect(code, stderr).toBe(0);
    expect(findings(stderr)).toEqual([]);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ operation: 'createConsent', severity: 'error' }),
    );
  });
});

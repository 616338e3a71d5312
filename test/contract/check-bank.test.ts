// `obk check --profile` at the bank inside: nothing is found in either version, and what the bank does wrong is told.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ObkError } from '../../src/base/errors.ts';
import type { CheckRun } from '../../src/settings/records/check-run.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';

let bank: TestBank;
const psuId = 'embedded-one';
const home = mkdtempSync(join(tmpdir(), 'obk-check-'));
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  for (const variant of ['v1', 'v136']) {
    const made = await obk([
      ...['profile', 'create', variant, '--variant', variant, '--environment', 'sandbox'],
      ...['--base-url', bank.baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath],
      ...['--psu-id', psuId, '--psu-ip', '192.0.2.1'],
    ]);
    expect(made.code, made.stderr).toBe(0);
  }
}, 60_000);
afterEach(() => {
  bank.clearFaults();
});
afterAll(async () => {
  await bank.close();
  rmSync(home, { recursive: true, force: true });
});

function obk(words: readonly string[], signal?: AbortSignal) {
  const { password, otp } = bank.person(psuId);
  return runInside([...words, '--json', '--no-input'], {
    ...(signal && { signal }),
    env: {
      ...process.env,
      OBK_CONFIG_DIR: join(home, 'config'),
      OBK_STATE_DIR: join(home, 'state'),
      PASSWORD: password,
      OTP: otp,
    },
    cwd: home,
    input: '',
    bound: 60_000,
  });
}

async function check(variant: string, ...more: string[]) {
  const { code, stdout, stderr } = await obk(['check', '--profile', variant, ...more]);
  return { code, stderr, told: (stdout === '' ? {} : JSON.parse(stdout)) as CheckRun };
}

const all = () => {
  const [debtor = '', creditor = ''] = [psuId, 'redirect'].map((one) => bank.person(one).accounts[0]?.iban);
  return ['--writes', '--wrong-requests', '--debtor', debtor, '--creditor', creditor];
};
/** A recurring consent of the PSU ends the one before it, in whichever version. */
async function consent(variant: string) {
  const made = await obk([
    ...['consent', 'create', '--all-psd2', '--recurring', '--profile', variant],
    ...['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP'],
  ]);
  expect(made.code, made.stderr).toBe(0);
}
const ended = ({ cases }: CheckRun, verdict: string) =>
  cases.filter((one) => one.verdict === verdict).map((one) => one.case);

describe('a check of the built-in bank', () => {
  it.each(['v1', 'v136'])('finds nothing as %s', { timeout: 30_000 }, async (variant) => {
    await consent(variant);
    const { code, told, stderr } = await check(variant, ...all());
    expect(told.cases.flatMap(({ findings }) => findings)).toEqual([]);
    expect([told.verdict, code], stderr).toEqual(['pass', 0]);
    expect(ended(told, 'inconclusive')).toEqual([]);
    expect(ended(told, 'pass')).toEqual(
      expect.arrayContaining([
        ...['accounts', 'transaction', 'a consent, made and deleted', 'another digest'],
        ...['accounts under a consent that has ended', 'a strange character'],
      ]),
    );
    expect(stderr).toContain('accesses of consent');
    expect(bank.payments().map(({ status }) => status)).not.toContain('RCVD');
  });

  it('finds what the bank does wrong, and accepts it where it is waived', { timeout: 30_000 }, async () => {
    const spoil = () => {
      bank.fault({ operation: 'getAccountList', kind: 'edit', edit: '/accounts/0/currency="eur"' });
    };
    spoil();
    const reports = [join(home, 'junit.xml'), join(home, 'page.html')] as const;
    const found = await check('v136', '--junit', reports[0], '--html', reports[1]);
    expect([found.code, found.told.verdict]).toEqual([10, 'fail']);
    const [list] = found.told.cases.filter((one) => one.case === 'accounts');
    expect(list?.findings.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ['answer-pattern', '/accounts/0/currency'],
    ]);
    for (const path of reports) {
      const text = readFileSync(path, 'utf8');
      expect(text).toContain('answer-pattern');
      expect(text).not.toContain(bank.person(psuId).accounts[0]?.iban);
    }

    const waive = async (waiver?: object) => {
      const one = { rule: 'answer-pattern', pointer: '/accounts/*/currency', reason: 'known', ...waiver };
      const file = join(home, 'bank.json');
      writeFileSync(
        file,
        JSON.stringify({ framework: '1.3.6', prefix: '/v136', waivers: waiver === undefined ? [] : [one] }),
      );
      const done = await obk(['profile', 'edit', 'v136', '--bank', file]);
      expect(done.code, done.stderr).toBe(0);
    };
    await waive({
      ...{ operation: 'getAccountList', status: 200, owner: 'B. Bank', since: '2020-01-01' },
      until: '2999-12-31',
    });
    const { stdout: table } = await obk(['check', '--profile', 'v136', '--print-waivers', '-o', 'tsv']);
    expect(table).toContain('200\tknown\t\tB. Bank\t2020-01-01\t2999-12-31');
    spoil();
    const waived = await check('v136');
    expect([waived.code, waived.told.verdict]).toEqual([0, 'pass']);
    expect(ended(waived.told, 'waived')).toEqual(['accounts']);
    expect(waived.told.waivers).toEqual([
      expect.objectContaining({ verdict: 'used', owner: 'B. Bank', status: 200, since: '2020-01-01' }),
    ]);
    // What is right again needs no waiver any more.
    const right = await check('v136');
    expect([right.code, right.told.waivers.map(({ verdict }) => verdict)]).toEqual([10, ['obsolete']]);
    await waive({ until: '2020-01-01' });
    // Four accesses a day are used up.
    await consent('v136');
    spoil();
    const expired = await check('v136');
    expect([expired.code, expired.told.waivers.map(({ verdict }) => verdict)]).toEqual([10, ['expired']]);
    const { stdout } = await obk(['check', '--profile', 'v136', '--print-waivers']);
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ reason: 'known', until: '2020-01-01' })]);
    const compared = await obk(['check', 'diff', '@last-1', '@last']);
    expect(JSON.parse(compared.stdout)).toEqual([
      { case: 'accounts', before: 'pass', after: 'fail; answer-pattern /accounts/0/currency' },
    ]);
    await waive();
    const misspelt = join(home, 'misspelt.json');
    writeFileSync(misspelt, JSON.stringify({ waivers: [{ rule: 'answer-patern', reason: 'known' }] }));
    for (const words of [
      ['bank', 'lint', misspelt],
      ['profile', 'edit', 'v136', '--bank', misspelt],
    ]) {
      const { code, stdout, stderr } = await obk(words);
      expect([code, `${stdout}${stderr}`]).toEqual([
        words[0] === 'bank' ? 10 : 3,
        expect.stringContaining('There is no rule answer-patern. Did you mean answer-pattern?'),
      ]);
    }
  });

  it('makes a basket where the bank has them, and leaves nothing behind', { timeout: 30_000 }, async () => {
    bank.scenario({ surface: 'framework' });
    const whole = ['--surface', 'framework', '--psu-id', psuId];
    expect((await obk(['profile', 'edit', 'v136', ...whole])).code).toBe(0);
    const { code, told } = await check('v136', ...all(), '--only', 'basket');
    expect(told.cases.map((one) => [one.case, one.verdict])).toEqual([
      ['basket status', 'not tested'],
      ['basket', 'not tested'],
      ['a basket, made and deleted', 'pass'],
      ['a strange basket', 'pass'],
    ]);
    expect(code).toBe(0);
    expect(bank.payments().map(({ status }) => status)).not.toContain('RCVD');
    await obk(['profile', 'edit', 'v136', '--surface', 'service']);
    bank.scenario({ surface: 'service' });
  });

  it('requests entries and payments in the formats that exist', { timeout: 30_000 }, async () => {
    bank.scenario({ reportFormats: 'camt.053,text' });
    await consent('v1');
    const [debtor = '', creditor = ''] = [psuId, 'redirect'].map((one) => bank.person(one).accounts[0]?.iban);
    const paid = await obk([
      ...['payment', 'init', '--product', 'pain.001-sepa-credit-transfers', '--profile', 'v1'],
      ...['--debtor', debtor, '--creditor-account', creditor, '--creditor-name', 'Shop', '--amount', '1.00'],
      ...['--authorise-later', '--debtor-name', 'A. Person'],
    ]);
    expect(paid.code, paid.stderr).toBe(0);
    const { told } = await check(
      ...['v1', '--wrong-requests', '--only', 'accounts', '--only', 'transactions'],
      ...['--only', 'a strange bookingStatus', '--only', 'getPaymentInformation'],
    );
    bank.scenario({ reportFormats: 'every' });
    expect((await obk(['payment', 'cancel', '@last', '--yes', '--profile', 'v1'])).code).toBe(0);
    const formats = told.cases
      .filter((one) => ['transactions', 'payment', 'a strange bookingStatus'].includes(one.case))
      .map((one) => [one.case, one.verdict, one.why]);
    expect(formats).toEqual([
      ['transactions', 'pass', undefined],
      ['payment', 'pass', undefined],
      ['a strange bookingStatus', 'pass', undefined],
    ]);
  });

  it('finds links to an unknown server, and none that the profile names', async () => {
    bank.scenario({ hrefs: 'foreign' });
    const tried = async () => {
      const { told } = await check('v136', '--writes', '--only', 'a consent, made');
      return told.cases.flatMap(({ findings }) => findings.map(({ rule, level }) => `${level} ${rule}`));
    };
    expect(new Set(await tried())).toEqual(new Set(['should answer-link-target']));
    const made = await obk(['profile', 'edit', 'v136', '--origin', 'https://inner-gateway.invalid']);
    expect(made.code, made.stderr).toBe(0);
    const known = await tried();
    expect((await obk(['config', 'unset', 'origins', '--profile', 'v136'])).code).toBe(0);
    bank.scenario({ hrefs: 'relative' });
    expect(known).toEqual([]);
  });

  it('states with which code a read was refused', async () => {
    bank.fault({ operation: 'getAccountList', kind: 'status', status: 403 });
    const { told } = await check('v136', '--only', 'accounts');
    expect(told.cases.find((one) => one.case === 'accounts')?.why).toMatch(/\(403 [A-Z_]+\)$/);
  });

  it('removes what it made where it is interrupted', { timeout: 30_000 }, async () => {
    const read = () => bank.arrivals('getPaymentInitiationStatus').length;
    const before = read();
    bank.fault({ operation: 'getPaymentInitiationStatus', kind: 'delay', delayMs: 60_000 });
    const stop = new AbortController();
    const [junit, html] = [join(home, 'r.xml'), join(home, 'r.html')];
    const running = obk(
      [
        'check',
        '--profile',
        'v136',
        ...all(),
        '--only',
        'payment status',
        '--only',
        'a payment, made',
      ].concat('--only', 'a consent, made', '--junit', junit, '--html', html),
      stop.signal,
    );
    await expect.poll(read, { timeout: 10_000 }).toBe(before + 1);
    stop.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
    const { code, stderr } = await running;
    expect(code).toBe(130);
    expect(stderr).toContain(
      'It goes on: obk check --profile v136 --resume --writes --wrong-requests --debtor ',
    );
    expect(stderr).toContain("--only 'a payment, made'");
    expect(bank.payments().at(-1)?.status).toBe('CANC');
    expect(readFileSync(junit, 'utf8')).toContain('not tested: the check stopped before');
    expect(readFileSync(html, 'utf8')).toMatch(/inconclusive[^]*The check stopped after [12] of 3 cases/);
  });

  it('removes with --resume what it could not remove', { timeout: 30_000 }, async () => {
    bank.fault({ operation: 'cancelPayment', kind: 'drop-before' });
    const only = [...all(), '--only', 'a payment, made'];
    await check('v136', ...only);
    expect(bank.payments().at(-1)?.status).toBe('RCVD');
    const { stderr } = await check('v136', ...only, '--resume');
    expect(stderr).toContain('Removed what the last check had left: 1.');
    expect(bank.payments().at(-1)?.status).toBe('CANC');
    expect((await check('v136', ...only, '--resume')).stderr).toContain('The last check came to its end');
  });

  it('finds a bank that accepts what it must refuse', { timeout: 30_000 }, async () => {
    bank.scenario({ signature: 'off' });
    const { told } = await check('v136', '--wrong-requests', '--only', 'another', '--only', 'consent status');
    bank.scenario({ signature: 'required' });
    expect(told.cases.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toEqual(
      expect.arrayContaining(['refuse-signature']),
    );
  });

  it.each([
    ['refuse-ended-consent', 'getAccountList', 'a consent that has ended'],
    ['refuse-unknown-basket', 'getSigningBasketStatus', 'a strange basket'],
    ['refuse-characters', 'initiatePayment', 'a strange character'],
  ])(
    'finds by %s a bank that answers such a call like a right one',
    { timeout: 30_000 },
    async (rule, operation, name) => {
      await obk(['profile', 'edit', 'v136', '--surface', 'framework']);
      bank.scenario({ surface: 'framework' });
      await consent('v136');
      await obk(['consent', 'delete', '@last', '--yes', '--profile', 'v136']);
      // The right call of the operation runs first.
      bank.fault({ operation, kind: 'edit', edit: 'status=200', count: 9 });
      const { told } = await check('v136', ...all(), '--only', name);
      await obk(['profile', 'edit', 'v136', '--surface', 'service']);
      bank.scenario({ surface: 'service' });
      const { findings = [] } = told.cases.find((one) => one.case.includes(name)) ?? {};
      expect(findings.map((one) => one.rule)).toContain(rule);
    },
  );

  it(
    'is not a success where it judged nothing, and shows the cause on top',
    { timeout: 30_000 },
    async () => {
      bank.fault({ operation: 'getConsentInformation', kind: 'status', status: 401 });
      const { code, told } = await check('v136', '--only', 'getConsentInformation');
      expect([code, told.verdict]).toEqual([10, 'inconclusive']);
      expect(told.warnings).toEqual([expect.stringContaining('Every answer is 401')]);
      const none = await check('v136', '--only', 'basket status');
      expect([none.code, none.told.cases[0]?.verdict]).toEqual([10, 'not applicable']);
    },
  );

  it.each([
    ['a strange consent', 'getConsentStatus'],
    ['a strange payment', 'getPaymentInitiationStatus'],
    ['a strange product', 'getPaymentInitiationStatus'],
  ])('does not judge %s where the bank does not even let the right call in', async (name, operation) => {
    bank.fault({ operation, kind: 'status', status: 401, count: 9 });
    const { told } = await check('v136', '--wrong-requests', '--only', name);
    expect(told.cases.find((one) => one.case === name)).toMatchObject({
      verdict: 'inconclusive',
      why: 'no right call was taken',
      findings: [],
    });
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['getBalances', ['accounts', 'balances'], []],
    ['readAccountDetails', ['accounts', 'account'], []],
    ['getTransactionList', ['accounts', 'transactions'], []],
    ['getTransactionDetails', ['accounts', 'transactions', 'transaction'], []],
    ['another digest', ['consent status', 'another digest'], ['--wrong-requests']],
    [
      'a strange bookingStatus',
      ['accounts', 'transactions', 'a strange bookingStatus'],
      ['--wrong-requests'],
    ],
    ['consent status', ['consent status'], ['--wrong-requests']],
  ])(
    'runs with --only %s first what it needs, and names it',
    { timeout: 30_000 },
    async (only, ran, flags) => {
      await consent('v1');
      const { code, told, stderr } = await check('v1', '--only', only, ...flags);
      const tried = told.cases.map((one) => [one.case, one.verdict]);
      expect(tried, stderr).toEqual(ran.map((name) => [name, 'pass']));
      expect(code).toBe(0);
      const before = ran.slice(0, -1);
      if (before.length === 0) expect(stderr).not.toContain('run first');
      else expect(stderr).toContain(`Needed by ${ran.at(-1)}, and run first: ${before.join(', ')}.`);
    },
  );

  it('explains an untested case by what became of the one that it needs', { timeout: 30_000 }, async () => {
    await consent('v1');
    bank.fault({ operation: 'getAccountList', kind: 'status', status: 403, count: 9 });
    const refused = await check('v1', '--only', 'getBalances');
    bank.clearFaults();
    bank.fault({ operation: 'getAccountList', kind: 'edit', edit: '/accounts=[]', count: 9 });
    const empty = await check('v1', '--only', 'getBalances');
    await obk(['consent', 'delete', '@last', '--yes', '--profile', 'v1']);
    const bare = await check('v1', '--only', 'getTransactionDetails', '--only', 'getBalances');
    const reasons = ({ told }: typeof bare) => told.cases.map((one) => [one.case, one.verdict, one.why]);
    expect(reasons(refused)).toEqual([
      ['accounts', 'inconclusive', expect.stringContaining('403')],
      ['balances', 'not tested', expect.stringMatching(/^accounts is inconclusive: .*403/)],
    ]);
    expect(reasons(empty)[1]).toEqual(['balances', 'not tested', 'the bank listed nothing in accounts']);
    const none = 'no valid consent is saved: obk consent create';
    expect(reasons(bare)).toEqual(
      ['accounts', 'balances', 'transactions', 'transaction'].map((name) => [name, 'not tested', none]),
    );
    // That the list of accounts is right says nothing of the balances that were asked for.
    expect([refused.code, empty.code, bare.code]).toEqual([10, 10, 10]);
  });

  it('sends nothing where it is only planned, and nothing wrong to production', async () => {
    const before = bank.arrivals().length;
    const plan = await obk(['check', '--profile', 'v136', '--plan', ...all()]);
    expect(plan.code).toBe(0);
    await obk(['profile', 'edit', 'v136', '--environment', 'production']);
    for (const flag of ['--writes', '--wrong-requests']) expect((await check('v136', flag)).code).toBe(2);
    await obk(['profile', 'edit', 'v136', '--environment', 'sandbox']);
    expect(bank.arrivals()).toHaveLength(before);
  });

  it('can be resumed where it was stopped', { timeout: 30_000 }, async () => {
    await consent('v136');
    const first = await check('v136', '--only', 'consent');
    const path = join(home, 'state', 'checks', `${first.told.run}.json`);
    const kept = JSON.parse(readFileSync(path, 'utf8')) as CheckRun;
    const [one, ...others] = kept.cases;
    writeFileSync(path, JSON.stringify({ ...kept, complete: false, cases: [one] }));
    const before = bank.arrivals('getConsentStatus').length;
    const { code, told } = await check('v136', '--only', 'consent', '--resume');
    expect([code, told.cases.length]).toEqual([0, others.length + 1]);
    expect(one?.case).toBe('consent status');
    expect(told.warnings).toEqual([]);
    expect(bank.arrivals('getConsentStatus')).toHaveLength(before);
  });
});

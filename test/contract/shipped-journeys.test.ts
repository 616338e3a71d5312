// Every journey that obk ships, at the bank inside, in both versions of the interface; and what a journey that fails tells.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObkError } from '../../src/base/errors.ts';
import { shippedJourneys } from '../../src/tester/journeys/shipped.ts';
import { commandTree } from '../../src/cli/program/pages.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import { part, ranTable } from '../helpers/trials.ts';

const folder = resolve('journeys');
const shipped = readdirSync(folder).map((name) => join(folder, name));
const groups = Array.from({ length: 9 }, (_, at) => shipped.filter((_name, index) => index % 9 === at));

interface Told {
  run: string;
  passed: number;
  failed: number;
  journeys: {
    journey: string;
    verdict: string;
    steps: { verdict: string; checks: { what: string; is: string }[] }[];
  }[];
}

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  // The first run loads every command, which may take long on a busy machine.
  await commandTree();
}, 60_000);
afterAll(async () => {
  ranTable(`${String(shipped.length)} journeys in both versions`);
  await bank.close();
});

/** A run of journeys at the bank inside, with the flags of the command line behind the files. */
async function journeys(
  args: readonly string[],
  version: 'v1' | 'v136' = 'v1',
  signal = new AbortController().signal,
) {
  const env = {
    HOME: bank.stateDir,
    XDG_CONFIG_HOME: join(bank.stateDir, 'config'),
    OBK_STATE_DIR: bank.stateDir,
    OBK_VERSION: version,
  };
  const ran = await runInside(['journey', 'run', ...args, '--profile', 'sandbox', '--json'], {
    env,
    cwd: bank.stateDir,
    signal,
  });
  return { ...ran, told: (ran.stdout === '' ? undefined : JSON.parse(ran.stdout)) as Told };
}

describe('the journeys that obk ships', () => {
  it('are at least thirty', () => {
    expect(shipped.length).toBeGreaterThanOrEqual(30);
  });

  it('are in the program as their files have them', () => {
    const files = shipped.map((path) => [basename(path, '.yaml'), readFileSync(path, 'utf8')]);
    expect(Object.fromEntries(shippedJourneys), 'npm run build').toEqual(Object.fromEntries(files));
  });

  it('are listed without a file, run by their names, and a misspelt one is answered with a suggestion', async () => {
    const env = { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir };
    const listed = await runInside(['journey', 'list', '--json'], { env, cwd: bank.stateDir });
    const rows = JSON.parse(listed.stdout) as { file: string; tags: string[] }[];
    expect(rows).toHaveLength(shipped.length);
    expect(rows.find(({ file }) => file === 'unknown-id')?.tags).toContain('errors');
    expect((await journeys(['unknown-id'])).told).toMatchObject({ passed: 1, failed: 0 });
    const before = bank.arrivals().length;
    const { code, stderr } = await journeys(['unkown-id']);
    expect(code).toBe(2);
    expect(stderr).toContain('obk journey run unknown-id');
    expect(bank.arrivals()).toHaveLength(before);
  });

  it('give way to a file of the same name', async () => {
    writeFileSync(join(bank.stateDir, 'cards'), 'journey: Mine\nsteps:\n  - version: {}\n');
    expect((await journeys(['cards'])).told.journeys[0]?.journey).toBe('Mine');
  });

  describe.each([
    ['v1', 0],
    ['v136', 1],
  ] as const)('in %s', (version, own) => {
    it.each(part([...groups.entries()], 5, own))('pass (part %s)', async (_, files) => {
      const ran = await journeys([...files, '--parallel', '3'], version);
      const wrong = ran.told.journeys.filter(({ verdict }) => verdict === 'failed' || verdict === 'unknown');
      expect(JSON.stringify(wrong, undefined, 1)).toBe('[]');
      expect(ran.code, ran.stderr).toBe(0);
    });
  });
});

describe('a journey', () => {
  const file = (name: string, text: string) => {
    const path = join(bank.stateDir, name);
    writeFileSync(path, text);
    return path;
  };
  const pay = (psuId: string, more = '') => `  - payment init:
      product: sepa-credit-transfers
      psu-id: ${psuId}
      creditor-account: DE89370400440532013000
      creditor-name: Shop
      amount: '4.00'
${more}`;

  const steps = (name: string, text: string) => file(name, `journey: x\nsteps:\n${text}`);
  const paying = (name: string, psuId = 'embedded-one', more = '') => steps(name, pay(psuId, more));

  it('sends a wrong OTP once, and the right one after it', async () => {
    const path = paying('wrong.yaml', 'embedded-one', '    psu: wrong otp then right\n');
    const before = bank.arrivals('updatePaymentPsuData').length;
    expect((await journeys([path])).code).toBe(0);
    const codes = bank
      .arrivals('updatePaymentPsuData')
      .slice(before)
      .map(({ status }) => status);
    expect(codes.filter((status) => status !== 200)).toHaveLength(1);
    expect(codes.at(-1)).toBe(200);
  });

  it('errs with the OTP once, cancels and is short where it is from the guide', async () => {
    const guide = readFileSync(resolve('docs', 'journeys.md'), 'utf8');
    const [, text = ''] = /<<'YAML'\n([^]*?)\nYAML\n/.exec(guide) ?? [];
    expect(text).toMatch(/wrong otp then right[^]*payment cancel[^]*CANC/);
    expect(text.split('\n').length).toBeLessThanOrEqual(25);
    const seen = () => bank.arrivals('updatePaymentPsuData').map(({ status }) => status);
    const before = seen().length;
    const { code, stderr } = await journeys([file('guide.yaml', text)]);
    expect(code, stderr).toBe(0);
    const codes = seen().slice(before);
    expect(codes.filter((status) => (status ?? 500) >= 400)).toHaveLength(1);
    expect(bank.payments().at(-1)?.status).toBe('CANC');
  });

  const later = '      authorise-later: true\n';
  const keyed = `${later}      intent-key: one-of-both\n`;
  const again = `${later}      allow-duplicate: true\n`;
  const pending = `${keyed}    expect: { exit: pending }\n`;
  it.each([
    ['pays what another is about to pay again, as that one says', again, later, 2],
    ['tells that the payment of its intent key is under way', keyed, pending, 1],
  ])('%s', async (_, given, givenLate, payments) => {
    const first = paying('first.yaml', 'embedded-one', given);
    const consent = '  - consent create: { psu-id: embedded-one, all-psd2: true }\n    psu: approve\n';
    const late = steps('late.yaml', consent + pay('embedded-one', givenLate));
    const before = bank.payments().length;
    bank.fault({ operation: 'initiatePayment', kind: 'delay', delayMs: 2000, count: 1 });
    const { code, stdout } = await journeys([first, late, '--parallel', '2']);
    expect(code, stdout).toBe(0);
    expect(bank.payments()).toHaveLength(before + payments);
  });

  it('enters nothing for a PSU who refuses', async () => {
    const path = paying('refuses.yaml', 'embedded-one', '    psu: refuse\n');
    const before = bank.arrivals('updatePaymentPsuData').length;
    await journeys([path]);
    expect(bank.arrivals('updatePaymentPsuData')).toHaveLength(before);
  });

  it('ends at the first step that fails, and cleans up in any case', async () => {
    const path = steps(
      'fails.yaml',
      `  - consent create: { psu-id: embedded-one, all-psd2: true }
    psu: approve
    save: consent
    expect: { body: { consentStatus: expired } }
  - accounts list: {}
always:
  - consent delete: $consent.consentId
    expect: { body: { consentStatus: terminatedByTpp } }
`,
    );
    const { code, told } = await journeys([path]);
    expect(code).toBe(10);
    const [only] = told.journeys;
    expect(only?.steps.map(({ verdict }) => verdict)).toEqual(['failed', 'passed']);
    expect(only?.steps[0]?.checks).toContainEqual(
      expect.objectContaining({ what: 'body consentStatus', expected: 'expired', is: 'valid', ok: false }),
    );
  });

  it('continues to clean up where one step of that may not run', async () => {
    const path = file(
      'untrusted.yaml',
      `journey: x
variables: { kind: cm, rest: 'd:true' }
steps:
  - consent create: { psu-id: embedded-one, all-psd2: true }
    save: consent
always:
  - consent status: \${kind}\${rest}
  - consent delete: $consent.consentId
`,
    );
    const deleted = bank.arrivals('deleteConsent').length;
    const { code, stderr } = await journeys([path]);
    expect(code).toBe(3);
    expect(stderr).toContain('an argument is a reference or a program');
    expect(bank.arrivals('deleteConsent')).toHaveLength(deleted + 1);
  });

  it('pays once for each time that it runs, and no more', async () => {
    const path = paying('pay.yaml', 'embedded-one', '    psu: approve\n');
    const before = bank.arrivals('initiatePayment').length;
    const { code } = await journeys([path, '--repeat', '3', '--parallel', '3']);
    expect(code).toBe(0);
    expect(bank.arrivals('initiatePayment').length - before).toBe(3);
  });

  it('shows with exit 12 that the outcome of a write is unknown', async () => {
    bank.fault({ operation: 'initiatePayment', kind: 'drop-after-commit', count: 1 });
    const path = paying('cut.yaml');
    const { code, told } = await journeys([path]);
    expect(code).toBe(12);
    expect(told.journeys[0]?.verdict).toBe('unknown');
  });

  it('uses a secret that is bound, and is refused without it before anything is sent', async () => {
    const text = `journey: x\nsecrets: { word: the password }\nsteps:\n${pay('embedded-none', '    psu: { does: approve, password: word }\n')}`;
    const path = file('secret.yaml', text);
    const word = file('word', bank.person('embedded-none').password);
    expect((await journeys([path, '--secret', `word=file:${word}`])).code).toBe(0);
    const before = bank.arrivals().length;
    const { code, stderr } = await journeys([path, '--secret', 'other=env:X']);
    expect(code).toBe(2);
    expect(stderr).toContain('No journey names a secret other');
    const needed = `${pay('embedded-none')}      psu-password-from: $word\n`;
    const inFlag = file('flag.yaml', `journey: x\nsecrets: { word: the password }\nsteps:\n${needed}`);
    expect((await journeys([inFlag])).stderr).toContain('--secret word=REF');
    expect(bank.arrivals()).toHaveLength(before);
  });

  it('runs a program that it names only once it is trusted as it is', async () => {
    const text = `journey: x\nsteps:\n${pay('embedded-none', "      psu-password-from: 'cmd:./none'\n")}`;
    const path = file('program.yaml', text);
    const before = bank.arrivals().length;
    expect((await journeys([path])).stderr).toContain('JOURNEY_UNTRUSTED');
    expect(bank.arrivals()).toHaveLength(before);
  });

  it('shows a person how it ended without a mark of colour in the words', async () => {
    const path = paying('told.yaml');
    const { stderr } = await runInside(['journey', 'run', path, '--profile', 'sandbox'], {
      env: { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir, FORCE_COLOR: '1' },
      cwd: bank.stateDir,
    });
    expect(stderr).toMatch(/✓ x \(sandbox, [0-9.]+ s\)/);
  });

  it('keeps no account number of a run', async () => {
    const path = paying('kept.yaml', 'embedded-one', "    expect: { status: '500' }\n");
    const page = join(bank.stateDir, 'page.html');
    const { told } = await journeys([path, '--html', page]);
    const kept = readFileSync(join(bank.stateDir, 'journeys', `${told.run}.json`), 'utf8');
    expect(kept).toContain('"verdict":"failed"');
    // The page is for sending.
    for (const text of [kept, readFileSync(page, 'utf8')])
      expect(text).not.toContain('DE89370400440532013000');
  });

  it('is forgotten with what the journal forgets where it was kept, and where it names an erased PSU', async () => {
    const path = paying('old.yaml');
    const { told } = await journeys([path]);
    const kept = (name: string) => existsSync(join(bank.stateDir, 'journeys', `${name}.json`));
    const old = '20200101T000000000Z-000000000000';
    const young = readFileSync(join(bank.stateDir, 'journeys', `${told.run}.json`));
    writeFileSync(join(bank.stateDir, 'journeys', `${old}.json`), young);
    const env = { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir };
    const log = (...args: readonly string[]) =>
      runInside(['log', ...args, '--json'], { env, cwd: bank.stateDir });
    expect((await log('prune', '--older-than', '30d', '--dry-run')).stdout).toContain('"journeys":1');
    expect(kept(old)).toBe(true);
    await log('prune', '--older-than', '30d');
    expect([kept(old), kept(told.run)]).toEqual([false, true]);
    await log('erase', '--psu-id', 'embedded-one', '--profile', 'sandbox');
    expect(kept(told.run)).toBe(false);
  });

  it('sends a request of its own with an http step, typed as the interface has it, and reads the whole answer', async () => {
    const text = shippedJourneys.get('consent-by-http') ?? '';
    const path = file('http.yaml', `${text}  - http: { method: GET, path: $consent._links.status.href }\n`);
    const { code, told, stderr } = await journeys([path]);
    expect(code, stderr).toBe(0);
    expect(told.journeys[0]?.steps.map(({ verdict }) => verdict)).toEqual(Array(5).fill('passed'));
  });

  it('quotes in an http step what an earlier answer has, in its path as in its text', async () => {
    const path = file(
      'quoted.yaml',
      `journey: x
variables: { evil: '/../x", "creditorName": "Y?a=b', iban: DE89370400440532013000 }
steps:
  - http: { method: GET, path: consents/$evil/status }
    expect: { status: { in: ['403', '404', '400'] } }
  - http:
      method: POST
      path: payments/sepa-credit-transfers
      headers: { PSU-ID: embedded-one }
      body: |
        {"debtorAccount": {"iban": "DE25990010000000001999"}, "creditorAccount": {"iban": "$iban"},
         "creditorName": "Z", "instructedAmount": {"currency": "EUR", "amount": "1.00"},
         "remittanceInformationUnstructured": "$evil"}
    expect: { status: '201' }
    save: made
  - http: { method: GET, path: payments/sepa-credit-transfers/$made.paymentId }
    expect: { body: { creditorName: Z } }
`,
    );
    const { code, told, stderr } = await journeys([path]);
    expect(JSON.stringify(told.journeys[0]?.steps.filter(({ verdict }) => verdict !== 'passed'))).toBe('[]');
    expect(code, stderr).toBe(0);
  });

  it('leaves the outcome of an http step that writes unknown, offers no line that writes again, and keeps it pending', async () => {
    bank.fault({ operation: 'initiatePayment', kind: 'drop-after-commit', count: 1 });
    const body = `{ debtorAccount: { iban: DE25990010000000001999 }, creditorAccount: { iban: DE89370400440532013000 }, creditorName: Z, instructedAmount: { currency: EUR, amount: 1.00 } }`;
    const path = steps(
      'cut-http.yaml',
      `  - http: { method: POST, path: payments/sepa-credit-transfers, headers: { PSU-ID: embedded-one }, body: ${body} }\n    expect: { status: 201 }\n`,
    );
    const junit = join(bank.stateDir, 'cut.xml');
    const { code } = await journeys([path, '--junit', junit]);
    expect(code).toBe(12);
    expect(readFileSync(junit, 'utf8')).toContain('next: obk pending list --profile sandbox');
    expect(readFileSync(junit, 'utf8')).not.toContain('again:');
  });

  it('reports the findings of a step that failed, both sides, with rule, pointer and words', async () => {
    bank.fault({ operation: 'createConsent', kind: 'edit', edit: 'Location:', count: 1 });
    const path = steps(
      'findings.yaml',
      `  - http: { method: POST, path: consents, headers: { PSU-ID: embedded-one }, body: { access: { allPsd2: allAccounts }, recurringIndicator: false, validUntil: 2099-12-31, frequencyPerDay: 1, combinedServiceIndicator: false, nonsense: x } }
    expect: { findings: 0 }
`,
    );
    const [junit, page] = [join(bank.stateDir, 'f.xml'), join(bank.stateDir, 'f.html')];
    const { code, told } = await journeys([path, '--junit', junit, '--html', page]);
    expect(code).toBe(10);
    expect(told.journeys[0]?.steps[0]).toMatchObject({
      findings: [
        { side: 'request', rule: 'body-member-unknown', pointer: '/nonsense' },
        { side: 'answer', rule: 'answer-location', pointer: 'Location' },
      ],
    });
    for (const text of [readFileSync(junit, 'utf8'), readFileSync(page, 'utf8')]) {
      expect(text).toMatch(/body-member-unknown[^]*\/nonsense/);
      expect(text).toContain('answer-location');
    }
    const said = await runInside(['journey', 'run', path, '--profile', 'sandbox'], {
      env: { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir },
      cwd: bank.stateDir,
    });
    expect(said.stdout).toMatch(/finding: request should body-member-unknown body \/nonsense: /);
  });

  it('cleans up where it is interrupted in each of those that run at once, and is reported', async () => {
    const path = steps(
      'stopped.yaml',
      `  - consent create: { psu-id: embedded-one, all-psd2: true }
    psu: approve
    save: consent
  - consent status: $consent.consentId
    retry until: { within: 60s, every: 50s }
    expect: { body: { consentStatus: expired } }
always:
  - consent delete: $consent.consentId
    expect: { body: { consentStatus: terminatedByTpp } }
`,
    );
    const read = () => bank.arrivals('getConsentStatus').length;
    const [before, deleted] = [read(), bank.arrivals('deleteConsent').length];
    const stop = new AbortController();
    const junit = join(bank.stateDir, 'stopped.xml');
    const output = join(bank.stateDir, 'stopped.json');
    const files = ['--junit', junit, '--output', output];
    const running = journeys([path, '--repeat', '3', '--parallel', '2', ...files], 'v1', stop.signal);
    await expect.poll(read, { timeout: 10_000 }).toBeGreaterThanOrEqual(before + 2);
    stop.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
    const { code } = await running;
    expect(code).toBe(130);
    const told = JSON.parse(readFileSync(output, 'utf8')) as Told;
    expect(bank.arrivals('deleteConsent')).toHaveLength(deleted + 2);
    expect(told.journeys.map(({ steps }) => steps.at(-1)?.verdict)).toEqual(['passed', 'passed']);
    expect(told).toMatchObject({ failed: 2, notRun: 1 });
    expect(readFileSync(junit, 'utf8')).toContain('The run was interrupted.');
  });
});

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObkError } from '../../src/base/errors.ts';
import { helpExamples } from '../../src/cli/program/pages.ts';
import {
  otherExits,
  signedRequest,
  writeExampleCertificates,
  writeExampleFiles,
  writeJourney,
  writeJourneyWithOtp,
} from '../helpers/example-files.ts';
import { wordsOf } from '../helpers/example-words.ts';
import { insideOf, runInside } from '../helpers/inside.ts';
import { createObkWithKeys, shop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { pkcs12 } from '../helpers/pkcs12.ts';
import { ranTable, runsWhole } from '../helpers/trials.ts';

/** Every example of every help page runs as it stands, in the order of the pages, on one machine. */
let obk: Obk;
let inside: ReturnType<typeof insideOf>;
let bank: ChildProcess;
let people: { psuId: string; password: string; otp: string; accounts: { iban: string }[] }[];
const env: Record<string, string> = {};

beforeAll(async () => {
  if (!runsThem) return;
  obk = await createObkWithKeys();
  inside = insideOf(obk);
  // One bank for all of them, since each run inside this process would start its own.
  await startBank();
  people = (await obk.json(['sandbox', 'people'])) as typeof people;
  const payer = people.find(({ psuId }) => psuId === 'embedded-choice')!;
  Object.assign(env, {
    PSU_PASSWORD: payer.password,
    PSU_OTP: payer.otp,
    OTP: payer.otp,
    P12_PASSPHRASE: 'p12',
  });
  writeExampleFiles(obk.folder, people[0]!.accounts[0]!.iban);
  writeFileSync(join(obk.folder, 'request.http'), await signedRequest(inside));
  writeFileSync(join(obk.folder, 'seal.p12'), await pkcs12('p12'));
  await writeExampleCertificates(inside, obk.folder);
  await init('redirect');
});
afterAll(async () => {
  if (!runsThem) return;
  ranTable(`${String(examples.length)} examples`);
  // One of the examples ends it.
  if (bank.exitCode === null && bank.signalCode === null) await end(bank);
  obk.close();
});

async function end(running: ChildProcess): Promise<void> {
  running.kill('SIGTERM');
  await once(running, 'close');
}

/** Runs in the presence of a bank with a ledger for each tenant; where it is the only one, all commands would go there. */
async function withTenants<T>(work: () => Promise<T>): Promise<T> {
  const named = ['--name', 'shared', '--tenants', 'header:X-Tenant'];
  const shared = obk.start(['sandbox', 'start', '--port', '0', ...named]);
  await once(shared.stdout!, 'data');
  try {
    return await work();
  } finally {
    await end(shared);
  }
}

async function startBank(): Promise<void> {
  bank = obk.start(['sandbox', 'start', '--port', '0']);
  await once(bank.stdout!, 'data');
}

const init = async (psu: string) =>
  (
    (await inside.json(['payment', 'init', ...shop, '--amount', '1.00', '--psu-id', psu])) as {
      paymentId: string;
    }
  ).paymentId;

/** What must be there before an example runs; gives what stands for ID. */
const before: Record<string, () => Promise<string | undefined>> = {
  'payment authorise': () => init('embedded-choice'),
  'payment authorise --wait': approved,
  'payment status --until': approved,
  'payment cancel': () => init('redirect'),
  'sandbox psu approve': () => init('redirect'),
  'sandbox psu refuse': () => init('redirect'),
  'sandbox psu revoke': consented,
  'sandbox resend': pushed,
  'consent authorise': () => consent('embedded-choice'),
  'consent authorise --wait': consented,
  'consent status --until': consented,
  'consent use': consented,
  'accounts list': access,
  'transactions get': async () =>
    (
      await inside.run([
        ...['transactions', 'list', '--account', 'DE65990010000000002443', '--limit', '1', '-o', 'name'],
        // The examples before it have used up the accesses of the day.
        '--psu-present',
      ])
    ).stdout.trim(),
  'transactions read --output': () => {
    // Another example has written it.
    rmSync(join(obk.folder, 'page.html'), { force: true });
    return Promise.resolve(undefined);
  },
  'journey run --profiles': twoBanks,
  'journey diff': async () => {
    writeJourney(obk.folder);
    for (let turn = 0; turn < 2; turn++) await inside.json(['journey', 'run', 'pay.yaml']);
    return undefined;
  },
  'pending show': () => init('redirect'),
  'auth refresh': () => login('oauth-prestep'),
  'config set': acme,
  'config unset': acme,
  'config trust': () => {
    writeFileSync(join(obk.folder, '.obk.json'), '{}');
    return Promise.resolve(undefined);
  },
  'api --paginate': access,
  report: () => init('redirect'),
  check: () => (checked ??= checkable()),
  'basket create': async () => {
    await inside.json(['sandbox', 'scenario', 'set', 'surface', 'framework']);
    await member('redirect');
    return member('redirect');
  },
  'basket get': () => basket('redirect'),
  'basket authorise': () => basket('embedded-choice'),
  'basket authorise --wait': signed,
  'basket status --watch': signed,
  'basket delete': () => basket('embedded-choice'),
  'profile delete': async () => {
    // A profile that another extends is not deleted.
    await inside.run(['profile', 'delete', 'acme-live', '--yes']);
    return undefined;
  },
  'bank show': () => {
    rmSync(join(obk.folder, 'bank.json'), { force: true });
    return Promise.resolve(undefined);
  },
  'sca status': () => init('redirect'),
  'sca status --watch': approved,
  'sca status --until': approved,
  'sca methods': () => atPassword(true),
  'sca select': () => atPassword(true),
  'sca submit': () => atPassword(false),
  'sca submit --otp-from': () => atPassword(true, ['--sca-method', 'sms']),
  'sca open': () => init('redirect'),
  'sca open --wait': approved,
  'pending resume': approved,
  'pending resolve': async () => {
    await inside.json(['sandbox', 'fault', 'add', 'initiatePayment', 'drop-after-commit']);
    await inside.run(['payment', 'init', ...shop, '--amount', '1.00', '--allow-duplicate']);
    return ((await inside.json(['pending', 'list'])) as { id: string }[])[0]!.id;
  },
};

/** A payment of which the bank has pushed a notification, to nobody. */
async function pushed(): Promise<string> {
  // A bank that ends with its run pushes nothing.
  if (bank.exitCode !== null) await startBank();
  const wish = ['--notification-uri', 'http://127.0.0.1:9/', '--psu-id', 'redirect'];
  const payment = ['payment', 'init', ...shop, '--amount', '1.00', '--allow-duplicate'];
  const made = await inside.json([...payment, ...wish]);
  const { paymentId } = made as { paymentId: string };
  await inside.json(['sandbox', 'psu', 'refuse', paymentId]);
  const told = async () => (await inside.run(['sandbox', 'log', '--notifications', '--json'])).stdout;
  await expect.poll(told, { timeout: 9000 }).toContain(paymentId);
  return paymentId;
}

/** The profile of the examples, which one of them deletes. */
async function acme(): Promise<undefined> {
  await inside.run([
    ...['profile', 'create', 'acme', '--base-url', 'https://acme.example'],
    ...['--environment', 'test', '--signing', 'none'],
  ]);
}

let elsewhere: { obk: Obk; bank: ChildProcess; env: Record<string, string> } | undefined;

/** The profiles of two banks, which are one of another home that wants no signature, and a journey for both. */
async function twoBanks(): Promise<undefined> {
  writeJourneyWithOtp(obk.folder);
  const other = await createObkWithKeys();
  const bank = other.start(['sandbox', 'start', '--open', '--port', '0']);
  await once(bank.stdout!, 'data');
  const person = await other.json(['sandbox', 'people', 'embedded-choice']);
  const { password, otp } = person as { password: string; otp: string };
  elsewhere = { obk: other, bank, env: { PSU_PASSWORD: password, OTP: otp } };
  const { baseUrl } = (await other.json(['sandbox', 'status'])) as { baseUrl: string };
  for (const name of ['bank-a', 'bank-b'])
    await inside.json([
      ...['profile', 'create', name, '--base-url', baseUrl, '--environment', 'test', '--signing', 'none'],
      ...['--psu-id', 'embedded-choice', '--psu-password-from', 'env:PSU_PASSWORD', '--psu-ip', '192.0.2.1'],
      ...['--debtor', ibanOf('embedded-choice'), '--no-check'],
    ]);
  return undefined;
}

/** A PSU who has logged in before any call. */
async function login(psu: string): Promise<undefined> {
  const args = ['auth', 'login', '--psu-id', psu];
  const { url } = (await inside.json(args)) as { url: string };
  const approved = await inside.json(['sandbox', 'psu', 'approve', url, '--as', psu]);
  const { redirectedTo } = approved as { redirectedTo: string };
  await inside.json([...args, '--return-url-from', 'env:BACK'], { env: { BACK: redirectedTo } });
}

/** A payment that waits for the password, or is behind it. */
async function atPassword(behind: boolean, more: readonly string[] = []): Promise<string> {
  const password = behind ? ['--psu-password-from', 'env:PSU_PASSWORD'] : [];
  const args = ['payment', 'init', ...shop, '--amount', '1.00', '--psu-id', 'embedded-choice'];
  const { code, stdout, stderr } = await inside.run([...args, ...password, ...more, '--json'], { env });
  expect(code, stderr).toBe(behind ? 8 : 0);
  return (JSON.parse(stdout) as { paymentId: string }).paymentId;
}

async function approved(): Promise<string> {
  const id = await init('redirect');
  await inside.json(['sandbox', 'psu', 'approve', id]);
  return id;
}

const member = async (psu: string): Promise<string> =>
  (
    (await inside.json([
      ...['payment', 'init', ...shop, '--amount', '1.00', '--psu-id', psu, '--allow-duplicate'],
      ...['--explicit', 'yes', '--authorise-later'],
    ])) as { paymentId: string }
  ).paymentId;

async function basket(psu: string): Promise<string> {
  const payments = [await member(psu), await member(psu)].flatMap((id) => ['--payment', id]);
  const made = (await inside.json(['basket', 'create', ...payments, '--psu-id', psu])) as {
    basketId: string;
  };
  return made.basketId;
}

async function signed(): Promise<string> {
  const id = await basket('redirect');
  await inside.json(['sandbox', 'psu', 'approve', id]);
  return id;
}

const ibanOf = (psu: string) => people.find(({ psuId }) => psuId === psu)!.accounts[0]!.iban;

/** A consent that waits for its PSU. */
async function consent(psu: string): Promise<string> {
  const iban = ibanOf(psu);
  return (
    (await inside.json(['consent', 'create', '--iban', iban, '--psu-id', psu])) as { consentId: string }
  ).consentId;
}

let opened: Promise<string> | undefined;

/** The consent of all that is read after it. */
function access(): Promise<string> {
  const how = ['--sca-method', 'sms'];
  const answers = [...how, '--psu-password-from', 'env:PSU_PASSWORD', '--otp-from', 'env:PSU_OTP'];
  opened ??= (async () => {
    const wish = ['--all-psd2', '--recurring', '--psu-id', 'embedded-choice'];
    const made = (await inside.json(['consent', 'create', ...wish, ...answers], { env })) as {
      consentId: string;
    };
    await inside.json(['consent', 'use', made.consentId]);
    return made.consentId;
  })();
  return opened;
}

let checked: Promise<undefined> | undefined;

/** What a check reads, once: the bank may have been reset since, and later examples judge the run before them. */
async function checkable(): Promise<undefined> {
  await inside.json(['consent', 'use', await consented()]);
  await init('redirect');
}

/** A valid consent of the built-in bank. */
async function consented(): Promise<string> {
  writeFileSync(
    join(obk.folder, 'consent.json'),
    JSON.stringify({
      access: { allPsd2: 'allAccounts' },
      recurringIndicator: true,
      validUntil: '2099-12-31',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    }),
  );
  const sent = ['--input', 'consent.json', '-H', 'PSU-ID: redirect'];
  const created = (await inside.json(['api', 'POST', 'v1/consents', ...sent])) as { consentId: string };
  await inside.json(['sandbox', 'psu', 'approve', created.consentId]);
  return created.consentId;
}

/** What must be undone after an example. */
const after: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'obk pending resolve ID --replay --yes': (id) =>
    inside.run(['pending', 'resolve', id, '--not-created', '--reason', 'an example']),
  'obk config set state.urlFrom env:OBK_STATE_URL': () => inside.json(['config', 'unset', 'state.urlFrom']),
  'obk journey run pay.yaml --profiles bank-a,bank-b --secret otp=env:OTP --json': async () => {
    for (const name of ['bank-a', 'bank-b']) await inside.json(['profile', 'delete', name, '--yes']);
    await end(elsewhere!.bank);
    elsewhere!.obk.close();
    elsewhere = undefined;
  },
};

// Those of a shared state need a PostgreSQL: they are in state-examples.test.ts.
const examples = (await helpExamples()).filter(({ path }) => !path.startsWith('state '));

const runsThem = runsWhole('the examples of the help pages');

describe('every example', () => {
  it('there is one for every command', () => {
    // A topic that shows commands has examples; one that is a table has none.
    const topics = /^help (?!json|scripting)/;
    const paths = new Set(examples.map(({ path }) => path));
    expect(paths.size).toBeGreaterThan(25);
    expect([...paths].filter((path) => topics.test(path))).toEqual([]);
  });

  it.runIf(runsThem).each(examples.map(({ path, example }) => [example, path] as const))(
    '%s',
    async (example, path) => {
      const { program, args } = wordsOf(example);
      expect(program).toBe('obk');
      const how = ['--wait', '--until', '--watch', '--otp-from', '--paginate', '--profiles', '--output'].find(
        (flag) => args.includes(flag),
      );
      const id = await (before[`${path} ${how ?? ''}`] ?? before[path])?.();
      const made = args.includes('PAYMENT_ID') ? await init('embedded-one') : '';
      const typed = args.map((word) => (word === 'ID' ? (id ?? word) : word === 'PAYMENT_ID' ? made : word));

      if (example.endsWith('# asks for the rest')) {
        const seen = obk.terminal(typed);
        await seen.see(/(Pay from account|Account) \(IBAN/);
        seen.write('\u0003');
        expect(await seen.ended).toBe(130);
      } else if (/^sandbox (?:start|replay|record)$/.test(path)) {
        const own = await createObkWithKeys();
        const request = { method: 'GET', url: 'http://bank.example/v1/accounts', headers: [] };
        const entry = { request, response: { status: 200, headers: [], content: { text: '{}' } } };
        writeFileSync(join(own.folder, 'calls.har'), JSON.stringify({ log: { entries: [entry] } }));
        writeFileSync(join(own.folder, 'bank.yaml'), 'people:\n  - psuId: anna\n');
        const child = own.start(typed.map((word) => (word === '8080' ? '0' : word)));
        const isDetached = args.includes('--detach');
        child.stdout!.once('data', () => isDetached || child.kill('SIGINT'));
        expect(await new Promise((done) => child.once('close', done))).toBe(0);
        // It ends by itself, and its bank does not.
        if (isDetached) await own.json(['sandbox', 'stop']);
        own.close();
      } else if (path === 'listen') {
        const here: Readonly<Record<string, string>> = { '8090': '0', '8443': '0', '0.0.0.0': '127.0.0.1' };
        const child = obk.start(
          typed.map((word) => here[word] ?? word),
          { env: { OBK_PROFILE: 'sandbox' } },
        );
        let said = '';
        child.stderr!.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          if (said.includes('Listening at')) child.kill('SIGINT');
        });
        expect(await new Promise((done) => child.once('close', done)), said).toBe(130);
      } else if (args.includes('--follow')) {
        const interrupt = new AbortController();
        const { code } = await runInside(typed, {
          env: { ...obk.env, ...env },
          cwd: obk.folder,
          signal: interrupt.signal,
          onOutput: () => {
            interrupt.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
          },
        });
        expect(code).toBe(130);
      } else {
        const { code, stderr } = path.startsWith('sandbox tenant')
          ? await withTenants(() => inside.run(typed, { env: { ...env, OBK_SANDBOX: 'shared' } }))
          : await inside.run(typed, { env: { ...env, ...elsewhere?.env } });
        await after[example]?.(id ?? '');
        const good = otherExits[example] ?? 0;
        expect({ code, stderr: code === good ? '' : stderr }).toEqual({ code: good, stderr: '' });
      }
    },
  );
});

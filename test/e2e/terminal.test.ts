import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { insideOf } from '../helpers/inside.ts';
import { createObk, shop } from '../helpers/obk.ts';
import type { Obk, Terminal } from '../helpers/obk.ts';

let obk: Obk;
const secrets: Record<string, { password: string; otp: string }> = {};
/** The same home, for what needs no terminal. */
let inside: ReturnType<typeof insideOf>;
let open: Terminal | undefined;

beforeAll(async () => {
  obk = createObk({ OBK_BROWSER: 'never' });
  inside = insideOf(obk);
  const people = (await obk.json(['sandbox', 'people'])) as {
    psuId: string;
    password: string;
    otp: string;
  }[];
  for (const { psuId, password, otp } of people) secrets[psuId] = { password, otp };
});
afterEach(() => {
  open?.kill();
  open = undefined;
});
afterAll(() => {
  obk.close();
});

function terminal(args: readonly string[], options?: Parameters<Obk['terminal']>[1]): Terminal {
  open = obk.terminal(args, options);
  return open;
}

const pay = (psu: string, amount: string) => [
  'payment',
  'init',
  ...shop,
  '--amount',
  amount,
  '--psu-id',
  psu,
];

describe('a person pays', () => {
  it('by answering questions, and approves on the page that the link leads to', async () => {
    const seen = terminal(['payment', 'init', '--product', 'sepa-credit-transfers']);
    await seen.see('using the bank inside');
    await seen.see('Pay from account (IBAN)');
    seen.write('\r');
    await seen.see('Name of the payee');
    seen.write('Shop\r');
    await seen.see('Account of the payee (IBAN)');
    seen.write('DE89370400440532013001\r');
    await seen.see('check digits are wrong');
    seen.write('\u007f0\r');
    await seen.see('Amount (EUR)');
    seen.write('1,250\r');
    await seen.see('nothing between the thousands');
    seen.write(`${'\u007f'.repeat(5)}12,50\r`);
    await seen.see('Amount (EUR) (12.50)');
    seen.write('\r');
    await seen.see('Text for the payee');
    seen.write('\r');
    // What is shown begins on a line of its own.
    await seen.see(/\n\s*To {7}Shop/);
    await seen.see('Amount   12.50 EUR');
    await seen.see('go on?');
    seen.write('y\r');
    await seen.see('obk sandbox people');
    await seen.see('Open this link to approve:');
    await seen.see(/http:\/\/127\.0\.0\.1:\d+\/sca\//);
    const [, id = ''] = /obk sandbox psu approve (\S+)/.exec(seen.text()) ?? [];
    expect(await inside.json(['sandbox', 'psu', 'approve', id])).toMatchObject({ scaStatus: 'finalised' });
    await seen.see('ACSC');
    expect(await seen.ended).toBe(0);
  });

  it('says no by default, and nothing is sent', async () => {
    const before = await inside.json(['payment', 'list']);
    const seen = terminal(pay('redirect', '1,00'));
    await seen.see('Amount (EUR) (1.00)');
    seen.write('\r');
    await seen.see('go on?');
    seen.write('\r');
    await seen.see('stop; nothing is sent');
    seen.write('\r');
    await seen.see('was not confirmed; nothing was sent.');
    await seen.see('obk payment init --product sepa-credit-transfers');
    await seen.see('--debtor');
    expect(await seen.ended).toBe(2);
    // What was answered stands in place of what was typed.
    expect(seen.text().match(/--amount \S+/g)).toEqual(['--amount 1.00']);
    expect(await inside.json(['payment', 'list'])).toEqual(before);
  });

  it('says no, changes one answer, and says yes to what became of it', async () => {
    const seen = terminal([...pay('redirect', '1.00'), '--authorise-later']);
    await seen.see('IBAN     DE89 3704 0044 0532 0130 00');
    await seen.see('Amount   1.00 EUR');
    await seen.see('go on?');
    seen.write('n\r');
    await seen.see('change: Account of the payee (IBAN)  DE89 3704 0044 0532 0130 00');
    await seen.see('change: Amount');
    seen.write(`${'\u001b[B'.repeat(4)}\r`);
    await seen.see('Amount (EUR)');
    seen.write('1,10\r');
    await seen.see('Amount (EUR) (1.10)');
    seen.write('\r');
    await seen.see('Amount   1.10 EUR');
    await seen.see('go on?');
    seen.write('y\r');
    await seen.see('1.10');
    expect(await seen.ended).toBe(0);
  });

  it('with password, method and one-time password; a wrong one is asked again', async () => {
    const { password, otp } = secrets['embedded-choice']!;
    const seen = terminal([...pay('embedded-choice', '2.00'), '--yes']);
    await seen.see(/Confirms: payment of 2\.00 EUR to Shop at sandbox\s*[\r\n]+[^\r\n]*Password of the PSU/);
    seen.write('wrong\r');
    await seen.see('did not accept');
    await seen.see('Password of the PSU');
    seen.write(`${password}\r`);
    await seen.see('How do you want to confirm?');
    await seen.see('Card reader');
    seen.write('\u001b[B\r');
    await seen.see('One-time password');
    seen.write(`${otp}\r`);
    await seen.see('ACSC');
    expect(await seen.ended).toBe(0);
    expect(seen.raw()).not.toContain(password);
    expect(seen.raw()).not.toContain(otp);
  });

  it('with a wrong one-time password first, and what is no such password at all', async () => {
    const { password, otp } = secrets['embedded-choice']!;
    const seen = terminal([...pay('embedded-choice', '2.20'), '--yes']);
    await seen.see('Password of the PSU');
    seen.write(`${password}\r`);
    await seen.see('How do you want to confirm?');
    seen.write('\u001b[B\r');
    await seen.see(/Enter the start code \d{8} into your card reader/);
    await seen.see(/Challenge: \d{8}/);
    await seen.see('One-time password');
    seen.write('12 34x\r');
    await seen.see('Digits only.');
    seen.write(`${'\u007f'.repeat(6)}000000\r`);
    await seen.see('attempts left:');
    await seen.see('One-time password');
    seen.write('000000\r');
    await seen.see('it is not sent again');
    await seen.see('One-time password');
    seen.write(`${otp}\r`);
    await seen.see('ACSC');
    expect(await seen.ended).toBe(0);
    expect(seen.raw()).not.toContain(otp);
  });

  it.each([
    ['to the phone', '\u001b[B\r', 'Waiting for the PSU to confirm'],
    ['to the page of the bank', '\u001b[B\u001b[B\r', 'Open this link to approve:'],
  ])('and chooses a method that leads %s', async (_, keys, waits) => {
    const { password } = secrets['switch']!;
    const seen = terminal([...pay('switch', '2.30'), '--allow-duplicate', '--yes']);
    await seen.see('Password of the PSU');
    seen.write(`${password}\r`);
    await seen.see('How do you want to confirm?');
    seen.write(keys);
    await seen.see(waits);
    expect(await inside.json(['sandbox', 'psu', 'approve', '@last'])).toMatchObject({
      scaStatus: 'finalised',
    });
    await seen.see('ACSC');
    expect(await seen.ended).toBe(0);
  });

  it('without colours where none are wanted', async () => {
    const seen = terminal(pay('redirect', '1.00'), { env: { NO_COLOR: '1' } });
    await seen.see('go on?');
    seen.write('\r');
    await seen.see('stop; nothing is sent');
    seen.write('\r');
    await seen.ended;
    // eslint-disable-next-line no-control-regex
    expect(seen.raw()).not.toMatch(/\u001b\[[0-9;]*m/);
  });

  it('on plain lines in the accessible mode', async () => {
    const { password, otp } = secrets['embedded-choice']!;
    const seen = terminal(pay('embedded-choice', '2.10'), { env: { OBK_ACCESSIBLE: '1' } });
    await seen.see('go on? (yes or no, no by default): ');
    seen.write('yes\r');
    await seen.see('Password of the PSU embedded');
    seen.write(`${password}\r`);
    await seen.see(/1\. SMS to/);
    await seen.see('How do you want to confirm? (1 to 3): ');
    seen.write('9\r');
    await seen.see('Type a number from 1 to 3.');
    seen.write('1\r');
    await seen.see('One-time password of the PSU embedded-choice: ');
    seen.write(`${otp}\r`);
    await seen.see('ACSC');
    expect(await seen.ended).toBe(0);
    expect(seen.raw()).not.toContain(password);
    expect(seen.raw()).not.toContain(otp);
  });
});

describe('a person stops', () => {
  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s in a question is exit 130, and tells what is left behind', async (_, key) => {
    const seen = terminal([...pay('embedded-choice', '3.00'), '--yes']);
    await seen.see('Password of the PSU');
    seen.write(key);
    await seen.see(/The payment [0-9a-f-]{36} exists/);
    expect(await seen.ended).toBe(130);
    expect(seen.raw().lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(
      seen.raw().lastIndexOf('\u001b[?25l'),
    );
  });

  it('Ctrl-C while the bank is waited for', async () => {
    const seen = terminal([...pay('decoupled', '3.10'), '--yes']);
    await seen.see('Waiting for the PSU');
    seen.write('\u0003');
    await seen.see('Ctrl-C again to end at once');
    await seen.see(/The payment [0-9a-f-]{36} exists/);
    expect(await seen.ended).toBe(130);
  });

  it('Ctrl-C in the accessible mode', async () => {
    const seen = terminal(pay('redirect', '3.20'), { env: { ACCESSIBLE: '1' } });
    await seen.see('go on?');
    seen.write('\u0003');
    expect(await seen.ended).toBe(130);
  });
});

describe('a table', () => {
  it('has titles, fits the width, and its next steps follow', async () => {
    const seen = terminal(['payment', 'list'], { columns: 60 });
    expect(await seen.ended).toBe(0);
    const lines = seen.text().split(/\r?\n/);
    expect(lines.some((line) => /^PAYMENT +STARTED/.test(line))).toBe(true);
    for (const line of lines.filter((shown) => shown.includes('Shop')))
      expect(line.length).toBeLessThanOrEqual(60);
  });
});

it('no question, choice or result breaks a word or an IBAN at 80 columns', async () => {
  const payee = 'Wohnungsbaugenossenschaft Nord eG';
  const flags = shop.map((word) => (word === 'Shop' ? payee : word));
  const seen = terminal(
    ['payment', 'init', ...flags, '--amount', '1234.56', '--psu-id', 'next-day', '--yes'],
    { columns: 80 },
  );
  const { password, otp } = secrets['next-day']!;
  await seen.see('Password of the PSU');
  seen.write(`${password}\r`);
  await seen.see('One-time password');
  seen.write(`${otp}\r`);
  expect(await seen.ended).toBe(0);
  const [said = ''] = /Payment \S+: ACTC[^]*/.exec(seen.text()) ?? [];
  expect(said.replace(/\s+/g, ' ')).toContain(`to ${payee}`);
  expect(said).toContain('DE89 3704 0044 0532 0130 00');
  expect(said.split('\r\n').filter((line) => line.length > 80 && !line.includes('obk '))).toEqual([]);
  const cancelled = terminal(['payment', 'cancel', '@last'], { columns: 80 });
  await cancelled.see('(y/N)');
  const asked = cancelled.text().replace(/\s+/g, ' ');
  expect(asked).toContain(`1234.56 EUR to ${payee} (DE89 3704`);
  expect(asked).toContain('0036 64: go on? (y/N)');
  cancelled.write('\r');
  expect(await cancelled.ended).toBe(2);
});

it('CI in a terminal asks nobody', async () => {
  const seen = terminal(['payment', 'init'], { env: { CI: 'true' } });
  await seen.see('Missing: --product');
  expect(await seen.ended).toBe(2);
});

describe('a load', () => {
  it('tells how it stands, and after Ctrl-C how it went, also in its page', async () => {
    const read = '  - api: { what: GET, path: consents/none/status }\n    expect: { exit: 4, status: 403 }\n';
    writeFileSync(join(obk.folder, 'load.yaml'), `journey: One read\nsteps:\n${read}`);
    const rest = ['--profile', 'sandbox', '--arrivals', '4/s', '--for', '60s', '--html', 'load.html'];
    const seen = terminal(['journey', 'run', 'load.yaml', ...rest]);
    await seen.see(/of 60 s: \d+ due, [1-9]\d* ended \([\d.]+\/s\), \d+ running, 0 failed/);
    seen.write('\u0003');
    await seen.see('Stopping');
    await seen.see(/p99\.9 ms/);
    await seen.see('getConsentStatus');
    await seen.see(/[1-9]\d* of \d+ journeys passed, interrupted/);
    expect(await seen.ended).toBe(130);
    const page = readFileSync(join(obk.folder, 'load.html'), 'utf8');
    for (const part of ['<figure>', 'journeys passed, interrupted']) expect(page).toContain(part);
  });
});

describe('obk alone', () => {
  it('says where one stands, and runs what is chosen', async () => {
    // What the tests before it have left unfinished would stand first.
    const own = createObk();
    onTestFinished(() => {
      own.close();
    });
    const seen = own.terminal([], { columns: 80, env: { OBK_PAGER: 'cat' } });
    await seen.see('No profile is configured: using the bank inside');
    await seen.see('What next?');
    await seen.see(/Connect a bank +obk profile create/);
    await seen.see(/Make a payment +obk payment init/);
    await seen.see('select');
    seen.write('\u001b[A\u001b[A\r');
    await seen.see('obk help');
    await seen.see('USAGE');
    expect(await seen.ended).toBe(0);
  });

  it('names what is open, and the profile where there are several', async () => {
    const own = createObk();
    onTestFinished(() => {
      own.close();
    });
    const flags = ['--amount', '1.00', '--psu-id', 'embedded-one', '--profile', 'sandbox', '--no-input'];
    for (const payee of ['Shop', '株式会社東京商店'.repeat(4)])
      await insideOf(own).json([
        'payment',
        'init',
        ...shop.map((word) => (word === 'Shop' ? payee : word)),
        ...flags,
      ]);
    const acme = ['profile', 'create', 'acme', '--base-url', 'https://bank.example', '--environment', 'test'];
    await insideOf(own).json([...acme, '--signing', 'none', '--no-check']);
    const seen = own.terminal([], { columns: 80, env: { OBK_PROFILE: 'sandbox' } });
    await seen.see('profile sandbox · sandbox · the bank inside');
    await seen.see('Pending: 2');
    await seen.see(/Open: 1\.00 EUR to 株式会社東京商店[^ ]*… {2}obk pending resume [0-9a-f]{8}/);
    await seen.see(/Open: 1\.00 EUR to Shop +obk pending resume [0-9a-f]{8}/);
    await seen.see('select');
    seen.write('\u0003');
    expect(await seen.ended).toBe(130);
  });

  it('does nothing where nothing is chosen, and shows its help where nobody can be asked', async () => {
    const seen = terminal([]);
    await seen.see('select');
    seen.write('\u001b[A\r');
    expect(await seen.ended).toBe(0);
    const ci = terminal([], { env: { CI: '1' } });
    await ci.see('USAGE');
    expect(await ci.ended).toBe(2);
  });
});

// The document of the commands that lead an authorisation: the same members at every exit, and stderr that names what exists.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';
import { shop } from '../../../../helpers/obk.ts';
import { startTpp } from '../../../../helpers/tpp.ts';
import type { Ended, Tpp } from '../../../../helpers/tpp.ts';
import { judgeOf } from '../walk/published.ts';
import type { Judge, Published } from '../walk/published.ts';

const here = {} as { tpp: Tpp; judge: Judge; outputs: Map<string, string | null> };
beforeAll(async () => {
  here.tpp = await startTpp('v1', ['--environment', 'test', '--surface', 'framework']);
  here.tpp.bank.scenario({ surface: 'framework' });
  const { document } = await here.tpp.run(['commands']);
  const published = document as Published;
  here.judge = judgeOf(published);
  here.outputs = new Map(published.commands.map(({ command, output }) => [command, output]));
});
beforeEach(() => {
  const { password, otp } = here.tpp.bank.person('embedded-one');
  Object.assign(here.tpp.env, { PW: password, CODE: otp, BAD: '000000' });
});
afterAll(() => here.tpp.close());

const right = ['--psu-password-from', 'env:PW', '--otp-from', 'env:CODE'];
const wrong = ['--psu-password-from', 'env:PW', '--otp-from', 'env:BAD'];
const pay = (psuId: string) => [
  ...['payment', 'init', ...shop, '--debtor', here.tpp.bank.person(psuId).accounts[0]?.iban ?? ''],
  ...['--amount', '1.00', '--allow-duplicate', '--psu-id', psuId],
];
const ask = (psuId: string) => ['consent', 'create', '--all-psd2', '--psu-id', psuId];
const member = async () => {
  const { document } = await here.tpp.run([...pay('embedded-one'), '--authorise-later', '--explicit', 'yes']);
  return document.paymentId as string;
};
const sign = async (psuId: string) => ['basket', 'create', '--payment', await member(), '--psu-id', psuId];
const existing = async (words: string[], noun: string) => {
  const made = await here.tpp.run([...words]);
  return [noun, 'authorise', made.document[`${noun}Id`] as string];
};
const cancellable = async () => ['payment', 'cancel', await here.tpp.accepted('next-day'), '--yes'];
const fault = (operation: string) => {
  here.tpp.bank.fault({ operation, kind: 'drop-after-commit' });
};

type Make = () => Promise<string[]>;
/** What runs, its exit, whether its document has an id, and what the authorisation is of. */
type Row = [about: string, make: Make, exit: number, hasId: boolean, of: string];
const rows: Record<string, Row[]> = {
  payment: [
    ['init, only made', async () => pay('embedded-one'), 0, true, 'payment'],
    ['init, authorised', async () => [...pay('embedded-one'), ...right], 0, true, 'payment'],
    ['init, an input missing', async () => [...pay('embedded-one'), '--wait'], 8, true, 'payment'],
    ['init, a wrong OTP', async () => [...pay('embedded-one'), ...wrong], 9, true, 'payment'],
    [
      'init, no funds',
      async () => [...pay('no-funds'), '--psu-password-from', 'env:X', '--otp-from', 'env:Y'],
      9,
      true,
      'payment',
    ],
    ['init, blocked', async () => pay('locked'), 9, false, 'payment'],
    [
      'init, the answer lost',
      async () => {
        fault('initiatePayment');
        return pay('embedded-one');
      },
      12,
      false,
      'payment',
    ],
    [
      'init, the answer to the OTP lost',
      async () => {
        here.tpp.bank.fault({ operation: 'updatePaymentPsuData', kind: 'drop-before' });
        return [...pay('embedded-one'), ...right];
      },
      12,
      true,
      'payment',
    ],
    [
      'authorise',
      async () => [...(await existing(pay('embedded-one'), 'payment')), ...right],
      0,
      true,
      'payment',
    ],
    ['authorise, open', () => existing(pay('redirect'), 'payment'), 8, true, 'payment'],
    [
      'authorise, a wrong OTP',
      async () => [...(await existing(pay('embedded-one'), 'payment')), ...wrong],
      9,
      true,
      'payment',
    ],
    [
      'cancel, only begun',
      async () => [...(await cancellable()), '--psu-id', 'next-day'],
      0,
      true,
      'cancellation',
    ],
    ['cancel, an input missing', async () => [...(await cancellable()), '--wait'], 8, true, 'cancellation'],
    [
      'cancel, impossible',
      async () => ['payment', 'cancel', await here.tpp.accepted('cancel-impossible'), '--yes'],
      9,
      true,
      'cancellation',
    ],
    [
      'cancel, the answer lost',
      async () => {
        const words = await cancellable();
        here.tpp.bank.fault({ operation: 'cancelPayment', kind: 'drop-before' });
        return words;
      },
      12,
      true,
      'cancellation',
    ],
  ],
  consent: [
    ['create, only made', async () => ask('embedded-one'), 0, true, 'consent'],
    ['create, authorised', async () => [...ask('embedded-one'), ...right], 0, true, 'consent'],
    ['create, an input missing', async () => [...ask('embedded-one'), '--wait'], 8, true, 'consent'],
    ['create, a wrong OTP', async () => [...ask('embedded-one'), ...wrong], 9, true, 'consent'],
    ['create, blocked', async () => ask('locked'), 9, false, 'consent'],
    [
      'create, the answer lost',
      async () => {
        fault('createConsent');
        return ask('embedded-one');
      },
      12,
      false,
      'consent',
    ],
    [
      'authorise',
      async () => [...(await existing(ask('embedded-one'), 'consent')), ...right],
      0,
      true,
      'consent',
    ],
    ['authorise, open', () => existing(ask('redirect'), 'consent'), 8, true, 'consent'],
    [
      'authorise, a wrong OTP',
      async () => [...(await existing(ask('embedded-one'), 'consent')), ...wrong],
      9,
      true,
      'consent',
    ],
  ],
  basket: [
    ['create, only made', () => sign('embedded-one'), 0, true, 'basket'],
    ['create, authorised', async () => [...(await sign('embedded-one')), ...right], 0, true, 'basket'],
    ['create, an input missing', async () => [...(await sign('embedded-one')), '--wait'], 8, true, 'basket'],
    ['create, a wrong OTP', async () => [...(await sign('embedded-one')), ...wrong], 9, true, 'basket'],
    [
      'create, the answer lost',
      async () => {
        const words = await sign('embedded-one');
        fault('createSigningBasket');
        return words;
      },
      12,
      false,
      'basket',
    ],
    [
      'authorise, a wrong OTP',
      async () => [...(await existing(await sign('embedded-one'), 'basket')), ...wrong],
      9,
      true,
      'basket',
    ],
  ],
};

const linesOf = ({ stderr }: Ended) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, object | undefined>);
const wished = {
  payment: { amount: '1.00', currency: 'EUR', creditorName: 'Shop' },
  consent: { access: { allPsd2: 'allAccounts' }, recurringIndicator: false },
  basket: { paymentIds: [expect.any(String)], consentIds: [] },
} as const;
const scaMembers = 'approach authorisationId challengeData of scaMethods scaStatus url'.split(' ');

describe.each(Object.entries(rows))('the document of a %s', (noun, own) => {
  const shapes = new Set<string>();

  it.each(own)('of %s', async (about, make, exit, hasId, of) => {
    const { password, otp } = here.tpp.bank.person('no-funds');
    Object.assign(here.tpp.env, { X: password, Y: otp });
    const words = await make();
    const ran = await here.tpp.run(words);
    expect(ran.code, ran.stderr).toBe(exit);
    const { document } = ran;
    const command = words.slice(0, 2).join(' ');
    expect(here.judge(here.outputs.get(command) ?? 'none', document)).toBe('');
    shapes.add(JSON.stringify([Object.keys(document as object), Object.keys(document.sca as object)]));
    expect([...shapes], about).toHaveLength(1);
    expect(document).toMatchObject({ profile: 'tpp', environment: 'test', ...wished[noun as 'payment'] });
    expect(document[`${noun}Id`], about).toEqual(hasId ? expect.any(String) : null);
    expect(document.sca).toMatchObject({ of });
    expect(Object.keys(document.sca as object)).toEqual(expect.arrayContaining(scaMembers));
    if (exit === 12) {
      expect(document).toMatchObject({
        intent: expect.any(String) as string,
        requestId: expect.any(String) as string,
      });
      expect(linesOf(ran).at(-1)).toMatchObject({ error: { exitCode: 12 } });
    }
    // What was made by this run is told before its end, whatever that is.
    const told = linesOf(ran).flatMap(({ created }) => (created === undefined ? [] : [created]));
    const makes =
      hasId &&
      !command.endsWith('authorise') &&
      about !== 'cancel, impossible' &&
      !(of === 'cancellation' && exit === 12);
    if (makes)
      expect(told[0], ran.stderr).toMatchObject({
        [`${noun}Id`]: document[`${noun}Id`] as string,
        next: expect.stringContaining(
          exit === 8 || of === 'cancellation' ? `obk ${noun} authorise` : `obk ${noun} `,
        ) as string,
      });
    else expect(told).toEqual([]);
  });
});

it('one schema describes them all', () => {
  const commands = [
    'payment init',
    'payment authorise',
    'payment cancel',
    'consent create',
    'consent authorise',
  ];
  const all = [...commands, 'basket create', 'basket authorise'].map((command) => here.outputs.get(command));
  expect(new Set(all)).toEqual(new Set(['resource']));
});

describe('what exists is told', () => {
  const text = (more: string[]) => runInside([...pay('redirect'), ...more], { env: here.tpp.env, cwd: '/' });

  it.each([
    [[], true],
    [['-q'], true],
    [['-qq'], false],
    [['--wait', '--timeout', '200ms', '-q'], true],
    [['--authorise-later'], true],
  ])('to a person without a terminal: %j', async (more, isTold) => {
    const { stdout, stderr } = await text(more);
    const id = /Payment (\S+):/.exec(stdout)?.[1] ?? 'none';
    const told = `Created payment ${id}. Next: obk payment authorise ${id}\n`;
    if (isTold) expect(stderr).toContain(told);
    else expect(stderr).toBe('');
  });

  it.each([
    [['--json', '-q'], true],
    [['--jq', '.paymentId'], true],
    [['--fields', 'paymentId'], true],
    [['-o', 'ndjson'], true],
    [['--json', '-qq'], false],
  ])('to a program: %j', async (more, isTold) => {
    const { stderr } = await text(more);
    const created = {
      paymentId: expect.any(String) as string,
      authorisationId: expect.any(String) as string,
    };
    const lines = stderr.split('\n').filter((line) => line.startsWith('{"created"'));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject(
      isTold ? [{ created: { ...created, url: expect.stringContaining('http') as string } }] : [],
    );
  });
});

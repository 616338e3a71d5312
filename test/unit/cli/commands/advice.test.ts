// What an error or a result advises leads on, and says what is known here.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { order, split, startWalk } from './walk/walk.ts';
import type { Walk } from './walk/walk.ts';

let walk: Walk;

beforeAll(async () => {
  walk = await startWalk();
});
afterAll(() => walk.close());

interface Said {
  title: string;
  detail: string | null;
  hint: string[];
  advice: string | null;
  next: string | null;
}

const wrong = async (line: string): Promise<Said> => {
  const { code, stderr } = await walk.run([...split(line), '--json', '--no-input']);
  expect(code, stderr).not.toBe(0);
  return (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: Said }).error;
};
const secretsOf = (id: string) => [
  ...['--psu-id', id, '--psu-password-from', `env:PW`, '--otp-from', 'env:CODE', '--json', '--no-input'],
];
const paid = async (id: string) => {
  const { password, otp } = walk.bank.person(id);
  const env = { PW: password, CODE: otp };
  return walk.run([...split(`payment init ${order} --allow-duplicate`), ...secretsOf(id)], { env });
};
const nextOf = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as { next: string }).next;

describe('an error', () => {
  it('of a basket that is not known says nothing of how members are started', async () => {
    for (const verb of ['get', 'status', 'delete'])
      expect(JSON.stringify(await wrong(`basket ${verb} no-such-basket`))).not.toContain('--explicit');
  });

  it.each([
    ['getConsentStatus', 'consent status c-1', false],
    ['checkAvailabilityOfFunds', 'funds check --account DE02120300000000202051 --amount 1.00', false],
    [
      'getPaymentInitiationStatus',
      'payment status no-such --service payments --product sepa-credit-transfers',
      false,
    ],
    ['initiatePayment', `payment init ${order} --allow-duplicate`, true],
  ])('FORMAT_ERROR of %s names payment lint only where a payment is sent', async (operation, line, lints) => {
    await walk.json(`sandbox fault add ${operation} status 400`);
    const { advice } = await wrong(line);
    expect(advice).toContain('Correct the member or parameter');
    expect(advice?.includes('payment lint')).toBe(lints);
  });

  it('of a status that is refused does not lead to the same status', async () => {
    await walk.json('sandbox fault add getPaymentInitiationStatus status 400');
    expect((await wrong(`payment status ${await walk.payment()}`)).next).toBeNull();
  });

  it('of a customer that the built-in bank does not have names those that it has', async () => {
    const near = await wrong(`payment init ${order} --psu-id embedded-onne`);
    expect(near.title).toBe('The built-in bank has no customer "embedded-onne" (--psu-id).');
    expect(near.detail).toContain('embedded-one,');
    expect(near.hint).toContainEqual(expect.stringMatching(/--psu-id embedded-one\b/));
    expect(near.hint.at(-1)).toContain('obk sandbox people');
  });

  it('of a currency does not judge the amount by it', async () => {
    const { detail } = await wrong(`payment init ${order} --currency EURO --psu-id embedded-one`);
    expect(detail).toMatch(/^--currency "EURO": [^\n]*$/);
  });

  it.each(['payment status @last', 'consent status @last', 'basket status @last'])(
    '%s --wait leads to --until or --watch',
    async (line) => {
      expect((await wrong(`${line} --wait`)).hint[0]).toMatch(/^--(until STATUS|watch)$/);
    },
  );

  it('of a word that is no file leads to the profiles', async () => {
    const { detail, hint } = await wrong('cert lint TYPO');
    expect(detail).toContain('There is no profile of that name either.');
    expect(hint.join()).toContain('obk profile list');
  });

  it.each([
    ['accounts --psu-id embedded-one', /obk consent create --iban DE\d{20} --psu-id embedded-one/],
    ['consent create --psu-id embedded-one', /obk consent create --iban DE\d{20}/],
  ])('%s has the account in its line', async (line, hint) => {
    expect((await wrong(line)).hint.join()).toMatch(hint);
  });
});

describe('the next line', () => {
  it('has at the built-in bank the command that knows the secret', async () => {
    const init = await walk.run(
      split(`payment init ${order} --allow-duplicate --psu-id embedded-one --wait --json`),
    );
    expect(nextOf(init)).toContain(
      "--psu-password-from 'cmd:obk sandbox people embedded-one --field password'",
    );
  });

  it.each([
    ['no-funds', /^obk report \S+ --output ticket\.html/],
    ['embedded-one', /^obk payment get /],
    ['next-day', /^obk payment status /],
  ])('of a payment of %s does not ask for a final state again', async (id, next) => {
    expect(nextOf(await paid(id))).toMatch(next);
  });

  it('of a payment that cannot be cancelled shows the payment', async () => {
    await paid('embedded-one');
    const ran = await walk.run(split('payment cancel @last -y --json'));
    expect([ran.code, nextOf(ran)]).toEqual([9, expect.stringMatching(/^obk payment get /)]);
  });
});

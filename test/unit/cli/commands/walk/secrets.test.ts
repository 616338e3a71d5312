// Nothing that is typed or set takes a secret: only a reference to one, or a file.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pkcs12 } from '../../../../helpers/pkcs12.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import type { Published } from './published.ts';
import { split, startWalk } from './walk.ts';
import type { Walk } from './walk.ts';

let walk: Walk;
let published: Published;
beforeAll(async () => {
  walk = await startWalk();
  published = (await walk.json('commands')) as Published;
});
afterAll(() => walk.close());

const secret = 'hunter2-hunter2';

const everyFlag = () =>
  [{ command: 'version', flags: published.globalFlags }, ...published.commands].flatMap(
    ({ command, flags }) => flags.map((flag) => ({ command, ...flag })),
  );

/** Names of what only its owner may know. */
const sounds = /pass(word|phrase)|otp|pin\b|secret|token|credential|private|\bkey\b|return-url/i;

/** Flags that sound so and take something else. */
const harmless = [
  '--key-type',
  '--intent-key',
  '--psu-password-algorithm',
  '--credentials',
  '--send-credentials-to',
];

it('a flag that sounds like a secret takes a reference or a file', () => {
  const suspicious = everyFlag().filter(
    ({ name, value }) => value !== null && sounds.test(name) && !harmless.includes(name),
  );
  expect(suspicious.length).toBeGreaterThan(50);
  const bad = suspicious.filter(({ value }) => value !== 'REF' && value !== 'NAME=REF' && value !== 'FILE');
  expect(bad.map(({ command, name, value }) => `${command} ${name} ${value ?? ''}`)).toEqual([]);
});

/** What must be said before these two look at a setting. */
const needs: Readonly<Record<string, string>> = {
  'profile create':
    'other --base-url https://other.example --environment test --certificate none.pem --key none.key',
  'profile edit': 'acme',
};

it('a flag of a reference refuses the secret itself, and does not repeat it', async () => {
  const references = everyFlag().filter(
    // That one takes the reference of an entry in a report.
    ({ name, value }) => value?.endsWith('REF') === true && name !== '--entry-reference-from',
  );
  expect(references.length).toBeGreaterThan(50);
  await walk.json('profile create acme --base-url https://acme.example --environment test --signing none');
  for (const { command, name, value } of references) {
    const words = split(`${command} ${needs[command] ?? ''}`);
    const given = value === 'REF' ? secret : `name=${secret}`;
    const ran = await walk.run([...words, name, given, '--json']);
    expect({ code: ran.code, stdout: ran.stdout }, `${command} ${name}`).toEqual({ code: 2, stdout: '' });
    expect(oneError(ran).title).toBe(`${name} takes a reference, never the secret itself.`);
    expect(ran.stderr).not.toContain(secret);
  }
});

describe('a variable of a reference refuses the secret itself, and does not repeat it', () => {
  const atPassword = async () => `payment authorise ${await walk.payment('embedded-choice')}`;
  const atMethod = async () =>
    `payment authorise ${await walk.payment('embedded-choice')} --psu-password-from env:PASSWORD --sca-method sms`;

  const login = async () => {
    const line = 'auth login --psu-id oauth';
    await walk.json(line);
    return line;
  };

  it.each<[string, () => string | Promise<string>]>([
    ['OBK_PSU_PASSWORD_FROM', atPassword],
    ['OBK_OTP_FROM', atMethod],
    ['OBK_RETURN_URL_FROM', login],
    ['OBK_PASSPHRASE_FROM', async () => `cert inspect ${walk.file('seal.p12', await pkcs12('p12'))}`],
  ])('%s', async (name, line) => {
    const ran = await walk.run([...split(await line()), '--json', '-vvv', '--findings'], {
      env: { [name]: secret },
    });
    expect(ran.stdout).toBe('');
    expect(oneError(ran).code).toBe('SECRET_REFERENCE');
    expect(ran.stderr).not.toContain(secret);
  });
});

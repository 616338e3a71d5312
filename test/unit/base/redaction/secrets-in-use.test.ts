import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createSecrets } from '../../../../src/adapters/secrets/secret-references.ts';
import { redactText } from '../../../../src/client/redaction/redact.ts';
import { knownSecretValues, Secret } from '../../../../src/base/secret.ts';

const collect = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

it('a secret is cut out for as long as it is in use, however many are made after it', async () => {
  const env = { BANK_KEY: 'key-of-the-profile-4711' };
  const secrets = createSecrets({ env, stdin: process.stdin });
  await secrets.read('env:BANK_KEY', 'a test');
  const token = new Secret('token-in-use-0815-abcdef');
  // The same value once more, and gone before the first.
  for (let copy = 0; copy < 10; copy += 1) new Secret(token.reveal());
  for (let round = 0; round < 3; round += 1) {
    for (let nth = 0; nth < 2_500; nth += 1) new Secret(`of-a-journey-${String(round)}-${String(nth)}`);
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    const told = redactText('the bank says key-of-the-profile-4711 and token-in-use-0815-abcdef');
    expect(told).toBe('the bank says [secret] and [secret]');
  }
  // Still read from the store, and still in hand.
  expect((await secrets.read('env:BANK_KEY', 'a test')).reveal()).toBe(env.BANK_KEY);
  expect(token.reveal()).toBe('token-in-use-0815-abcdef');
});

it('the oldest of the unused secrets are forgotten, so that a long process does not grow', async () => {
  for (let nth = 0; nth < 6_000; nth += 1) new Secret(`once-${String(nth)}`);
  await expect
    .poll(() => {
      collect();
      return knownSecretValues().size;
    })
    .toBeLessThan(2_100);
});

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { complete, readFacts, writeFacts } from '../../../../src/cli/completion/complete.ts';

const written = writeFacts({
  names: { '': [['payment', 'Payments']], payment: [['init', 'Start']] },
  globals: [{ names: ['--profile'], about: '', values: 'profiles' }],
  commands: {
    'payment init': {
      flags: [{ names: ['--product'], about: '', values: { products: ['sepa-credit-transfers'] } }],
      args: [],
    },
  },
});
const facts = readFacts((file) => written[file] ?? '');

it('completes the products that the bank of the profile has for itself, beside those of the interface', () => {
  const home = mkdtempSync(join(tmpdir(), 'obk-products-'));
  mkdirSync(join(home, 'config'));
  const matrix = { payments: { 'domestic-transfers': ['json'] } };
  const profiles = { acme: { payments: { matrix } }, other: {} };
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ schemaVersion: 1, profiles }));
  const env = { OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
  const of = (profile: string) =>
    complete(['payment', 'init', '--profile', profile, '--product', ''], env, facts).candidates.map(
      ({ value }) => value,
    );
  expect(of('acme')).toEqual(['domestic-transfers', 'sepa-credit-transfers']);
  expect(of('other')).toEqual(['sepa-credit-transfers']);
});

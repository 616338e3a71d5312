// A flag that goes before what the template of a bank says is told; a variant does not go before it.
import { mkdtempSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bankTemplates } from '../../../../../src/settings/banks/templates.ts';
import { runInside } from '../../../../helpers/inside.ts';

const [ownPrefix] = bankTemplates.filter(({ settings }) => settings.prefix === '/berlingroup/v1');
const told = /has .*: --\w+( and --\w+)? went before it/;

it.each<[string, readonly string[], readonly string[]]>([
  ['a prefix', ['--prefix', '/v1'], ['prefix /berlingroup/v1, and not /v1', ': --prefix went']],
  ['no prefix', ['--prefix', '/'], ['prefix /berlingroup/v1, and not none']],
  ['a variant and a prefix', ['--variant', 'v136', '--prefix', '/v2'], ['and not /v2: --prefix went']],
  ['a variant', ['--variant', 'v136'], []],
  ['the same prefix', ['--prefix', '/berlingroup/v1'], []],
  ['no flag', [], []],
])('%s', async (_, flags, expected) => {
  const home = mkdtempSync(join(homedir(), 'obk-flag-'));
  const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
  const bank = ['--bank', ownPrefix?.name ?? ''];
  const make = [
    '--environment',
    'test',
    '--signing',
    'none',
    '--base-url',
    'https://bank.example',
    '--no-check',
  ];
  const obk = (...args: readonly string[]) => runInside([...args, '--no-input'], { env, cwd: home });
  const created = await obk('profile', 'create', 'one', ...bank, ...make, ...flags);
  expect(created.code, created.stderr).toBe(0);
  await obk('profile', 'create', 'two', ...make);
  const edited = await obk('profile', 'edit', 'two', ...bank, '--no-check', ...flags);
  expect(edited.code, edited.stderr).toBe(0);
  for (const { stderr } of [created, edited]) {
    for (const text of expected) expect(stderr).toContain(text);
    expect(told.test(stderr)).toBe(expected.length > 0);
  }
});

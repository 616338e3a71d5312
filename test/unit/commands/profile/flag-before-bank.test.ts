// A flag that goes before what the file of a bank says is told.
import { mkdtempSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bankTemplates } from '../../../../src/banks/templates.ts';
import { runInside } from '../../../helpers/inside.ts';

const [ownPrefix] = bankTemplates.filter(({ settings }) => settings.prefix === '/berlingroup/v1');
const told = /has .*: --\w+( and --\w+)? went before it/;

it.each<[string, readonly string[], readonly string[]]>([
  ['a variant', ['--variant', 'v136'], ['prefix /berlingroup/v1, and not /v136', ': --variant went']],
  ['a prefix', ['--prefix', '/v1'], ['prefix /berlingroup/v1, and not /v1', ': --prefix went']],
  ['no prefix', ['--prefix', '/'], ['prefix /berlingroup/v1, and not none']],
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

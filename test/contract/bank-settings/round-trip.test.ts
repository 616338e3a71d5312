// What obk tells of a bank it takes again: a template as JSON and as YAML, through lint, profile, explain, diff and schema.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { bankTemplates } from '../../../src/settings/banks/templates.ts';
import { operations } from '../../../src/standard/xs2a/operations.ts';
import { frameworkNames } from '../../../src/standard/xs2a/origin.ts';
import { runInside } from '../../helpers/inside.ts';
import { part, ranTable } from '../../helpers/trials.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-round-'));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  ranTable(`${String(bankTemplates.length)} templates told and taken again`);
});
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = async (...line: string[]) => {
  const ran = await runInside([...line, '--no-input'], { env, cwd: home, input: '' });
  expect(ran.code, line.join(' ') + ran.stderr).toBe(0);
  return ran.stdout;
};
const json = async (...line: string[]) => JSON.parse(await obk(...line, '--json')) as unknown;

let compiled: ValidateFunction | undefined;
const validator = async () =>
  (compiled ??= new Ajv({ strict: false, validateFormats: false }).compile(
    JSON.parse(await obk('bank', 'schema')) as object,
  ));

describe.each(part(bankTemplates, 4, 0).map(({ name }) => name))('the template %s', (name) => {
  it.each(['json', 'yaml'])('is read as %s as it is written', async (form) => {
    const told =
      form === 'json'
        ? await obk('bank', 'show', name, '--json')
        : await obk('bank', 'show', name, '-o', 'yaml');
    const file = `./${name}.${form}`;
    writeFileSync(join(home, file), told);
    expect(await json('bank', 'lint', file)).toMatchObject({ errors: 0 });
    expect(await json('bank', 'diff', file, name)).toEqual([]);
    expect(await json('bank', 'show', file)).toEqual(await json('bank', 'show', name));
  });

  it('fits the schema', async () => {
    const valid = await validator();
    expect(valid(await json('bank', 'show', name)), JSON.stringify(valid.errors)).toBe(true);
    expect(valid({ ...((await json('bank', 'show', name)) as object), everything: true })).toBe(false);
  });

  it('is explained for each operation', async () => {
    const own = [
      '--base-url',
      'https://api.bank.example',
      '--environment',
      'test',
      '--no-check',
      '--signing',
      'none',
    ];
    const made = await runInside(
      ['profile', 'create', name, ...own, '--bank', name, '--trust-bank', '--no-input'],
      { env, cwd: home, input: '' },
    );
    expect(made.code, made.stderr).toBe(0);
    await obk('config', 'set', 'surface', 'framework', '--profile', name);
    for (const { id } of part(operations, 4, name.length))
      expect(await json('bank', 'explain', id, '--profile', name), id).toMatchObject({ operation: id });
  });
});

it('spec diff shows the same for two frameworks from either side, and nothing for one', async () => {
  interface Row {
    a: unknown;
    b: unknown;
  }
  const turned = (rows: readonly Row[]) => rows.map((row) => ({ ...row, a: row.b, b: row.a }));
  const sorted = (rows: readonly Row[]) =>
    rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
  for (const one of frameworkNames)
    for (const other of frameworkNames) {
      const there = (await json('spec', 'diff', one, other)) as Row[];
      if (one === other) expect(there, one).toEqual([]);
      else expect(there.length, `${one} ${other}`).toBeGreaterThan(0);
      const back = (await json('spec', 'diff', other, one)) as Row[];
      expect(sorted(turned(back)), `${one} ${other}`).toEqual(sorted(there));
    }
});

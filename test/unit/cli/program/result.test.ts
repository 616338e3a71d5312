import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { resultOf } from '../../../../src/cli/program/print.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import { plainStyle } from '../../../../src/cli/render/style.ts';
import { memoryResources } from '../../../helpers/fakes/index.ts';
import { program, sink } from '../../../helpers/program.ts';

it('prints no name without a value for a refusal that leads nowhere', () => {
  const outcome = resultOf(new ObkError({ code: 'DECLINED', title: 'The bank refused the consent.' }));
  expect(outcome?.data).toEqual({ next: null });
  expect(outcome?.text(plainStyle)).toBe('');
});

describe('--jq', () => {
  it.each([
    ['.[0].term', 'ACSC\n'],
    ['.[0].facts.final, (.[0] | has("who"))', 'yes\ntrue\n'],
    ['.[0].facts | keys', '["ISO 20022","final"]\n'],
    ['.[1:][]', ''],
    ['.[0].term # what it is', 'ACSC\n'],
  ])('%s prints %j', async (expression, stdout) => {
    expect(await program(['explain', 'ACSC', '--jq', expression])).toMatchObject({
      code: 0,
      stdout,
      stderr: '',
    });
  });

  it('is pretty for a person', async () => {
    const seen = await program(['version', '--jq', '.'], { stdout: sink({ isTTY: true }) });
    expect(seen.stdout).toBe('{\n  "version": "1.2.3"\n}\n');
  });

  it('takes a list as one array', async () => {
    const resource = { id: 'p1', environment: 'test', links: {}, summary: { amount: '12.50' } };
    const resources = {
      ...memoryResources(),
      batches: () => Promise.resolve([[resource as unknown as SavedResource]] as never),
    };
    const got = await program(['payment', 'list', '--profile', 'sandbox', '--jq', '.[].amount'], {
      ports: { resources },
    });
    expect(got).toMatchObject({ code: 0, stdout: '12.50\n' });
  });

  it('that cannot be compiled is refused before anything is done', async () => {
    let asked = false;
    const resources = {
      ...memoryResources(),
      batches: () => {
        asked = true;
        return Promise.resolve([] as never);
      },
    };
    const refused = await program(['payment', 'list', '--jq', '.['], { ports: { resources } });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'USAGE', title: '--jq ".[" failed.' });
    expect(asked).toBe(false);
  });

  it('that does not fit the result says so after it, with jq’s words', async () => {
    const refused = await program(['version', '--jq', '.version.x']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(refused.stderr).error.detail).toContain('Cannot index string');
  });
});

describe('--expect', () => {
  it.each([
    [['--expect', 'version=1.2.3'], 0, ''],
    [['--expect', 'version=1.2'], 10, '✗ Expected version=1.2, but it is 1.2.3.\n'],
    [['--expect', 'version=1.2.3', '--expect', 'a.b=c=d'], 10, '✗ Expected a.b=c=d, but it is not there.\n'],
    [['--expect', 'version=1.2', '-qq'], 10, ''],
  ])('%j ends with %i', async (flags, code, stderr) => {
    expect(await program(['version', ...flags])).toMatchObject({ code, stdout: '1.2.3\n', stderr });
  });

  it('needs a name, and one result', async () => {
    expect((await program(['version', '--expect', 'x'])).stderr).toContain(
      '--expect takes NAME=VALUE; not "x".',
    );
    const list = await program(['payment', 'list', '--profile', 'sandbox', '--expect', 'a=b']);
    expect(list).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('--output', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'obk-output-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const into = (name: string, ...args: string[]) =>
    program(['version', '--output', join(folder, name), ...args]);

  it('holds what stdout would, for its owner alone', async () => {
    expect(await into('v.json', '--json')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(folder, 'v.json'), 'utf8')).toBe('{"version":"1.2.3"}\n');
    expect(statSync(join(folder, 'v.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['v.json']);
  });

  it('never replaces a file unless it is forced to, and never another thing', async () => {
    writeFileSync(join(folder, 'v'), 'mine');
    mkdirSync(join(folder, 'd'));
    expect(await into('v')).toMatchObject({ code: 2, stdout: '' });
    expect(readFileSync(join(folder, 'v'), 'utf8')).toBe('mine');
    expect(await into('v', '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'v'), 'utf8')).toBe('1.2.3\n');
    expect((await into('d', '--force')).code).toBe(2);
  });

  it('is found out to be impossible before the command begins', async () => {
    expect(await into('none/v')).toMatchObject({ code: 1, stdout: '' });
  });

  it('does not appear after a failure, but does after a result that was not wanted', async () => {
    await program(['explain', 'XYZXYZ', '--output', join(folder, 'x')]);
    expect(readdirSync(folder)).toEqual([]);
    expect((await into('v', '--expect', 'version=9')).code).toBe(10);
    expect(existsSync(join(folder, 'v'))).toBe(true);
  });
});

describe('--plain', () => {
  const narrow = () => sink({ isTTY: true, columns: 40 });

  it('cuts no cell of a table at the width of the terminal', async () => {
    const line = 'spec diff v1 v136';
    const cut = (await program(line, { stdout: narrow() })).stdout;
    const whole = (await program(`${line} --plain`, { stdout: narrow() })).stdout;
    expect(cut).toContain('…');
    expect(whole).not.toContain('…');
    expect(whole).toContain('startPaymentInitiationCancellationAuthorisation');
    expect(whole.split('\n').length).toBe(cut.split('\n').length);
  });

  it('wraps no text and leaves nothing out', async () => {
    const folded = (await program('explain Consent-ID', { stdout: narrow() })).stdout.split('\n');
    const plain = (await program('explain Consent-ID --plain', { stdout: narrow() })).stdout.split('\n');
    expect(Math.max(...folded.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(folded.join('\n')).toMatch(/and\s+\d+\s+more/);
    expect(plain.find((line) => line.includes('needed by'))).toContain('getCardAccountTransactionList');
  });
});

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProjectFile } from '../../../../../src/adapters/files/user-files.ts';
import type { Files } from '../../../../../src/client/ports/files.ts';
import { runInside } from '../../../../helpers/inside.ts';

let root: string;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'obk-project-')));
  folder = join(root, 'home', 'work', 'deep');
  mkdirSync(folder, { recursive: true });
  const { OBK_PROFILE: _, ...rest } = process.env;
  env = {
    ...rest,
    HOME: join(root, 'home'),
    OBK_CONFIG_DIR: join(root, 'c'),
    OBK_STATE_DIR: join(root, 's'),
  };
  for (const name of ['saved', 'flagged', 'named', 'proj']) {
    await good([
      'profile',
      'create',
      name,
      '--base-url',
      `https://${name}.example`,
      '--environment',
      'test',
      '--signing',
      'none',
    ]);
  }
  await good(['profile', 'use', 'saved']);
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const obk = (line: readonly string[], more: NodeJS.ProcessEnv = {}, cwd = folder) =>
  runInside(line, { env: { ...env, ...more }, cwd });

async function good(line: readonly string[], more: NodeJS.ProcessEnv = {}, cwd = folder): Promise<unknown> {
  const { code, stdout, stderr } = await obk([...line, '--json'], more, cwd);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

function write(text: string, at = folder): string {
  const path = join(at, '.obk.json');
  writeFileSync(path, text);
  return path;
}

async function trusted(text: string, at = folder): Promise<string> {
  const path = write(text, at);
  await good(['config', 'trust'], {}, at);
  return path;
}

/** What is said of a file that does not count. */
async function ignored(path: string): Promise<void> {
  const { code, stdout, stderr } = await obk(['whoami', '--json']);
  expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
    code: 0,
    profile: 'saved',
    origin: 'active',
  });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain(path);
  expect(stderr).toContain('obk config trust');
}

describe('a trusted project file', () => {
  it.each([
    ['flag', ['--profile', 'flagged'], { OBK_PROFILE: 'named' }, 'flagged'],
    ['env', [], { OBK_PROFILE: 'named' }, 'named'],
    ['project', [], {}, 'proj'],
    ['project', [], { OBK_PROFILE: '' }, 'proj'],
  ])('comes after what is said for the run: %s', async (origin, flags, more, profile) => {
    await trusted('{ "profile": "proj" }');
    expect(await good(['whoami', ...flags], more)).toMatchObject({ profile, origin });
    expect(await good(['profile', 'show', ...flags], more)).toMatchObject({ name: profile });
  });

  it('leaves the active profile where it names none, and its place is told where it does', async () => {
    await trusted('{}');
    expect(await good(['whoami'])).toMatchObject({ profile: 'saved', origin: 'active' });
    const path = await trusted('{ "profile": "proj", "requireEnvironment": "test" }');
    expect((await obk(['whoami'])).stdout).toContain(`proj (from ${path})`);
    expect(await good(['whoami'])).toMatchObject({ origin: 'project', from: path });
    expect(await good(['whoami', '--profile', 'named'])).toMatchObject({ origin: 'flag', from: null });
    const rows = (await good(['config', 'list'])) as object[];
    const given = { origin: 'project', from: path };
    expect(rows).toContainEqual({ key: 'activeProfile', value: 'proj', ...given });
    expect(rows).toContainEqual({ key: 'requireEnvironment', value: 'test', ...given });
    const flag = ['--require-environment', 'test'];
    expect(await good(['config', 'get', 'requireEnvironment', ...flag])).toMatchObject({ origin: 'flag' });
  });

  it.each([
    ['proj', [], {}],
    ['named', [], { OBK_PROFILE: 'named' }],
    ['flagged', ['--profile', 'flagged'], { OBK_PROFILE: 'named' }],
  ])('makes %s the active one of the list here, as every command does', async (name, flags, more) => {
    await trusted('{ "profile": "proj" }');
    const rows = (await good(['profile', 'list', ...flags], more)) as { name: string; active: boolean }[];
    expect(rows.filter(({ active }) => active)).toMatchObject([{ name }]);
  });

  it('requires an environment, unless the flag requires another', async () => {
    const path = await trusted('{ "requireEnvironment": "production" }');
    const { code, stdout, stderr } = await obk(['payment', 'list']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(path);
    await good(['payment', 'list', '--require-environment', 'test']);
  });

  it('is blamed for a profile that there is not', async () => {
    const path = await trusted('{ "profile": "gone" }');
    const { code, stderr } = await obk(['payment', 'list']);
    expect(code).toBe(3);
    expect(stderr).toContain(path);
  });

  it.each([
    ['--profile', ['--profile', 'flaged'], {}, '--profile flagged'],
    ['OBK_PROFILE', [], { OBK_PROFILE: 'namde' }, '--profile named'],
    ['the file', [], {}, '--profile proj'],
  ])('names the profile that was meant: %s', async (_, flags, more, hint) => {
    await trusted('{ "profile": "prj" }');
    const { code, stderr } = await obk(['payment', 'list', ...flags], more);
    expect(code).toBe(3);
    expect(stderr).toContain(`  Try:  ${hint}\n`);
  });

  it('holds for the folders below, up to a nearer one', async () => {
    const above = await trusted('{ "profile": "proj" }', join(root, 'home'));
    expect(await good(['whoami'])).toMatchObject({ profile: 'proj' });
    expect((await obk(['whoami'])).stdout).toContain(above);
    await trusted('{ "profile": "named" }', dirname(folder));
    expect(await good(['whoami'])).toMatchObject({ profile: 'named' });
  });

  it('is the file that a link leads to', async () => {
    const path = await trusted('{ "profile": "proj" }', join(root, 'c'));
    symlinkSync(path, join(folder, '.obk.json'));
    expect(await good(['whoami'])).toMatchObject({ profile: 'proj' });
    expect((await obk(['whoami'])).stdout).toContain(`from ${path}`);
  });

  it('is trusted no longer after --remove', async () => {
    const path = await trusted('{ "profile": "proj" }');
    expect(await good(['config', 'trust', '--remove'])).toMatchObject({
      path,
      trusted: false,
      settings: null,
    });
    await ignored(path);
  });
});

describe('a project file that does not count', () => {
  it('was never trusted, whatever it holds', async () => {
    await ignored(write('{ "profile": "proj" }'));
    await ignored(write('not JSON'));
  });

  it.each([
    ['other content', '{ "profile": "named" }'],
    ['no content', ''],
    ['what is no JSON', '{'],
    ['too much', ' '.repeat(100_000)],
  ])('has changed since it was trusted: with %s no profile is used at all', async (_, text) => {
    const path = await trusted('{ "profile": "proj", "requireEnvironment": "test" }', dirname(folder));
    write(text, dirname(folder));
    for (const line of [
      ['whoami'],
      ['payment', 'list', '-q'],
      ['accounts', '--profile', 'flagged'],
      ['doctor'],
    ]) {
      const { code, stdout, stderr } = await obk(line);
      expect({ code, stdout }, line.join(' ')).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain(path);
      expect(stderr).toContain('obk config trust');
    }
    expect((await obk(['config', 'trust', '--remove'])).code).toBe(0);
    expect((await obk(['whoami'])).code).toBe(0);
  });

  it('stands in front of one that is trusted, and must not hide it', async () => {
    const text = '{ "profile": "proj" }';
    const above = await trusted(text, dirname(folder));
    const { code, stderr } = await obk(['whoami'], {}, dirname(write(text)));
    expect(code).toBe(3);
    expect(stderr).toContain(above);
  });

  it('is trusted by its SHA-256, or not at all', async () => {
    const path = write('{ "profile": "proj" }');
    const wrong = await obk(['config', 'trust', '--sha256', 'ab'.repeat(32)]);
    expect(wrong.code).toBe(3);
    await ignored(path);
    const hash = createHash('sha256').update('{ "profile": "proj" }').digest('hex');
    await good(['config', 'trust', '--sha256', hash.toUpperCase()]);
    expect(await good(['whoami'])).toMatchObject({ profile: 'proj' });
  });

  it('lies above the home folder, or is no file', async () => {
    write('{ "profile": "proj" }', root);
    mkdirSync(join(folder, '.obk.json'));
    expect(await good(['whoami'])).toMatchObject({ profile: 'saved' });
  });
});

describe('config trust', () => {
  it('shows what it trusts, and records its path and SHA-256', async () => {
    const text = '{ "profile": "proj", "requireEnvironment": "test" }';
    const path = write(text);
    const { stdout } = await obk(['config', 'trust', '-o', 'table']);
    expect(stdout).toContain(path);
    expect(stdout).toContain(text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const settings = { profile: 'proj', requireEnvironment: 'test' };
    expect(await good(['config', 'trust'])).toEqual({ path, sha256, trusted: true, settings });
  });

  it.each([
    ['{ "profile": ', 'not valid JSON'],
    ['["proj"]', 'not a JSON object'],
    ['{ "baseUrl": "https://x.example" }', '"baseUrl"'],
    ['{ "__proto__": 1 }', '"__proto__"'],
    ['{ "profile": 1 }', 'profile is not'],
    ['{ "profile": "" }', 'profile is not'],
    ['{ "requireEnvironment": "prod" }', 'requireEnvironment is not'],
    [`{}${' '.repeat(70_000)}`, 'too long'],
  ])('refuses %.40s', async (text, why) => {
    const path = write(text);
    const { code, stdout, stderr } = await obk(['config', 'trust', '--json']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    const { error } = JSON.parse(stderr) as { error: { code: string; detail: string } };
    expect(error.code).toBe('CONFIG_UNREADABLE');
    expect(error.detail).toContain(path);
    expect(error.detail).toContain(why);
    await ignored(path);
  });

  it('refuses a file of another user', async () => {
    const path = write('{ "profile": "proj" }');
    const uid = process.getuid?.() ?? 0;
    const of = (other: number) => findProjectFile({ cwd: folder, env, uid: other });
    expect(of(uid)).toMatchObject({ path, foreign: false });
    const file = { ...of(uid)!, foreign: true };
    const files = { project: () => Promise.resolve(file) } as unknown as Files;
    const { code, stderr } = await runInside(['config', 'trust'], { env, cwd: folder, ports: { files } });
    expect(code).toBe(3);
    expect(stderr).toContain('another user');
    await ignored(path);
    // A file of root is nobody's to change, so only that of a third user tells the difference.
    expect(of(uid + 1)?.foreign).toBe(uid !== 0);
  });

  it('says where it looked', async () => {
    const { code, stdout, stderr } = await obk(['config', 'trust']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('.obk.json');
  });
});

it.each(['.', 'deep'])(
  'a trusted file that was removed leaves no profile in its place, unlike direnv, until --remove: from %s',
  async (below) => {
    const path = await trusted('{"profile":"proj"}');
    const cwd = join(folder, below);
    mkdirSync(cwd, { recursive: true });
    rmSync(path);
    const { code, stderr } = await obk(['whoami'], {}, cwd);
    expect(code).toBe(3);
    expect(stderr).toContain('obk config trust --remove');
    await good(['config', 'trust', '--remove'], {}, cwd);
    expect(await good(['whoami'], {}, cwd)).toMatchObject({ profile: 'saved' });
  },
);

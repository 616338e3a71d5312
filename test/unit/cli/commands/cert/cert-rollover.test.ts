import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import type { Rollover } from '../../../../../src/client/doctor/roll-over.ts';
import * as by from '../../../../helpers/certificate-by-hand.ts';
import { at } from '../../../../helpers/certificate-by-hand.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { rawServer, wire } from '../../../../helpers/raw-server.ts';
import type { RawServer } from '../../../../helpers/raw-server.ts';
import { splitWords } from '../../../../../src/adapters/system/run-program.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-rollover-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = (args: readonly string[]) => runInside(args, { env, cwd: home });
const banks: Record<string, RawServer> = {};
const root = by.authority('Root CA');
const path = (name: string) => join(home, name);

function pair(name: string, until?: Date): void {
  const made = by.certificate({
    issuer: root,
    subject: by.name([at.C, 'DE'], [at.ID, 'PSDDE-BAFIN-1'], [at.CN, name]),
    extensions: [by.notAuthority, by.keyUsage('nonRepudiation')],
    from: new Date(Date.now() - 86_400_000),
    until: until ?? new Date(Date.now() + 86_400_000 * 90),
  });
  writeFileSync(path(`${name}.pem`), made.pem);
  writeFileSync(path(`${name}.key`), made.keyPem, { mode: 0o600 });
}

/** A bank that answers the signed read with this status and code. */
async function bank(name: string, status: string, code: string): Promise<void> {
  const body = JSON.stringify({ tppMessages: [{ category: 'ERROR', code }] });
  banks[name] = await rawServer((socket) =>
    socket.end(wire(status, body, ['Content-Type: application/json'])),
  );
}

const profile = async (name: string, port: number, ...more: string[]) => {
  const made = await obk([
    ...['profile', 'create', name, '--base-url', `http://127.0.0.1:${String(port)}`, '--no-check'],
    ...(more.length > 0
      ? more
      : ['--environment', 'test', '--certificate', path('old.pem'), '--key', path('old.key')]),
  ]);
  expect(made.stderr + String(made.code)).toMatch(/0$/);
};

beforeAll(async () => {
  pair('old');
  pair('new');
  pair('other');
  pair('expired', new Date(Date.now() - 3_600_000));
  await bank('takes', '403 Forbidden', 'CONSENT_UNKNOWN');
  await bank('refuses', '401 Unauthorized', 'CERTIFICATE_INVALID');
  await bank('asks', '401 Unauthorized', 'TOKEN_UNKNOWN');
  await bank('lost', '404 Not Found', 'PRODUCT_UNKNOWN');
});
beforeEach(async () => {
  rmSync(join(home, 'config'), { recursive: true, force: true });
  for (const server of Object.values(banks)) server.arrivals.splice(0);
  for (const [name, { port }] of Object.entries(banks)) await profile(name, port);
});
afterAll(async () => {
  for (const server of Object.values(banks)) await server.close();
  rmSync(home, { recursive: true, force: true });
});

const rollover = async (...args: string[]) => {
  const { code, stdout, stderr } = await obk(['cert', 'rollover', ...args, '--json']);
  const rows = stdout === '' ? [] : (JSON.parse(stdout) as Rollover[]);
  return { code, stderr, rows, states: rows.map((row) => `${row.profile} ${row.state}`).sort() };
};
const toNew = ['--certificate', 'new.pem', '--key', 'new.key'];
const used = async (name: string) => {
  const { stdout } = await obk(['profile', 'show', name, '--json']);
  return /\/(\w+)\.key"/.exec(stdout)?.[1];
};

describe('obk cert rollover', () => {
  it('switches where the bank takes the new pair, leaves the others, and asks each once', async () => {
    await profile('unreachable', 1);
    const { code, states, rows } = await rollover(...toNew, '--all');
    expect(states).toEqual([
      'asks unproved',
      'lost unproved',
      'refuses refused',
      'takes switched',
      'unreachable unreachable',
    ]);
    expect(code).toBe(10);
    expect(rows.find((row) => row.profile === 'refuses')!.text).toContain('401 CERTIFICATE_INVALID');
    for (const [name, server] of Object.entries(banks)) {
      expect(server.arrivals.map(({ head }) => head.split(' ')[0])).toEqual(['GET']);
      expect(await used(name)).toBe(name === 'takes' ? 'new' : 'old');
    }
    const certificate = readFileSync(path('new.pem'), 'utf8').replace(/-----[^-]+-----|\s/g, '');
    expect(banks['takes']!.arrivals[0]!.head).toContain(`TPP-Signature-Certificate: ${certificate}`);
  });

  it('gives the old pair back by the command that it prints', async () => {
    const { code, rows } = await rollover(...toNew, '--profile', 'takes');
    expect({ code, used: await used('takes') }).toEqual({ code: 0, used: 'new' });
    const [, ...undo] = splitWords(rows[0]!.undo!)!;
    expect((await obk(undo)).code).toBe(0);
    expect(await used('takes')).toBe('old');
  });

  it('--undo gives every profile its old pair back, once, and calls no bank', async () => {
    await obk(['profile', 'edit', 'lost', '--certificate', path('other.pem'), '--key', path('other.key')]);
    const { stderr } = await obk(['cert', 'rollover', ...toNew, '--all', '--as', 'qsealc']);
    expect(stderr).not.toContain('profile edit');
    for (const server of Object.values(banks)) server.arrivals.splice(0);
    const undo = await rollover('--undo', '--all');
    expect(undo).toMatchObject({ code: 0, states: ['takes undone'] });
    expect([await used('takes'), await used('lost')]).toEqual(['old', 'other']);
    for (const server of Object.values(banks)) expect(server.arrivals).toEqual([]);
    expect(await rollover('--undo', '--all')).toMatchObject({ code: 0, states: [] });
  });

  it('--undo leaves a pair that was changed since, and one whose files are gone', async () => {
    await rollover(...toNew, '--profile', 'takes');
    await obk(['profile', 'edit', 'takes', '--certificate', path('other.pem'), '--key', path('other.key')]);
    expect(await rollover('--undo', '--profile', 'takes')).toMatchObject({
      code: 10,
      states: ['takes unchanged'],
    });
    expect(await used('takes')).toBe('other');
    pair('passing');
    await obk([
      'profile',
      'edit',
      'takes',
      '--certificate',
      path('passing.pem'),
      '--key',
      path('passing.key'),
    ]);
    await rollover(...toNew, '--profile', 'takes');
    rmSync(path('passing.key'));
    const { code, rows } = await rollover('--undo', '--profile', 'takes');
    expect([code, rows[0]!.state, await used('takes')]).toEqual([10, 'unchanged', 'new']);
    expect(rows[0]!.text).toContain('passing.key');
  });

  it.each([
    [['--undo'], '--all'],
    [['--undo', '--all', ...toNew], '--undo takes no new certificate'],
    [['--undo', '--profile', 'nobody'], 'nobody'],
  ])('%j is refused', async (args, said) => {
    const { code, stderr } = await rollover(...args);
    expect(code).toBeGreaterThan(1);
    expect(stderr).toContain(said);
  });

  it('calls no bank for one that has the pair, takes it over, or signs otherwise', async () => {
    await obk(['profile', 'create', 'child', '--extends', 'takes', '--no-check']);
    await obk([
      'profile',
      'edit',
      'refuses',
      '--certificate',
      path('new.pem'),
      '--key',
      path('new.key'),
      '--no-check',
    ]);
    const { states } = await rollover(...toNew, '--all');
    expect(states).toContain('child unchanged');
    expect(states).toContain('refuses unchanged');
    expect(banks['refuses']!.arrivals).toEqual([]);
    expect(banks['takes']!.arrivals).toHaveLength(1);
    expect(await used('child')).toBe('new');
  });

  it.each([
    [['--certificate', 'new.pem', '--key', 'other.key'], 3, 'does not belong'],
    [['--certificate', 'expired.pem', '--key', 'expired.key'], 3, 'expired'],
    [['--certificate', 'new.pem'], 3, 'private key'],
    [['--certificate', 'none.pem', '--key', 'new.key'], 3, 'does not exist'],
  ])('refuses %j before any bank is called', async (args, code, said) => {
    const seen = await rollover(...args, '--all');
    expect({ code: seen.code, said: seen.stderr.includes(said), err: seen.stderr }).toMatchObject({
      code,
      said: true,
    });
    for (const server of Object.values(banks)) expect(server.arrivals).toEqual([]);
    expect(await used('takes')).toBe('old');
  });

  it('tries the others, and tells what was switched, where a profile cannot be tried', async () => {
    const file = join(home, 'config', 'config.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as { profiles: Record<string, object> };
    const { takes = {} } = settings.profiles;
    settings.profiles = {
      a_unknown: { ...takes, framework: '1.9.9' },
      b_wrong: { ...takes, urls: { perService: { accounts: 'nowhere' } } },
      c_homeless: { ...takes, baseUrl: undefined },
      ...settings.profiles,
      z_orphan: { extends: 'gone' },
    };
    writeFileSync(file, JSON.stringify(settings));
    const { code, states, rows } = await rollover(...toNew, '--all');
    expect(states).toEqual([
      'a_unknown unproved',
      'asks unproved',
      'b_wrong unproved',
      'c_homeless unproved',
      'lost unproved',
      'refuses refused',
      'takes switched',
      'z_orphan unproved',
    ]);
    expect(code).toBe(10);
    expect(rows.find((row) => row.profile === 'a_unknown')?.text).toContain('framework');
    const spoiled = JSON.parse(readFileSync(file, 'utf8')) as typeof settings;
    spoiled.profiles['takes'] = { ...spoiled.profiles['takes'], framework: '1.9.9' };
    writeFileSync(file, JSON.stringify(spoiled));
    expect(await rollover('--undo', '--all')).toMatchObject({ code: 10, states: ['takes unchanged'] });
  });

  it('says what is switched where it is stopped between two banks', async () => {
    const stop = new AbortController();
    const silent = await rawServer(() => {
      stop.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
    });
    onTestFinished(() => silent.close());
    await profile('z-silent', silent.port);
    const words = ['cert', 'rollover', ...toNew, '--all'];
    const { code, stdout, stderr } = await runInside(words, { env, cwd: home, signal: stop.signal });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('Switched before: takes.');
    expect(stderr).toContain('obk cert rollover --undo --all');
    expect([await used('takes'), await used('z-silent')]).toEqual(['new', 'old']);
    expect(await rollover('--undo', '--all')).toMatchObject({ code: 0, states: ['takes undone'] });
  });

  it('asks a person before it calls a bank in production, and a script to say --yes', async () => {
    await obk(['profile', 'edit', 'takes', '--environment', 'production', '--no-check']);
    const { code, states, stderr } = await rollover(...toNew, '--all', '--no-input');
    expect({ code, states, asked: stderr.includes('--yes') }).toEqual({ code: 2, states: [], asked: true });
    expect(banks['takes']!.arrivals).toEqual([]);
    expect((await rollover(...toNew, '--profile', 'asks')).states).toEqual(['asks unproved']);
  });

  it.each([[[]], [['--all']], [toNew]])('%j is not enough', async (args) => {
    expect((await rollover(...args)).code).toBe(2);
  });
});

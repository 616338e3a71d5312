import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../../../src/client/ports/clock.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { freshHome, profile } from '../../../helpers/adapter-homes.ts';
import { fakeKeyring } from '../../../helpers/fake-keyring.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { fileStore } from '../../../helpers/file-store.ts';

const at = '2026-11-21T09:00:00.000Z';
const access = 'acc-0123456789';
const refreshing = 'ref-0123456789';
const verifier = 'ver-0123456789';
const everything = () => ({
  consentId: 'consent-1',
  token: new Secret('hand-0123456789'),
  tokens: [{ psuId: 'anna', token: new Secret(access), refreshToken: new Secret(refreshing) }],
  verifiers: [{ state: 's-1', verifier: new Secret(verifier), at }],
});

function machine(env: Record<string, string> = { OBK_TOKEN_STORE: 'keyring' }) {
  const home = freshHome();
  const keyring = fakeKeyring();
  const warnings: string[] = [];
  const told = { env };
  return {
    keyring,
    warnings,
    told,
    /** What another process of this machine has. */
    open: (clock: Clock = createClock()) =>
      fileStore({
        ...home,
        clock,
        env: told.env,
        keyringModule: keyring.module,
        warn: (line) => warnings.push(line),
      }),
    /** Takes the state as it is, and gives what brings it back. */
    restore: () => {
      const path = join(home.configDir, 'credentials.json');
      const [text, entries] = [readFileSync(path), keyring.entries()];
      return () => {
        writeFileSync(path, text);
        keyring.replace(entries);
      };
    },
    files: () =>
      ['credentials.json', 'credentials.json.bak']
        .map((name) => {
          try {
            return readFileSync(join(home.configDir, name), 'utf8');
          } catch {
            return '';
          }
        })
        .join('\n'),
  };
}

describe('tokens in a keyring', () => {
  it('leave only references in the file, and are there in another process', async () => {
    const { open, keyring, files } = machine();
    await open().credentials.update('acme', everything);
    expect(files()).not.toContain('0123456789');
    expect(Object.values(keyring.entries()).sort()).toEqual(
      [access, refreshing, verifier, 'hand-0123456789'].sort(),
    );
    expect(Object.keys(keyring.entries())).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/^token\/acme\/[0-9a-f-]{36}$/) as string),
    );
    const { token, tokens, verifiers, consentId } = await open().credentials.read('acme');
    expect(token?.reveal()).toBe('hand-0123456789');
    expect(tokens).toMatchObject([{ psuId: 'anna', inKeyring: true }]);
    expect(tokens?.[0]?.token.reveal()).toBe(access);
    expect(tokens?.[0]?.refreshToken?.reveal()).toBe(refreshing);
    expect(verifiers?.[0]?.verifier.reveal()).toBe(verifier);
    expect(consentId).toBe('consent-1');
  });

  it('are requested once in a run, and not at all where there are none', async () => {
    const { open, keyring } = machine();
    await open().credentials.update('other', () => ({ consentId: 'c' }));
    await open().credentials.read('other');
    expect(keyring.uses()).toEqual([]);
    await open().credentials.update('acme', everything);
    const [before, store] = [keyring.uses().length, open()];
    for (const _ of '123') await store.credentials.read('acme');
    await store.credentials.update('acme', (all) => ({ ...all, consentId: 'c2' }));
    expect(keyring.uses().length - before).toBe(1);
    expect(keyring.uses().join()).toContain('setPassword');
    expect(keyring.uses().join()).not.toContain('0123456789');
  });

  it('give way to newer ones, and leave nothing behind', async () => {
    const { open, keyring, files } = machine();
    await open().credentials.update('acme', everything);
    await open().credentials.update('acme', (before) => ({
      ...before,
      tokens: [{ psuId: 'anna', token: new Secret('new-0123456789'), refreshToken: new Secret(refreshing) }],
    }));
    expect(Object.values(keyring.entries())).not.toContain(access);
    expect(Object.values(keyring.entries())).toContain('new-0123456789');
    await open().credentials.update('acme', () => ({}));
    expect(keyring.entries()).toEqual({});
    expect(files()).not.toContain('0123456789');
  });

  it('are separate for two profiles, also where they are equal', async () => {
    const { open, keyring } = machine();
    await open().credentials.update('acme', everything);
    await open().credentials.update('other', everything);
    await open().credentials.update('other', () => ({}));
    expect(Object.keys(keyring.entries())).toHaveLength(4);
    expect((await open().credentials.read('acme')).token?.reveal()).toBe('hand-0123456789');
  });

  it('move there and back, also out of the copy of the previous version', async () => {
    const { open, keyring, files, told } = machine({});
    const store = open();
    await store.settings.update((before) => ({ ...before, profiles: { acme: profile } }));
    await store.credentials.update('acme', everything);
    expect(files()).toContain(access);
    await store.credentials.moveTokens('acme', 'keyring');
    expect(files()).not.toContain('0123456789');
    expect(Object.keys(keyring.entries())).toHaveLength(4);
    await store.settings.update(() => ({
      schemaVersion: 1,
      profiles: { acme: { ...profile, tokenStore: 'keyring' } },
    }));
    expect(await open().credentials.tokenStore('acme')).toBe('keyring');
    told.env = { OBK_TOKEN_STORE: 'file' };
    expect(await open().credentials.tokenStore('acme')).toBe('file');
    await open().credentials.moveTokens('acme', 'file');
    expect(keyring.entries()).toEqual({});
    expect((await open().credentials.read('acme')).tokens?.[0]?.token.reveal()).toBe(access);
  });

  it('are read anew where they are rotated while they are read', async () => {
    const { open, keyring, restore } = machine();
    await open().credentials.update('acme', everything);
    const before = restore();
    await open().credentials.update('acme', () => ({ token: new Secret('new-0123456789') }));
    const after = restore();
    before();
    // The file is read at once, the keyring by another process.
    const reading = open().credentials.read('acme');
    after();
    expect(Object.values(keyring.entries())).toEqual(['new-0123456789']);
    expect((await reading).token?.reveal()).toBe('new-0123456789');
  });

  it('are reported as gone where somebody removed them from the keyring', async () => {
    const { open, keyring, warnings } = machine();
    await open().credentials.update('acme', everything);
    const [id = ''] = Object.entries(keyring.entries()).find(([, value]) => value === access) ?? [];
    const { [id]: _, ...left } = keyring.entries();
    keyring.replace(left);
    const store = open();
    expect(await store.credentials.read('acme')).toMatchObject({ consentId: 'consent-1', tokens: [] });
    await store.credentials.read('acme');
    expect(warnings).toEqual([`The keyring has no entry ${id} of the service obk any more.`]);
  });
});

describe('a keyring that cannot be used', () => {
  it.each([
    ['no bus', 'it cannot be reached (no bus)'],
    [`the text ${access} is refused`, 'it cannot be reached (the text [secret] is refused)'],
  ])('accepts nothing, and nothing is written elsewhere: %s', async (how, why) => {
    const { open, keyring, files } = machine();
    keyring.fail(how);
    await expect(open().credentials.update('acme', everything)).rejects.toMatchObject({
      code: 'TOKEN_STORE',
      exit: 3,
      detail: `The keyring cannot be used: ${why}.`,
      hint: expect.arrayContaining(['OBK_TOKEN_STORE=file   # plainly in credentials.json, mode 0600']),
    });
    await expect(open().credentials.moveTokens('acme', 'keyring')).rejects.toMatchObject({
      code: 'TOKEN_STORE',
    });
    expect(files()).not.toContain('0123456789');
  });

  it('returns nothing, and keeps what it has until it can be used again', async () => {
    const { open, keyring } = machine();
    await open().credentials.update('acme', everything);
    keyring.fail('locked');
    const failed = { code: 'TOKEN_STORE', exit: 3, detail: expect.stringContaining('(locked)') };
    await expect(open().credentials.read('acme')).rejects.toMatchObject(failed);
    await expect(open().credentials.update('acme', () => ({}))).rejects.toMatchObject(failed);
    keyring.fail(false);
    expect((await open().credentials.read('acme')).token?.reveal()).toBe('hand-0123456789');
  });

  it('is given up after 3 seconds, once in a run', async () => {
    const { open, keyring, warnings } = machine();
    await open().credentials.update('acme', everything);
    keyring.fail('hang');
    const clock = fakeClock({ manual: true });
    const store = open(clock);
    const failed = expect(store.credentials.read('acme')).rejects.toMatchObject({
      detail: expect.stringContaining('did not answer within 3 seconds'),
    });
    await vi.waitUntil(() => clock.sleeping > 0, { timeout: 10_000 });
    clock.advance(3_000);
    await failed;
    // The clock goes on for a second, which is enough for locks and not for the keyring.
    let [left, over] = [1_000, false];
    const forgetting = store.credentials.forget('acme').finally(() => (over = true));
    const goOn = () => {
      if (clock.sleeping > 0 && left > 0) {
        clock.advance(20);
        left -= 20;
      }
      return over;
    };
    await vi.waitUntil(goOn, { timeout: 10_000, interval: 5 });
    await forgetting;
    expect(warnings.join()).toContain('did not answer within 3 seconds');
  });

  it('lets its tokens be forgotten, and names what remains in it', async () => {
    const { open, keyring, warnings, files } = machine();
    await open().credentials.update('acme', everything);
    keyring.fail('gone');
    await open().credentials.forget('acme');
    expect(await open().credentials.read('acme')).toEqual({});
    expect(files()).not.toContain('token/acme');
    for (const id of Object.keys(keyring.entries())) expect(warnings[0]).toContain(id);
  });

  it('is the real one of a machine without a session bus', async () => {
    const store = fileStore({
      ...freshHome(),
      clock: createClock(),
      env: { OBK_TOKEN_STORE: 'keyring', PATH: process.env['PATH'] },
    });
    await expect(store.credentials.update('acme', everything)).rejects.toMatchObject({
      code: 'TOKEN_STORE',
      detail: expect.stringMatching(
        /^The keyring cannot be used: (it cannot be reached|the optional package)/,
      ),
    });
    expect(await store.credentials.read('acme')).toEqual({});
  });
});

it('the place of tokens is file or keyring, and no other word', async () => {
  const { open } = machine({ OBK_TOKEN_STORE: 'helper' });
  await expect(open().credentials.update('acme', everything)).rejects.toMatchObject({
    code: 'USAGE',
    detail: 'It is "helper".',
  });
});

import { describe, expect, it } from 'vitest';
import { patienceOf, statePlaceOf } from '../../../../src/client/profile/state-place.ts';
import type { Settings, StateSettings } from '../../../../src/settings/records/profile.ts';
import { profile } from '../../../helpers/adapter-homes.ts';

const here = { urlFrom: 'env:HERE', keyFrom: 'env:KEY' };
const of = (own?: StateSettings, all?: StateSettings): Settings => ({
  schemaVersion: 1,
  ...(all !== undefined && { state: all }),
  profiles: {
    acme: { ...profile, ...(own !== undefined && { state: own }) },
    child: { extends: 'acme' },
    lost: { extends: 'nobody', state: here },
  },
});
const store = (settings: Settings, env = {}, name: string | undefined = 'acme') =>
  statePlaceOf(settings, name, env).store;

it.each([
  ['a minute', 'sandbox', {}, 60_000],
  ['a minute where no profile is meant', undefined, {}, 60_000],
  ['as its profile says', 'acme', {}, 7_000],
  ['as the profile says that it extends', 'child', {}, 7_000],
  ['as --timeout says', 'acme', { timeout: 90_000 }, 90_000],
  ['no longer than all waits together', 'acme', { waitMs: 1_000 }, 1_000],
  ['no longer than a call, however long a PSU may take', 'acme', { waitMs: 300_000 }, 7_000],
] as const)('a run waits for its state %s', (_, name, flags, ms) => {
  const { profiles, ...settings } = of();
  const acme = { ...profile, timeoutMs: 7_000 };
  expect(patienceOf({ ...settings, profiles: { ...profiles, acme } }, name, flags)).toBe(ms);
});

describe('the place of the state', () => {
  it('is in files where nothing names a database', () => {
    expect(store(of())).toBe('files');
    expect(store(of({ keyFrom: 'env:KEY' }, { schema: 'mine' }))).toBe('files');
    expect(store(of(), { OBK_STATE_URL_FROM: '', OBK_STATE_KEY_FROM: 'env:KEY' })).toBe('files');
  });

  it('is the database that the profile or the profile it extends names, whatever the settings for all name', () => {
    expect(statePlaceOf(of(here, { store: 'files' }), 'acme', {})).toEqual({
      ...{ store: 'postgres', ...here },
      ...{ oldKeyFrom: undefined, schema: undefined },
    });
    expect(store(of(here), {}, 'child')).toBe('postgres');
    expect(store(of(here), {}, 'sandbox')).toBe('files');
  });

  it('is the database of the settings for all, also for the built-in bank', () => {
    expect(store(of(undefined, here))).toBe('postgres');
    expect(store(of(undefined, here), {}, 'sandbox')).toBe('postgres');
    expect(statePlaceOf(of(undefined, here), undefined, {}).store).toBe('postgres');
  });

  it('is the database in a variable, whose references come first', () => {
    const env = { OBK_STATE_URL_FROM: 'env:RUN', OBK_STATE_SCHEMA: 'mine' };
    const place = statePlaceOf(
      of(undefined, { ...here, oldKeyFrom: 'env:OLD', store: 'files' }),
      'acme',
      env,
    );
    expect(place).toEqual({
      ...{ store: 'postgres', urlFrom: 'env:RUN', keyFrom: 'env:KEY' },
      ...{ oldKeyFrom: 'env:OLD', schema: 'mine' },
    });
  });

  it('is in files for a profile that asks for files', () => {
    expect(store(of({ store: 'files' }, here), { OBK_STATE_URL_FROM: 'env:RUN' })).toBe('files');
  });

  it.each([
    ['the URL', { store: 'postgres' }, 'state.urlFrom'],
    ['the key', { urlFrom: 'env:HERE' }, 'state.keyFrom'],
  ] as const)('is never in files because %s is missing', (_, all, key) => {
    expect(() => statePlaceOf(of(undefined, all), 'acme', {})).toThrow(
      expect.objectContaining({ code: 'PROFILE_INVALID', exit: 3, detail: expect.stringContaining(key) }),
    );
  });

  it.each(['postgres://obk:geheim@db/obk', 'prompt'])('is not named by %s as a reference', (text) => {
    const read = () => statePlaceOf(of(), 'acme', { OBK_STATE_URL_FROM: text });
    expect(read).toThrow(expect.objectContaining({ code: 'SECRET_REFERENCE', exit: 3 }));
    expect(read).not.toThrow(/geheim/);
  });

  it('is known for a profile whose parent is missing', () => {
    expect(store(of(), {}, 'lost')).toBe('postgres');
  });
});

import { describe, expect, it } from 'vitest';
import { createSettings } from '../../../src/adapters/settings/conf-settings.ts';
import type { SettingsStore } from '../../../src/client/ports/settings.ts';
import { freshHome, profile, refusedNames } from '../../helpers/adapter-homes.ts';
import { fakeClock, memorySettings } from '../../helpers/fakes/index.ts';

const nothing = { schemaVersion: 1, environments: 'given', profiles: {} };
const drivers: [string, () => SettingsStore][] = [
  ['in memory', () => memorySettings()],
  ['in a file', () => createSettings({ ...freshHome(), clock: fakeClock() })],
];

describe.each(drivers)('the settings %s', (_name, open) => {
  it('contain nothing at first', async () => {
    expect(await open().read()).toEqual(nothing);
  });

  it('keep settings, and give a change what was there before', async () => {
    const settings = open();
    await settings.update((before) => ({ ...before, profiles: { acme: profile } }));
    const after = await settings.update((before) => ({
      ...before,
      activeProfile: 'acme',
      profiles: { ...before.profiles, other: { ...profile, environment: 'production' } },
    }));
    expect(after).toEqual(await settings.read());
    expect(after).toEqual({
      schemaVersion: 1,
      environments: 'given',
      activeProfile: 'acme',
      profiles: { acme: profile, other: { ...profile, environment: 'production' } },
    });
  });

  it('leave everything as it was when a change throws', async () => {
    const settings = open();
    await settings.update((before) => ({ ...before, profiles: { acme: profile } }));
    const wrong = settings.update(() => {
      throw new Error('no');
    });
    await expect(wrong).rejects.toThrow('no');
    expect(Object.keys((await settings.read()).profiles)).toEqual(['acme']);
  });

  it.each(refusedNames)('refuse the profile name %j', async (name) => {
    const settings = open();
    const change = settings.update((before) => ({
      ...before,
      profiles: Object.fromEntries([[name, profile]]),
    }));
    await expect(change).rejects.toMatchObject({ code: 'PROFILE_INVALID', exit: 3 });
    expect(await settings.read()).toEqual(nothing);
  });

  it.each(['constructor', 'tostring'])('have no profile %s that nobody saved', async (name) => {
    expect((await open().read()).profiles[name]).toBeUndefined();
  });
});

it('settings in a file are one object for all who read them, which nobody changes', async () => {
  const settings = createSettings({ ...freshHome(), clock: fakeClock() });
  await settings.update((before) => ({ ...before, profiles: { acme: profile } }));
  const read = await settings.read();
  expect(await settings.read()).toBe(read);
  const change = () => Object.assign(read.profiles['acme'] ?? {}, { environment: 'production' });
  expect(change).toThrow(TypeError);
  expect((await settings.read()).profiles).toEqual({ acme: profile });
});

it('settings in a file are read again after another process has changed them, and a change begins with the file', async () => {
  const home = freshHome();
  const [one, other] = [home, home].map((at) => createSettings({ ...at, clock: fakeClock() }));
  if (one === undefined || other === undefined) throw new Error('two stores');
  for (const name of ['acme', 'other']) {
    await other.update((before) => ({ ...before, profiles: { ...before.profiles, [name]: profile } }));
    expect(Object.keys((await one.read()).profiles)).toContain(name);
    // What was read before is not what a change is given.
    const read = await one.read();
    await one.update((before) => {
      expect(before).not.toBe(read);
      return { ...before, activeProfile: name };
    });
    expect((await other.read()).activeProfile).toBe(name);
  }
});

import { describe, expect, it } from 'vitest';
import type { ObkError } from '../../../../src/base/errors.ts';
import {
  builtInProfile,
  chooseProfile,
  requireEnvironment,
} from '../../../../src/client/profile/choose-profile.ts';
import type { ProfileOptions } from '../../../../src/client/profile/choose-profile.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { fakePerson, fakeSecrets, memoryFiles } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { openTarget } from '../../../../src/client/exchange/open-target.ts';
import type { Profile, Settings } from '../../../../src/settings/records/profile.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('the address of the bank', () => {
  it.each([
    ['https://bank.example/psd2', 'https://bank.example/psd2'],
    ['https://bank.example/psd2///', 'https://bank.example/psd2'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
    ['http://localhost:8080/x', 'http://localhost:8080/x'],
  ])('is accepted: %s', async (baseUrl, base) => {
    const { target } = await world({ profile: { baseUrl } });
    expect(target.links.base).toBe(base);
  });

  it.each([
    [undefined, 'PROFILE_INVALID'],
    ['bank.example', 'PROFILE_INVALID'],
    ['ftp://bank.example', 'PROFILE_INVALID'],
    ['https://user:pw@bank.example', 'PROFILE_INVALID'],
    ['https://bank.example/?a=1', 'PROFILE_INVALID'],
    ['https://bank.example/#a', 'PROFILE_INVALID'],
    // Passwords, codes and tokens never leave in the clear.
    ['http://bank.example', 'CONNECTION_INSECURE'],
    ['http://127.0.0.1.evil.example', 'CONNECTION_INSECURE'],
    ['http://0.0.0.0:80', 'CONNECTION_INSECURE'],
  ])('is refused: %s', async (baseUrl, code) => {
    const { target } = await world();
    const { baseUrl: _, ...rest } = target.profile;
    const profile: Profile = { ...rest, ...(baseUrl === undefined ? {} : { baseUrl }) };
    const chosen = { name: 'acme', profile, origin: 'flag', builtIn: false } as const;
    const error = await failedWith(openTarget(target.ports, chosen, { dryRun: false }));
    expect(error).toMatchObject({ code, exit: 3 });
    expect(JSON.stringify(error)).not.toContain('pw@');
  });
});

describe('the built-in bank', () => {
  it.each([
    [false, 1, 0],
    [true, 0, 1],
  ])('is started unless the run is dry (%s)', async (dryRun, ensured, offline) => {
    const { target } = await world({ inside: { baseUrl: 'http://127.0.0.1:4711' } });
    const counts = { ensure: 0, offline: 0 };
    const address = target.ownBank;
    if (address === undefined) throw new Error('no bank inside');
    const bank = {
      ...target.ports.bank,
      ensure: () => Promise.resolve(((counts.ensure += 1), address)),
      offline: () => Promise.resolve(((counts.offline += 1), address)),
    };
    const chosen = { name: 'sandbox', profile: builtInProfile, origin: 'built-in', builtIn: true } as const;
    const opened = await openTarget({ ...target.ports, bank }, chosen, { dryRun });
    expect(counts).toEqual({ ensure: ensured, offline });
    expect(opened).toMatchObject({
      environment: 'sandbox',
      links: { base: 'http://127.0.0.1:4711', prefix: '/v1' },
      profile: { certificate: '/state/cert.pem', key: '/state/key.pem' },
    });
  });
});

describe('the key of a profile', () => {
  it.each([
    [{}, 'PROFILE_INVALID', 'certificate'],
    [{ certificate: '/c.pem' }, 'PROFILE_INVALID', 'key'],
    [{ certificate: '/none.pem', key: '/k.pem' }, 'CERTIFICATE_FILE', '/none.pem'],
    [{ certificate: '/c.pem', key: '/none.pem' }, 'KEY_FILE', '/none.pem'],
  ] as const)('is missing in %j: %s, naming the member', async (profile, code, named) => {
    const { target } = await world({ profile: { ...profile, signing: {} } });
    target.ports.files = memoryFiles({ '/c.pem': 'x', '/k.pem': 'x' });
    const error = await failedWith(target.material());
    expect(error).toMatchObject({ code, exit: 3 });
    expect(error.title).toContain(named);
  });

  it.each([
    ['prompt', ['key-passphrase'], []],
    ['env:PASS', [], ['env:PASS']],
  ])('is opened with a passphrase from %s', async (keyPassphraseFrom, questions, references) => {
    const person = fakePerson().answer('key-passphrase', ...(questions.length > 0 ? ['opensesame-1'] : []));
    const profile = { certificate: '/c.pem', key: '/k.pem', keyPassphraseFrom };
    const { target } = await world({ person, profile });
    const secrets = fakeSecrets({ 'env:PASS': 'opensesame-1' });
    target.ports.secrets = secrets;
    target.ports.files = memoryFiles({ '/c.pem': 'x', '/k.pem': 'x' });
    await failedWith(target.material());
    await failedWith(target.material());
    expect(person.asked.map(({ id }) => id)).toEqual(questions);
    expect(secrets.asked).toEqual(references);
  });

  it('is not read by a call that is not signed', async () => {
    const there = await world();
    there.http.expect('GET', /status$/, { body: { transactionStatus: 'RCVD' } });
    const { call } = await import('../../../../src/client/call/call.ts');
    await call(there.target, {
      operation: 'getPaymentInitiationStatus',
      params: { 'payment-service': 'payments', 'payment-product': 'p', paymentId: '1' },
    });
    expect(there.http.requests[0]?.header('Signature')).toBeUndefined();
  });
});

describe('the profile of a run', () => {
  const acme: Profile = { environment: 'production', ...presets.v1 };
  const none: Settings = { schemaVersion: 1, profiles: {} };
  const some: Settings = { schemaVersion: 1, profiles: { acme, other: acme } };
  const active: Settings = { ...some, activeProfile: 'other' };
  const nobody: ProfileOptions = { connectionVariables: [], present: false };
  const person: ProfileOptions = { connectionVariables: [], present: true };

  it.each<[string, Settings, ProfileOptions, string, string]>([
    ['the flag wins', active, { ...nobody, flag: 'acme', env: 'other' }, 'acme', 'flag'],
    ['then the environment', active, { ...nobody, env: 'acme' }, 'acme', 'env'],
    ['then the active one', active, nobody, 'other', 'active'],
    ['then the bank inside, where nothing is configured', none, nobody, 'sandbox', 'built-in'],
    ['a person may use it besides other profiles', some, person, 'sandbox', 'built-in'],
    ['anybody may by its name', some, { ...nobody, flag: 'sandbox' }, 'sandbox', 'flag'],
  ])('is chosen in order: %s', (_, settings, wish, name, origin) => {
    const chosen = chooseProfile(settings, wish);
    expect(chosen).toMatchObject({ name, origin, builtIn: name === 'sandbox' });
  });

  it('is never another one under the same name', () => {
    const settings: Settings = { schemaVersion: 1, profiles: { sandbox: acme } };
    expect(chooseProfile(settings, { ...nobody, flag: 'sandbox' }).profile).toBe(builtInProfile);
  });

  it.each<[string, Settings, ProfileOptions, string]>([
    ['a script with profiles of which none is active', some, nobody, 'None is active'],
    [
      'a script with half a set-up',
      none,
      { ...nobody, connectionVariables: ['OBK_BASE_URL'] },
      'OBK_BASE_URL',
    ],
    ['a name that nobody knows', some, { ...nobody, flag: 'acmee' }, 'acme, other, sandbox'],
    ['a name of every object', some, { ...nobody, flag: 'toString' }, 'acme, other, sandbox'],
    ['a name with dots', some, { ...nobody, flag: '../acme' }, 'acme, other, sandbox'],
  ])('is not guessed: %s', (_, settings, wish, named) => {
    let error: unknown;
    try {
      chooseProfile(settings, wish);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'PROFILE_UNKNOWN', exit: 3 });
    const { detail = '' } = error as ObkError;
    expect(detail.toLowerCase()).toContain(
      named === 'None is active' ? 'none is active' : named.toLowerCase(),
    );
  });

  it.each([
    [undefined, true],
    ['production', true],
    ['test', false],
    ['sandbox', false],
  ] as const)('is held to --require-environment %s: %s', (wanted, fits) => {
    const chosen = chooseProfile(some, { ...nobody, flag: 'acme' });
    const check = () => {
      requireEnvironment(chosen, wanted);
    };
    if (fits) expect(check).not.toThrow();
    else expect(check).toThrow(/a production profile/);
  });
});

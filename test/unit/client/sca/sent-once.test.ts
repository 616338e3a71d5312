import { describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import type { FakeHttp } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish, World } from '../../../helpers/world.ts';
import {
  atOtp,
  auth,
  explicit,
  finalised,
  list,
  one,
  reopened,
  resume,
  run,
  saved,
  secret,
  settled,
  started,
} from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const script = () => fakePerson({ present: false });
const again = (link: string, href: string, more: object = {}) => ({
  scaStatus: 'scaMethodSelected',
  psuMessage: 'Versuchen Sie es erneut.',
  _links: { [link]: { href } },
  ...more,
});

/** A bank that gives the same answer to every write, and a status that never moves. */
async function stubborn(wish: Wish, status: number, body: object): Promise<World> {
  const there = await world(wish);
  return stubbornly(there, status, body);
}

function stubbornly(there: World, status: number, body: object): World {
  const send = (...[request]: Parameters<FakeHttp['send']>) => {
    writes.push([request.method, Buffer.from(request.body).toString()]);
    if (writes.length > 60) throw new Error('without end');
    const answer = request.method === 'GET' ? { scaStatus: 'scaMethodSelected' } : body;
    return Promise.resolve({
      status: request.method === 'GET' ? 200 : status,
      headers: [['Content-Type', 'application/json']] as const,
      body: Buffer.from(JSON.stringify(answer)),
    });
  };
  const writes: [string, string][] = [];
  there.target.ports.http = { ...there.http, send };
  return Object.assign(there, { writes });
}

const writesOf = (there: World) =>
  (there as World & { writes: [string, string][] }).writes.filter(([method]) => method !== 'GET');

const error = (text: string) => [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text }];
const twoMethods = [
  { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms' },
  { authenticationType: 'CHIP_OTP', authenticationMethodId: 'chip' },
];

describe('an entry that leads back to its own step', () => {
  it.each([
    ['an OTP', atOtp(), script().answer('otp', '000000'), again('authoriseTransaction', auth)],
    [
      'an OTP, by another misspelt link',
      atOtp(),
      script().answer('otp', '000000'),
      again('transactionAuthorisation', auth),
    ],
    [
      'a password',
      started({ authorisationId: 'auth-1', links: { updatePsuAuthentication: auth } }),
      script().answer('psu-password', secret),
      again('udpatePsuAuthentication', auth),
    ],
    [
      'a password that is encrypted the second time',
      started({ authorisationId: 'auth-1', links: { updatePsuAuthentication: auth } }),
      script().answer('psu-password', secret),
      again('updateEncryptedPsuAuthentication', auth),
    ],
    [
      'a password that is encrypted already',
      started({ authorisationId: 'auth-1', links: { updateEncryptedPsuAuthentication: auth } }),
      script().answer('psu-encrypted-password', 'ey..'),
      again('updateEncryptedPsuAuthentication', auth),
    ],
    [
      'a start with a password',
      explicit(),
      script().answer('psu-password', secret),
      again('startAuthorisationWithPsuAuthentication', list, { authorisationId: 'auth-2' }),
    ],
    [
      'a method',
      started({ links: { selectAuthenticationMethod: auth }, scaMethods: twoMethods }),
      script().answer('sca-method', 'sms'),
      again('selectAuthenticationMethods', auth, { scaMethods: twoMethods }),
    ],
    [
      'the only method',
      started({ links: { selectAuthenticationMethod: auth }, scaMethods: twoMethods.slice(0, 1) }),
      script(),
      again('selectAuthenticationMethod', auth, { scaMethods: twoMethods.slice(0, 1) }),
    ],
    [
      'a PSU-ID',
      started({ links: { updatePsuIdentification: auth } }),
      script().answer('psu-id', 'anna'),
      again('updatePsuIdentification', auth),
    ],
    [
      'a start',
      started({ links: { startAuthorisation: list } }),
      script(),
      again('startAuthorisation', list, { authorisationId: 'auth-2' }),
    ],
  ])(
    'is sent once by a script, which ends with 9 and the words of the bank: %s',
    async (_, from, person, body) => {
      const there = await stubborn({ person }, 200, body);
      const failure = await failedWith(run(there, from));
      expect(failure).toMatchObject({ exit: 9, code: 'DECLINED', resource: { paymentId: 'pay-1' } });
      expect(failure.detail).toContain('Versuchen Sie es erneut.');
      expect(writesOf(there)).toHaveLength(1);
    },
  );

  it.each([200, 201, 202, 400, 401, 403, 409, 429, 500])(
    'is not sent by a later run either where it is an OTP that is answered %i',
    async (status) => {
      const body = again('authoriseTransaction', auth, status < 400 ? {} : { tppMessages: error('Falsch.') });
      const first = await stubborn({ person: script().answer('otp', '000000') }, status, body);
      const failure = await failedWith(run(first, atOtp()));
      expect([9, 11, 12]).toContain(failure.exit);
      expect(writesOf(first)).toHaveLength(1);

      const wish = { person: script().answer('otp', '000000') };
      const later = stubbornly(await reopened(first, wish), status, body);
      expect(await failedWith(resume(later))).toMatchObject({ code: 'SECRET_REFUSED_BEFORE', exit: 2 });
      expect(writesOf(later)).toEqual([]);
    },
  );

  it.each(['FORMAT_ERROR', 'SCA_INVALID', 'SERVICE_BLOCKED'])(
    'is refused by the bank where the refusal %s has links that lead back: exit 9',
    async (code) => {
      const tppMessages = [{ category: 'ERROR', code, text: 'Nein.' }];
      const body = again('authoriseTransaction', auth, { tppMessages });
      const there = await stubborn({ person: script().answer('otp', '000000') }, 400, body);
      expect(await failedWith(run(there, atOtp()))).toMatchObject({ exit: 9, messages: tppMessages });
    },
  );

  it('is asked anew of a person, and only another one is sent', async () => {
    const person = fakePerson().answer('otp', '000000', '000000', '739184');
    const there = await world({ person });
    there.http
      .expect('PUT', auth, { body: again('authoriseTransaction', auth) })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({ success: true });
    expect(person.asked.map((question) => question.again)).toEqual([false, true, true]);
    there.verify();
  });

  it('may be answered by a program that gives a new one', async () => {
    const there = await world({ person: script().answer('otp', '000000', '739184') });
    there.http
      .expect('PUT', auth, { body: again('authoriseTransaction', auth) })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({ success: true });
    there.verify();
  });

  it('ends after four new ones where nobody is present: banks block after five', async () => {
    const otps = Array.from({ length: 30 }, (_, at) => String(100_000 + at));
    const there = await stubborn(
      { person: script().answer('otp', ...otps) },
      200,
      again('authoriseTransaction', auth),
    );
    expect(await failedWith(run(there, atOtp()))).toMatchObject({ exit: 9 });
    expect(writesOf(there)).toHaveLength(4);
  });

  it('ends a conversation with a person after twenty steps, whatever the process', async () => {
    const otps = Array.from({ length: 30 }, (_, at) => String(100_000 + at));
    const body = again('authoriseTransaction', auth);
    const first = await stubborn({ person: fakePerson().answer('otp', ...otps) }, 200, body);
    expect(await failedWith(run(first, atOtp()))).toMatchObject({ exit: 9 });
    expect(writesOf(first)).toHaveLength(20);
    const later = stubbornly(
      await reopened(first, { person: fakePerson().answer('otp', '999999') }),
      200,
      body,
    );
    const failure = await failedWith(resume(later));
    expect(failure).toMatchObject({
      exit: 9,
      hint: ['obk payment authorise pay-1 --new   # starts another authorisation'],
    });
    expect(writesOf(later)).toEqual([]);
  });

  it('does not go round where two steps lead to each other', async () => {
    const there = await world({
      person: script().answer('psu-password', secret, secret).answer('otp', '000000', '000000'),
    });
    const toOtp = { body: again('authoriseTransaction', auth) };
    const toPassword = { body: again('updatePsuAuthentication', auth, { scaStatus: 'received' }) };
    there.http.expect('PUT', auth, toOtp).expect('PUT', auth, toPassword);
    const from = started({ authorisationId: 'auth-1', links: { updatePsuAuthentication: auth } });
    // The fake gives the password again as a program would: it led on, so it may be sent once more, the OTP may not.
    there.http.expect('PUT', auth, toOtp);
    expect(await failedWith(run(there, from))).toMatchObject({ exit: 9 });
    expect(there.http.requests.filter(({ body }) => body.includes('000000'))).toHaveLength(1);
  });
});

describe('several runs of one authorisation at the same time', () => {
  const otp = () => script().answer('otp', '000000');
  const password = () => script().answer('psu-password', secret);

  it.each([
    ['an OTP', atOtp(), otp],
    ['a start with a password', explicit(), password],
    [
      'a password',
      started({ authorisationId: 'auth-1', links: { updatePsuAuthentication: auth } }),
      password,
    ],
  ])('send %s once', async (_, from, person) => {
    const body = { tppMessages: error('Falsch.') };
    const first = await stubborn({ person: person() }, 401, body);
    await first.store.resources.saveConversation('acme', from);
    const others = [1, 2, 3, 4].map(() => stubborn({ person: person(), store: first.store }, 401, body));
    const all = [first, ...(await Promise.all(others))];
    const failures = await Promise.all(all.map((there) => failedWith(resume(there))));
    expect(all.flatMap(writesOf)).toHaveLength(1);
    expect(failures.map(({ code }) => code).sort()).toEqual([
      'DECLINED',
      ...Array.from({ length: 4 }, () => 'SCA_IN_PROGRESS'),
    ]);
    const [late] = failures.filter(({ code }) => code === 'SCA_IN_PROGRESS');
    expect(late).toMatchObject({
      exit: 8,
      hint: ['obk payment authorise pay-1   # goes on from where it stands'],
    });
  });

  it('send the entry of each of two PSUs', async () => {
    const from = { ...explicit(), psuId: 'anna' };
    const first = await stubborn({ person: password() }, 401, { tppMessages: error('Falsch.') });
    const second = await stubborn({ person: password(), store: first.store }, 401, {});
    await Promise.all([
      failedWith(run(first, from, { resumed: true })),
      failedWith(run(second, { ...from, psuId: 'bert' }, { resumed: true })),
    ]);
    expect([writesOf(first).length, writesOf(second).length]).toEqual([1, 1]);
  });

  it('do not overwrite what one of them has sent: a late look at the status leaves its mark', async () => {
    const first = await stubborn({ person: otp() }, 401, { tppMessages: error('Falsch.') });
    const second = await world({ person: otp(), store: first.store });
    second.http.expect('GET', auth, {
      body: { scaStatus: 'started' },
      check: () => failedWith(run(first, atOtp())).then(() => undefined),
    });
    expect(await failedWith(run(second, atOtp(), { resumed: true }))).toMatchObject({
      code: 'SCA_IN_PROGRESS',
    });
    expect((await saved(first))[0]).toMatchObject({ steps: 1, sent: [{ entry: 'otp' }] });
  });
});

describe('the mark of an entry', () => {
  it('is on disk before the first byte leaves, and needs the key of this machine', async () => {
    const there = await world({ person: script().answer('otp', '00000') });
    let onDisk: string | undefined;
    there.http.expect('PUT', auth, {
      status: 200,
      body: { scaStatus: 'finalised' },
      check: async () => {
        onDisk = (await saved(there))[0]?.sent[0]?.mark;
      },
    });
    there.http.expect('GET', `${one}/status`, settled);
    await run(there, atOtp());
    expect(onDisk).toMatch(/^[0-9a-f]{8}:[0-9a-f]{32}$/);

    const other = await world({ person: script().answer('otp', '00000') });
    other.target.ports.credentials.machineKey = () => Promise.resolve(new Secret('another'));
    let otherMark: string | undefined;
    other.http.expect('PUT', auth, {
      body: { scaStatus: 'finalised' },
      check: async () => {
        otherMark = (await saved(other))[0]?.sent[0]?.mark;
      },
    });
    other.http.expect('GET', `${one}/status`, settled);
    await run(other, atOtp());
    expect(otherMark?.slice(9)).not.toBe(onDisk?.slice(9));
  });

  it('is of another key where nobody can tell the entry: a further one is not risked', async () => {
    const first = await world({ person: script().answer('otp', '000000') });
    first.http.expect('PUT', auth, { body: again('authoriseTransaction', auth) });
    await failedWith(run(first, atOtp()));
    const later = await reopened(first, { person: script().answer('otp', '739184') });
    later.target.ports.credentials.machineKey = () => Promise.resolve(new Secret('another'));
    later.http.expect('GET', auth, { body: { scaStatus: 'scaMethodSelected' } });
    expect(await failedWith(resume(later))).toMatchObject({ code: 'SECRET_REFUSED_BEFORE' });
  });

  it('records that a password led on, so that no reference gives it once more', async () => {
    const there = await world({ person: script().answer('psu-password', secret) });
    there.http.expect('PUT', auth, {
      body: again('authoriseTransaction', auth, { scaStatus: 'psuAuthenticated' }),
    });
    const from = started({ authorisationId: 'auth-1', links: { updatePsuAuthentication: auth } });
    expect(await failedWith(run(there, from))).toMatchObject({ flags: ['--otp-from'] });
    expect((await saved(there))[0]).toMatchObject({ sent: [{ entry: 'password', ledOn: true }], steps: 1 });
  });

  it.each([['the request never left', { sent: false, reason: 'connect' } as const]])(
    'is removed where %s',
    async (_, failure) => {
      const there = await world({ person: script().answer('otp', '000000') });
      there.http.expectFailure('PUT', auth, failure);
      await failedWith(run(there, atOtp()));
      expect((await saved(there))[0]?.sent).toEqual([]);
    },
  );

  it('is removed where the bank refused the certificate, the signature or the token of the call', async () => {
    const there = await world({ person: script().answer('otp', '000000') });
    there.http.expect('PUT', auth, {
      status: 401,
      body: { tppMessages: [{ category: 'ERROR', code: 'SIGNATURE_INVALID' }] },
    });
    await failedWith(run(there, atOtp()));
    expect((await saved(there))[0]?.sent).toEqual([]);
  });

  it('is not made by a dry run', async () => {
    const there = await world({ run: { dryRun: true }, person: script().answer('otp', '739184') });
    there.target.ports.credentials.machineKey = () => Promise.reject(new Error('a key was made'));
    await expect(run(there, atOtp())).rejects.toMatchObject({ message: 'dry run' });
  });
});

import { describe, expect, it } from 'vitest';
import { unknownWrites } from '../../../../src/client/resources/unknown-writes.ts';
import { fakeClock, fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { World } from '../../../helpers/world.ts';
import {
  one,
  list,
  auth,
  started,
  atOtp,
  finalised,
  settled,
  run,
  saved,
  secret,
  reopened,
  resume,
} from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('a lost answer to an update', () => {
  const otp = () => fakePerson({ present: false }).answer('otp', '739184');
  const lost = { sent: true, reason: 'reset' } as const;

  it.each([
    ['lost', { failure: lost }],
    ['a 500', { answer: { status: 500 } }],
    ['a 200 that cannot be read', { answer: { status: 200, body: '<html></html>' } }],
  ])(
    'is resolved by the status, which shows that it counted: %s',
    async (_, { failure, answer }: { failure?: typeof lost; answer?: object }) => {
      const there = await world({ person: otp() });
      if (failure === undefined) there.http.expect('PUT', auth, answer);
      else there.http.expectFailure('PUT', auth, failure);
      there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
      await expect(run(there, atOtp())).resolves.toMatchObject({ success: true });
      await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);
      there.verify();
    },
  );

  it.each([
    ['shows no change', { body: { scaStatus: 'scaMethodSelected' } }],
    ['cannot be read', { status: 500 }],
  ])(
    'stays unknown where the status %s; the OTP is not sent again, and a later run asks first',
    async (_, answer) => {
      const there = await world({ person: otp() });
      there.http.expectFailure('PUT', auth, lost).expect('GET', auth, answer);
      expect(await failedWith(run(there, atOtp()))).toMatchObject({
        exit: 12,
        resource: { paymentId: 'pay-1', authorisationId: 'auth-1' },
      });
      there.verify();
      await expect(unknownWrites(there.target.ports, 'acme')).resolves.toMatchObject([
        { operation: 'updatePaymentPsuData' },
      ]);

      const later = await reopened(there, { person: fakePerson({ present: false }) });
      later.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
      await expect(resume(later, { resumed: false })).resolves.toMatchObject({ success: true });
      await expect(unknownWrites(later.target.ports, 'acme')).resolves.toEqual([]);
      later.verify();
    },
  );

  it('lets a later run that finds no trace send another OTP, not the same one', async () => {
    const there = await world({ person: otp() });
    there.http.expectFailure('PUT', auth, lost).expect('GET', auth, { status: 500 });
    await failedWith(run(there, atOtp()));
    const same = await reopened(there, { person: otp() });
    same.http.expect('GET', auth, { body: { scaStatus: 'scaMethodSelected' } });
    expect(await failedWith(resume(same))).toMatchObject({ code: 'SECRET_REFUSED_BEFORE', exit: 2 });
    same.verify();

    const later = await reopened(same, { person: fakePerson({ present: false }).answer('otp', '441122') });
    later.http
      .expect('GET', auth, { body: { scaStatus: 'scaMethodSelected' } })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
    expect((await unknownWrites(later.target.ports, 'acme')).map(({ operation }) => operation)).toEqual([]);
    later.verify();
  });

  const password = () => fakePerson({ present: false }).answer('psu-password', secret);
  const atPassword = () =>
    started({
      approach: 'EMBEDDED',
      authorisationId: 'auth-1',
      scaStatus: 'received',
      links: { updatePsuAuthentication: auth, scaStatus: auth },
    });

  it('leads the next run to another authorisation where the step counted and its next links are lost', async () => {
    const there = await world({ person: password() });
    there.http
      .expectFailure('PUT', auth, lost)
      .expect('GET', auth, { body: { scaStatus: 'psuAuthenticated' } });
    expect(await failedWith(run(there, atPassword()))).toMatchObject({ code: 'ANSWER_LOST', exit: 6 });
    await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);
    there.verify();

    const later = await reopened(there, { clock: fakeClock({ at: '2026-11-21T12:00:00.000Z' }) });
    later.http
      .expect('POST', list, {
        status: 201,
        body: { scaStatus: 'exempted', authorisationId: 'auth-2', _links: {} },
      })
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
    later.verify();
  });

  it('leads on where only the PSU acts after the step', async () => {
    const there = await world({ person: password() });
    there.http
      .expectFailure('PUT', auth, lost)
      .expect('GET', auth, { body: { scaStatus: 'started' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atPassword())).resolves.toMatchObject({ success: true });
    there.verify();
  });

  it('has its mark on disk before the first byte, even of a process killed on the way', async () => {
    class Crash extends Error {}
    const there = await world({ person: otp() });
    there.http.expect('PUT', auth, {
      check: () => {
        throw new Crash();
      },
    });
    await expect(run(there, atOtp())).rejects.toBeInstanceOf(Crash);
    const [conversation] = await saved(there);
    expect(conversation?.inDoubt).toEqual({
      need: 'scaAuthenticationData',
      link: 'authoriseTransaction',
      method: 'PUT',
    });
  });

  it.each([
    [
      'that was not sent',
      (there: World) => there.http.expectFailure('PUT', auth, { sent: false, reason: 'connect' }),
      7,
    ],
    ['whose link is refused', () => undefined, 5],
  ])('leaves no mark for a step %s', async (_, plan, exit) => {
    const there = await world({ person: otp() });
    plan(there);
    const conversation =
      exit === 5 ? started({ links: { authoriseTransaction: 'https://evil.example/v1/x' } }) : atOtp();
    expect(await failedWith(run(there, conversation))).toMatchObject({
      exit,
      resource: { paymentId: 'pay-1' },
    });
    const [kept] = await saved(there);
    expect(kept?.inDoubt).toBeUndefined();
  });
});

describe('a lost answer to a start', () => {
  const lost = { sent: true, reason: 'reset' } as const;
  const push = () => started({ approach: 'DECOUPLED', links: { startAuthorisation: list } });
  const page = () => started({ approach: 'REDIRECT', links: { startAuthorisation: list } });
  const listed = (...authorisationIds: string[]) => ({ body: { authorisationIds } });

  it('is found in the list, and continued where only the PSU has to act', async () => {
    const there = await world();
    there.http
      .expectFailure('POST', list, lost)
      .expect('GET', list, listed('auth-1'))
      .expect('GET', auth, { body: { scaStatus: 'received' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, push())).resolves.toMatchObject({
      success: true,
      conversation: { authorisationId: 'auth-1' },
    });
    await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);
    there.verify();
  });

  it('is found while its page is lost: this is reported, and only the next run starts another one', async () => {
    const there = await world();
    there.http
      .expectFailure('POST', list, lost)
      .expect('GET', list, listed('auth-1'))
      .expect('GET', auth, { body: { scaStatus: 'received' } });
    expect(await failedWith(run(there, page()))).toMatchObject({
      code: 'ANSWER_LOST',
      exit: 6,
      detail: 'The bank has started auth-1, but the links to it never came.',
      resource: { paymentId: 'pay-1' },
    });
    there.verify();
    await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);

    const later = await reopened(there, {});
    later.http
      .expectFailure('POST', list, lost)
      .expect('GET', list, listed('auth-1', 'auth-2'))
      .expect('GET', `${list}/auth-2`, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({
      success: true,
      conversation: { authorisationId: 'auth-2' },
    });
    later.verify();
  });

  it('is not in the list: the bank did not act, and the next run may', async () => {
    const there = await world();
    there.http.expectFailure('POST', list, lost).expect('GET', list, listed());
    expect(await failedWith(run(there, push()))).toMatchObject({ code: 'ANSWER_LOST', exit: 6 });
    there.verify();
    expect((await saved(there))[0]?.inDoubt).toBeUndefined();
    expect(there.journal.records.at(-1)).toMatchObject({ type: 'resolved', resolution: 'not-done' });
  });

  it('is distinguished from authorisations that were known before', async () => {
    const there = await world();
    await there.store.resources.saveConversation('acme', {
      ...atOtp(),
      startedAt: '2026-11-20T09:00:00.000Z',
    });
    there.http.expectFailure('POST', list, lost).expect('GET', list, listed('auth-1'));
    expect(await failedWith(run(there, push()))).toMatchObject({
      detail: expect.stringContaining('does not list the authorisation') as string,
    });
  });

  it.each([
    ['two that are new', listed('auth-1', 'auth-2'), 6, 'auth-1, auth-2'],
    ['a list that cannot be read', { status: 404 }, 12, ''],
  ])('is not resolved by %s', async (_, answer, exit, detail) => {
    const there = await world();
    there.http.expectFailure('POST', list, lost).expect('GET', list, answer);
    const error = await failedWith(run(there, push()));
    expect(error.exit).toBe(exit);
    expect(error.detail).toContain(detail);
    there.verify();
  });

  it('makes a later run read the list before it starts anything', async () => {
    const there = await world();
    there.http.expectFailure('POST', list, lost).expect('GET', list, { status: 500 });
    expect(await failedWith(run(there, push()))).toMatchObject({ exit: 12 });
    const later = await reopened(there, {});
    later.http
      .expect('GET', list, listed('auth-1'))
      .expect('GET', auth, { body: { scaStatus: 'started' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
    later.verify();
  });

  it('does not block later runs for ever at a bank that keeps no list', async () => {
    const there = await world();
    there.http.expectFailure('POST', list, lost).expect('GET', list, { status: 404 });
    expect(await failedWith(run(there, push()))).toMatchObject({ exit: 12 });
    const later = await reopened(there, {});
    later.http
      .expect('GET', list, { status: 404 })
      .expect('POST', list, {
        status: 201,
        body: { scaStatus: 'finalised', authorisationId: 'auth-9', _links: {} },
      })
      .expect('GET', `${one}/status`, settled);
    await expect(resume(later)).resolves.toMatchObject({ success: true });
  });
});

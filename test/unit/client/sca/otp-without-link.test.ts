// A one-time password is due, and the bank gave no link to send it to; and one that leads back to the password.
import { describe, expect, it } from 'vitest';
import type { Conversation, ScaAnswer } from '../../../../src/standard/sca/state.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { World } from '../../../helpers/world.ts';
import { auth, finalised, one, reopened, resume, run, secret, settled, started } from '../payer.ts';

const script = (...otps: string[]) => fakePerson({ present: false }).answer('otp', ...otps);
const challengeData = { otpFormat: 'characters' as const };
const unlinked = (more: Partial<ScaAnswer> = {}): Conversation =>
  started({ approach: 'EMBEDDED', authorisationId: 'auth-1', scaStatus: 'scaMethodSelected', ...more });
const wrong = { tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text: 'Wrong.' }] };
const bodies = (there: World) =>
  there.http.requests
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => Buffer.from(body).toString());

describe('a one-time password without a link', () => {
  const { approach: _, ...withoutApproach } = unlinked({ challengeData });
  it.each<[string, Conversation]>([
    ['of an answer with a challenge', unlinked({ challengeData })],
    ['of an answer without one', unlinked()],
    ['of an answer without links at all', unlinked({ hasLinks: false })],
    ['while the status says that it has started', unlinked({ challengeData, scaStatus: 'started' })],
    ['with a link to the status', unlinked({ links: { scaStatus: auth } })],
    ['of a bank that names no approach', withoutApproach],
  ])('goes to the authorisation, and this is noted: %s', async (_title, from) => {
    const there = await world({ person: script('739184') });
    there.http.expect('PUT', auth, finalised).expect('GET', `${one}/status`, settled);
    await expect(run(there, from)).resolves.toMatchObject({ success: true });
    expect(bodies(there)).toEqual(['{"scaAuthenticationData":"739184"}']);
    const noted = there.journal.records.flatMap((record) => ('tolerated' in record ? record.tolerated : []));
    expect(noted).toEqual([{ at: auth, what: expect.stringContaining('gave no link') }]);
    there.verify();
  });

  it.each([
    ['a person enters another one in the same run', fakePerson().answer('otp', '000000', '739184')],
    ['a program gives another one', script('000000', '739184')],
  ])('may be refused: %s', async (_title, person) => {
    const there = await world({ person });
    there.http
      .expect('PUT', auth, { status: 401, body: wrong })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, unlinked({ challengeData }))).resolves.toMatchObject({ success: true });
    there.verify();
  });

  it('is not sent by a later run where it was refused, and another one is', async () => {
    const first = await world({ person: script('000000') });
    first.http
      .expect('PUT', auth, { status: 401, body: wrong })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'RCVD' } });
    expect(await failedWith(run(first, unlinked({ challengeData })))).toMatchObject({ exit: 9 });

    const same = await reopened(first, { person: script('000000') });
    same.http.expect('GET', auth, { body: { scaStatus: 'scaMethodSelected' } });
    expect(await failedWith(resume(same))).toMatchObject({ exit: 2, code: 'SECRET_REFUSED_BEFORE' });

    const other = await reopened(same, { person: script('739184') });
    other.http
      .expect('GET', auth, { body: { scaStatus: 'scaMethodSelected' } })
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(resume(other)).resolves.toMatchObject({ success: true });
  });

  it('is not asked for again where it was accepted without a final status: the bank is read', async () => {
    const there = await world({ person: script('739184', '000000') });
    there.http
      .expect('PUT', auth, { body: { scaStatus: 'scaMethodSelected' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, unlinked({ challengeData }))).resolves.toMatchObject({ success: true });
    expect(bodies(there)).toHaveLength(1);
  });

  it('ends at once without an id, because there is nowhere to send it', async () => {
    const { authorisationId: _id, ...from } = unlinked({ challengeData });
    const there = await world({ person: script('739184') });
    await expect(run(there, from)).resolves.toMatchObject({ success: undefined });
    expect(there.notices.warned).toEqual([
      expect.stringContaining('the bank gave no link to send the OTP to'),
    ]);
    expect(there.http.requests).toEqual([]);
    expect(there.clock.slept).toEqual([]);
  });

  it.each<[string, Partial<ScaAnswer>]>([
    ['Decoupled', { approach: 'DECOUPLED' }],
    ['Redirect', { approach: 'REDIRECT' }],
    ['a password that is due', { scaStatus: 'received' }],
  ])('is not made up for %s', async (_title, more) => {
    const there = await world({ person: script() });
    there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
    await expect(run(there, unlinked(more))).resolves.toMatchObject({ success: true });
    there.verify();
  });
});

describe('a one-time password that leads back to the password', () => {
  const back = { body: { scaStatus: 'psuIdentified', _links: { updatePsuAuthentication: { href: auth } } } };
  const toOtp = {
    body: { scaStatus: 'scaMethodSelected', _links: { authoriseTransaction: { href: auth } } },
  };
  const due = () => started({ authorisationId: 'auth-1', links: { updatePsuAuthentication: auth } });

  it('is a refusal of the bank, and no later run sends the same password again', async () => {
    const person = () => script('739184').answer('psu-password', secret);
    const first = await world({ person: person() });
    first.http.expect('PUT', auth, toOtp).expect('PUT', auth, back);
    expect(await failedWith(run(first, due()))).toMatchObject({ exit: 9, code: 'DECLINED' });

    const later = await reopened(first, { person: person() });
    later.http.expect('GET', auth, { body: { scaStatus: 'psuIdentified' } });
    expect(await failedWith(resume(later))).toMatchObject({
      exit: 2,
      code: 'SECRET_REFUSED_BEFORE',
      title: expect.stringContaining('--psu-password-from'),
    });
    expect(bodies(later)).toEqual([]);
  });

  it('asks a person for the password again, who may type the same', async () => {
    const person = fakePerson().answer('psu-password', secret, secret).answer('otp', '000000', '739184');
    const there = await world({ person });
    there.http
      .expect('PUT', auth, toOtp)
      .expect('PUT', auth, back)
      .expect('PUT', auth, toOtp)
      .expect('PUT', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, due())).resolves.toMatchObject({ success: true });
    there.verify();
  });
});

import { describe, expect, it } from 'vitest';
import {
  chooseAuthorisation,
  countAuthorisations,
} from '../../../../src/client/authorisations/other-authorisations.ts';
import { listPending } from '../../../../src/client/payments/pending.ts';
import { refreshOld } from '../../../../src/client/resources/saved-resource.ts';
import { clearDoubt } from '../../../../src/client/sca/lost-step.ts';
import { withholdSecrets } from '../../../../src/client/sca/given-credentials.ts';
import { markInDoubt } from '../../../../src/standard/sca/state.ts';
import type { Conversation } from '../../../../src/standard/sca/state.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish, World } from '../../../helpers/world.ts';
import { auth, decoupled, explicit, list, one, payment, run } from '../payer.ts';

const of = (psuId: string | undefined, at: string, scaStatus = 'started'): Conversation => ({
  ...decoupled(),
  authorisationId: `auth-${psuId ?? 'nobody'}-${at}`,
  startedAt: `2026-11-21T${at}:00:00.000Z`,
  scaStatus,
  ...(psuId === undefined ? {} : { psuId }),
});

async function withSaved(conversations: readonly Conversation[], wish: Wish = {}): Promise<World> {
  const there = await world(wish);
  await there.store.resources.save(payment);
  for (const conversation of conversations)
    await there.store.resources.saveConversation('acme', conversation);
  return there;
}

const as = (id: string): Wish => ({ run: { psu: { id } } });
const nothing = { body: { authorisationIds: [] } };

describe('the authorisation that a run continues', () => {
  it.each<[string, Conversation[], Wish, string]>([
    ['the open one', [of('anna', '10'), of('bert', '11', 'finalised')], {}, 'auth-anna-10'],
    [
      'the newest, where all have ended',
      [of('anna', '10', 'finalised'), of('bert', '11', 'failed')],
      {},
      'auth-bert-11',
    ],
    ['the newest of each PSU alone', [of('anna', '10'), of('anna', '11', 'finalised')], {}, 'auth-anna-11'],
    ['that of the PSU of this run', [of('anna', '10'), of('bert', '11')], as('anna'), 'auth-anna-10'],
    [
      'that of this PSU, however it ended',
      [of('anna', '10', 'failed'), of('bert', '11')],
      as('anna'),
      'auth-anna-10',
    ],
    ['one that waits to learn its PSU', [of(undefined, '10')], as('anna'), 'auth-nobody-10'],
    [
      'that of the profile is nobody else’s',
      [of('bert', '10')],
      { profile: { psu: { id: 'anna' } } },
      'auth-bert-10',
    ],
  ])('is that of %s', async (_, conversations, wish, expected) => {
    const there = await withSaved(conversations, wish);
    const chosen = await chooseAuthorisation(there.target, payment, false);
    expect(chosen).toMatchObject({ resumed: true, conversation: { authorisationId: expected } });
    expect(there.http.requests).toEqual([]);
  });

  it("is the newest, whoever's is still open, once the resource is decided", async () => {
    const there = await withSaved([of('anna', '10'), of('bert', '11', 'finalised')]);
    const { conversation } = await chooseAuthorisation(there.target, { ...payment, status: 'ACSC' }, false);
    expect(conversation.psuId).toBe('bert');
  });

  it.each<[string, Conversation[], boolean, Wish]>([
    ['a PSU who has none', [of('anna', '10')], false, as('bert')],
    ['a PSU, where the one without a PSU has ended', [of(undefined, '10', 'finalised')], false, as('bert')],
    ['whoever asks for another', [of('bert', '10')], true, as('bert')],
  ])('is started for %s, at the address that the bank gave', async (_, conversations, anew, wish) => {
    const there = await withSaved(conversations, wish);
    there.http.expect('GET', list, { body: { authorisationIds: ['auth-1', 'auth-2'] } });
    const resource = { ...payment, links: { startAuthorisationWithPsuAuthentication: '/gateway/start' } };
    const { conversation, resumed } = await chooseAuthorisation(there.target, resource, anew);
    expect(resumed).toBe(false);
    expect(conversation).toMatchObject({
      psuId: 'bert',
      steering: { startAuthorisation: '/gateway/start' },
      others: ['auth-1', 'auth-2'],
    });
    expect(there.notices.said).toEqual([
      'The bank has 2 authorisations of this payment already; another one is started.',
    ]);
    there.verify();
  });

  it.each([404, 405])('is started although the bank has no list (%d)', async (status) => {
    const there = await world(as('bert'));
    there.http.expect('GET', list, { status });
    const { conversation } = await chooseAuthorisation(there.target, payment, false);
    expect(conversation.steering).toEqual({ startAuthorisation: list });
  });

  it('is that of the cancellation while another PSU is authorising it', async () => {
    const cancellation = {
      ...of('anna', '10'),
      parent: { ...of('anna', '10').parent, kind: 'cancellation' as const },
    };
    const there = await withSaved([cancellation], as('bert'));
    there.http.expect('GET', `${one}/cancellation-authorisations`, nothing);
    const { conversation } = await chooseAuthorisation(there.target, payment, false);
    expect(conversation).toMatchObject({
      parent: { kind: 'cancellation' },
      steering: { startAuthorisation: `${one}/cancellation-authorisations` },
    });
  });
});

it('a lost start of one PSU is never taken for the authorisation of another', async () => {
  const there = await world(as('bert'));
  const started = { ...explicit(), psuId: 'bert', others: ['auth-1'] };
  const inDoubt = markInDoubt(started, { need: 'none', link: 'startAuthorisation', method: 'POST' });
  there.http.expect('GET', list, { body: { authorisationIds: ['auth-1'] } });
  await expect(clearDoubt(there.target, inDoubt)).resolves.toMatchObject({ kind: 'nothing' });
});

it('the secrets of the profile are used only for its own PSU', async () => {
  const psu = { id: 'anna', passwordFrom: 'env:A', otpFrom: 'env:B', scaMethod: 'sms', idType: 'LOGIN' };
  const own = await world({ profile: { psu } });
  expect(withholdSecrets(own.target, explicit()).withheld).toBeUndefined();
  expect(own.target.psu).toMatchObject(psu);
  const saved = withholdSecrets((await world({ profile: { psu } })).target, { ...explicit(), psuId: 'bert' });
  expect(saved.withheld).toContain('PSU anna');
  expect(saved.target.psu).toEqual({ id: 'anna', idType: 'LOGIN' });
  const other = withholdSecrets((await world({ profile: { psu }, ...as('bert') })).target, explicit());
  expect(other.withheld).toContain('not used for bert');
  expect(other.target.psu).toEqual({ id: 'bert', idType: 'LOGIN' });
});

it("the number of authorisations done is that of the bank's list, and unknown where the bank refuses it", async () => {
  const there = await world();
  const statuses = ['finalised', 'started', 'failed', 'exempted'];
  there.http.expect('GET', list, { body: { authorisationIds: statuses.map((_, at) => `auth-${at + 1}`) } });
  statuses.forEach((scaStatus, at) => {
    there.http.expect('GET', auth.replace('auth-1', `auth-${at + 1}`), { body: { scaStatus } });
  });
  await expect(countAuthorisations(there.target, payment)).resolves.toEqual({ done: 2, open: 1, listed: 4 });
  there.http.expect('GET', list, { status: 405 });
  await expect(countAuthorisations(there.target, payment)).resolves.toBeUndefined();
});

it('several PSUs who are authorising are pending one by one', async () => {
  const there = await withSaved([of('anna', '10'), of('bert', '11'), of('carl', '12', 'finalised')]);
  const items = await listPending(there.target.ports, 'acme');
  expect(items.map(({ id, next }) => [id, next])).toEqual([
    ['auth-bert-11', 'obk payment authorise pay-1 --psu-id bert'],
    ['auth-anna-10', 'obk payment authorise pay-1 --psu-id anna'],
  ]);
});

describe('a payment that has waited for long', () => {
  const old = { ...payment, updatedAt: '2026-11-19T09:00:00.000Z' };
  const clock = () => fakeClock({ at: '2026-11-21T09:00:00.000Z' });

  it('is read before it is resumed; once it is rejected, nobody is asked for anything', async () => {
    const there = await world({ clock: clock() });
    const rejected = { body: { transactionStatus: 'RJCT' } };
    there.http.expect('GET', `${one}/status`, rejected).expect('GET', `${one}/status`, rejected);
    const read = await refreshOld(there.target, old);
    await expect(run(there, explicit(), { resumed: true }, read)).resolves.toMatchObject({
      success: false,
      resource: { status: 'RJCT' },
    });
    there.verify();
  });

  it.each([
    ['a moment ago', payment, {}],
    ['for a dry run', old, { dryRun: true }],
  ])('is not read %s', async (_, resource, how) => {
    const there = await world({ clock: clock(), run: how });
    await expect(refreshOld(there.target, resource)).resolves.toBe(resource);
    expect(there.http.requests).toEqual([]);
  });

  it('is resumed where the bank refuses the read', async () => {
    const there = await world({ clock: clock() });
    there.http.expect('GET', `${one}/status`, { status: 403 });
    await expect(refreshOld(there.target, old)).resolves.toBe(old);
  });
});

import { describe, expect, it } from 'vitest';
import { createConsent, deleteConsent } from '../../../../src/client/consents/consent.ts';
import { buildConsent } from '../../../../src/client/consents/consent-body.ts';
import { knownConsent, usualConsent } from '../../../../src/client/consents/usual-consent.ts';
import { readConsent, useConsent } from '../../../../src/client/resources/read-consent.ts';
import { world } from '../../../helpers/world.ts';
import { consentOf, iban, reader, refusal } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const body = buildConsent({ iban: [iban], recurring: true }, '1.3.2', new Date('2026-11-21T10:00:00Z'));
const one = '/v1/consents/con-1';
const created = {
  status: 201,
  headers: { 'ASPSP-SCA-Approach': 'DECOUPLED' },
  body: {
    consentStatus: 'received',
    consentId: 'con-1',
    _links: { scaStatus: { href: `${one}/authorisations/a` } },
  },
};
const information = (part: object = {}) => ({
  body: {
    access: { accounts: [{ iban }] },
    recurringIndicator: true,
    validUntil: '2026-12-31',
    frequencyPerDay: 2,
    lastActionDate: '2026-11-21',
    consentStatus: 'valid',
    ...part,
  },
});

describe('creating a consent', () => {
  it('sends the body with the PSU and the address, and saves both before anything else', async () => {
    const there = await world({ profile: { psu: { id: 'anna', ipAddress: '192.0.2.7' } } });
    there.http.expect('POST', '/v1/consents', {
      ...created,
      check: (request) => {
        expect(request.json()).toEqual(body);
        expect(request.header('PSU-ID')).toBe('anna');
        expect(request.header('PSU-IP-Address')).toBe('192.0.2.7');
        expect(request.fresh).toBe(true);
      },
    });
    const { resource, conversation } = await createConsent(there.target, body);
    expect(resource).toMatchObject({
      id: 'con-1',
      status: 'received',
      consent: { recurring: true, frequency: 4, validUntil: '2027-05-19', psuId: 'anna' },
    });
    expect(conversation).toMatchObject({ parent: { kind: 'consent', id: 'con-1' }, approach: 'DECOUPLED' });
    expect(await there.store.resources.find('acme', 'consent', 'con-1')).toEqual(resource);
    expect(await there.store.resources.conversations('acme', 'consent', 'con-1')).toEqual([conversation]);
  });

  it('is not repeated, whatever becomes of the answer', async () => {
    const there = await world();
    there.http.expectFailure('POST', '/v1/consents', { sent: true, reason: 'reset' });
    await expect(createConsent(there.target, body)).rejects.toMatchObject({ exit: 12 });
    expect(there.http.requests).toHaveLength(1);
    expect(await there.store.resources.list('acme', 'consent')).toEqual([]);
  });

  it('needs the address of the PSU also where 1.3.2 leaves it open', async () => {
    const there = await world({ profile: { psu: {} } });
    await expect(createConsent(there.target, body)).rejects.toMatchObject({
      exit: 2,
      title: 'Missing --psu-ip.',
    });
    expect(there.http.requests).toEqual([]);
  });
});

describe('reading a consent', () => {
  it('saves what the bank has made of it', async () => {
    const there = await world();
    there.http.expect('GET', one, information());
    const { resource } = await readConsent(
      there.target,
      consentOf({ combined: true }, { status: 'received' }),
    );
    expect(resource).toMatchObject({
      status: 'valid',
      consent: { frequency: 2, validUntil: '2026-12-31', combined: true, access: { accounts: [{ iban }] } },
    });
    expect(await there.store.resources.find('acme', 'consent', 'con-1')).toEqual(resource);
    expect(there.http.requests[0]!.header('PSU-IP-Address')).toBeUndefined();
  });

  it.each([
    ['numbers and booleans as text', { recurringIndicator: 'false', frequencyPerDay: '3' }, false, 3],
    ['nothing of it', { recurringIndicator: undefined, frequencyPerDay: undefined }, true, 4],
  ])('accepts %s', async (_, part, recurring, frequency) => {
    const there = await world();
    there.http.expect('GET', one, information(part));
    const { resource } = await readConsent(there.target, consentOf());
    expect(resource.consent).toMatchObject({ recurring, frequency });
  });
});

describe('a renewed consent', () => {
  const old = consentOf({ accounts: [{ resourceId: 'acc-1', number: iban }] }, { id: 'con-0' });

  it('takes the place of the active one only when it is valid', async () => {
    const there = await world();
    await there.store.resources.save(old);
    await useConsent(there.target, 'con-0');
    const renewing = consentOf({ renews: 'con-0' });
    there.http
      .expect('GET', one, information({ consentStatus: 'received' }))
      .expect('GET', one, information());

    await readConsent(there.target, renewing);
    expect((await there.store.credentials.read('acme')).consentId).toBe('con-0');
    expect(await there.store.resources.find('acme', 'consent', 'con-0')).toEqual(old);

    await readConsent(there.target, renewing);
    expect((await there.store.credentials.read('acme')).consentId).toBe('con-1');
    const { accounts: _, ...rest } = old.consent!;
    expect(await there.store.resources.find('acme', 'consent', 'con-0')).toEqual({ ...old, consent: rest });
  });

  it('leaves the active one as it is where it renews another', async () => {
    const there = await world();
    await useConsent(there.target, 'con-9');
    there.http.expect('GET', one, information());
    await readConsent(there.target, consentOf({ renews: 'con-0' }));
    expect((await there.store.credentials.read('acme')).consentId).toBe('con-9');
  });
});

describe('deleting a consent', () => {
  it('ends it and removes it as the active one', async () => {
    const there = await reader();
    await useConsent(there.target, 'con-1');
    there.http.expect('DELETE', one, { status: 204 });
    expect((await deleteConsent(there.target, consentOf())).resource.status).toBe('terminatedByTpp');
    expect(await there.store.credentials.read('acme')).toEqual({});
    expect((await there.store.resources.find('acme', 'consent', 'con-1'))?.status).toBe('terminatedByTpp');
  });

  it.each([
    ['terminatedByTpp', undefined],
    ['valid', 12],
  ])('reads the status where the answer was lost: %s', async (consentStatus, exit) => {
    const there = await reader();
    there.http
      .expectFailure('DELETE', one, { sent: true, reason: 'reset' })
      .expect('GET', `${one}/status`, { body: { consentStatus } });
    const deleted = deleteConsent(there.target, consentOf());
    if (exit === undefined)
      await expect(deleted).resolves.toMatchObject({ resource: { status: consentStatus } });
    else await expect(deleted).rejects.toMatchObject({ exit });
    there.verify();
  });
});

describe('the consent of a command that names none', () => {
  it('is the active one, even where only its id is known', async () => {
    const there = await reader();
    await useConsent(there.target, 'con-7');
    const consent = (await usualConsent(there.target))!;
    expect(consent).toMatchObject({ id: 'con-7', noun: 'consent' });
    there.http.expect('GET', '/v1/consents/con-7', information());
    expect((await knownConsent(there.target, consent)).consent?.frequency).toBe(2);
  });

  it('is the only valid one', async () => {
    const there = await reader();
    await there.store.resources.save(consentOf({}, { id: 'con-2', status: 'received' }));
    await there.store.resources.save(consentOf({ validUntil: '2026-11-20' }, { id: 'con-3' }));
    expect((await usualConsent(there.target))?.id).toBe('con-1');
  });

  it('is looked up at the bank where several seem valid', async () => {
    const there = await reader();
    await there.store.resources.save(consentOf({}, { id: 'con-2', createdAt: '2026-11-21T09:30:00.000Z' }));
    there.http
      .expect('GET', '/v1/consents/con-2', information())
      .expect('GET', one, information({ consentStatus: 'terminatedByTpp' }));
    expect((await usualConsent(there.target))?.id).toBe('con-2');
    there.verify();
    expect((await there.store.resources.find('acme', 'consent', 'con-1'))?.status).toBe('terminatedByTpp');
  });

  it('is in the token where the bank reads it there, and only where there is a token', async () => {
    const inToken = { profile: { auth: { consent: 'token' } } } as const;
    const known = await world({ ...inToken, token: 'tok-0123456789' });
    expect(await usualConsent(known.target)).toBeUndefined();
    const bare = await world(inToken);
    await expect(usualConsent(bare.target)).rejects.toMatchObject({ code: 'CONSENT_NEEDED', exit: 4 });
    const both = await world({ token: 'tok-0123456789' });
    await expect(usualConsent(both.target)).rejects.toMatchObject({ code: 'CONSENT_NEEDED' });
  });

  it('is not guessed among several', async () => {
    const there = await reader();
    await there.store.resources.save(consentOf({}, { id: 'con-2', createdAt: '2026-11-21T09:30:00.000Z' }));
    there.http.expect('GET', '/v1/consents/con-2', information()).expect('GET', one, information());
    const error = await failedWith(usualConsent(there.target));
    expect(error).toMatchObject({ code: 'ID_AMBIGUOUS', exit: 2 });
    expect(error.hint).toContain('obk consent use con-1');
  });

  it.each<[string, Parameters<typeof consentOf>, string]>([
    ['none', [{}, { id: 'other', profile: 'other' }], `obk consent create --iban ${iban} --psu-id anna`],
    ['an open one', [{}, { status: 'received' }], 'obk consent authorise con-1   # it is received'],
    ['an ended one', [{}, { status: 'expired' }], 'obk consent renew con-1   # was valid until 2027-02-18'],
    [
      'one that ended by the calendar',
      [{ validUntil: '2026-11-20' }],
      'obk consent renew con-1   # was valid until 2026-11-20',
    ],
  ])('is missing, with a hint, where there is %s', async (_, saved, hint) => {
    const there = await reader(
      { profile: { debtor: iban }, run: { psu: { id: 'anna' } } },
      {},
      consentOf(...saved),
    );
    const error = await failedWith(usualConsent(there.target));
    expect(error).toMatchObject({ code: 'CONSENT_NEEDED', exit: 4 });
    expect(error.hint[0]).toBe(hint);
    expect(there.http.requests).toEqual([]);
  });
});

it('an unknown consent is reported as the refusal of the bank', async () => {
  const there = await world();
  there.http.expect('GET', one, refusal('CONSENT_UNKNOWN', 403));
  const { consent: _, ...saved } = consentOf();
  await expect(knownConsent(there.target, saved)).rejects.toMatchObject({
    exit: 4,
  });
});

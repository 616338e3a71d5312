import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fakePerson, memoryFiles } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish, World } from '../../../helpers/world.ts';
import {
  auth,
  finalised,
  list,
  one,
  reopened,
  resume,
  run,
  settled,
  started,
  stillOpen,
  wrong,
} from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
const withKey = { passwordEncryption: { key: '/keys/bank.pem' } };
const authorised = { PUT: finalised, status: settled };

async function encryptedWorld(wish: Wish = {}): Promise<World> {
  const there = await world({ profile: withKey, ...wish });
  there.target.ports.files = memoryFiles({ '/keys/bank.pem': pem });
  return there;
}

function decrypt(jwe: string): string {
  const [head = '', wrapped, iv, cipherText, tag] = jwe.split('.');
  const bytes = (text = '') => Buffer.from(text, 'base64url');
  const padding = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  const decipher = createDecipheriv('aes-256-gcm', privateDecrypt(padding, bytes(wrapped)), bytes(iv));
  decipher.setAAD(Buffer.from(head)).setAuthTag(bytes(tag));
  return Buffer.concat([decipher.update(bytes(cipherText)), decipher.final()]).toString();
}

const sent = (there: World): Record<string, string>[] =>
  there.http.requests
    .filter(({ body }) => body.includes('psuData'))
    .map(({ body }) => (JSON.parse(body) as { psuData: Record<string, string> }).psuData);

const due = (link: string) =>
  started({
    approach: 'EMBEDDED',
    authorisationId: 'auth-1',
    scaStatus: 'psuIdentified',
    links: { [link]: auth, scaStatus: auth },
  });
const ends = (there: World) =>
  there.http.expect('PUT', auth, authorised.PUT).expect('GET', `${one}/status`, authorised.status);

it('a password is asked for under the name of the PSU that an earlier run gave', async () => {
  const person = fakePerson().answer('psu-password', 'geheim');
  const there = await world({ person });
  ends(there);
  await run(there, { ...due('updatePsuAuthentication'), psuId: 'anna' });
  expect(person.asked.map(({ text }) => text)).toEqual(['Password of the PSU anna']);
});

describe('an encrypted password', () => {
  it.each([
    ['updateEncryptedPsuAuthentication', 'encryptedPassword', 'psu-password'],
    ['updateAdditionalEncryptedPsuAuthentication', 'additionalEncryptedPassword', 'psu-additional-password'],
  ])('is made for the key of the bank in %s', async (link, member, question) => {
    const there = await encryptedWorld({ person: fakePerson().answer(question, 'geheim') });
    ends(there);
    await expect(run(there, due(link))).resolves.toMatchObject({ success: true });
    const [psuData = {}] = sent(there);
    expect(Object.keys(psuData)).toEqual([member]);
    expect(decrypt(psuData[member] ?? '')).toBe('geheim');
    there.verify();
  });

  it('starts an authorisation', async () => {
    const there = await encryptedWorld({ person: fakePerson().answer('psu-password', 'geheim') });
    there.http
      .expect('POST', list, { status: 201, body: { scaStatus: 'exempted', authorisationId: 'auth-1' } })
      .expect('GET', `${one}/status`, settled);
    const start = started({ links: { startAuthorisationWithEncryptedPsuAuthentication: list } });
    await expect(run(there, start)).resolves.toMatchObject({ success: true });
    expect(decrypt(sent(there)[0]?.['encryptedPassword'] ?? '')).toBe('geheim');
  });

  it.each([
    ['updateEncryptedPsuAuthentication', 'encryptedPassword', 'psu-encrypted-password'],
    [
      'updateAdditionalEncryptedPsuAuthentication',
      'additionalEncryptedPassword',
      'psu-additional-encrypted-password',
    ],
  ])('is sent as it is in %s where it is given ready-made', async (link, member, question) => {
    const there = await encryptedWorld({
      person: fakePerson({ present: false }).answer(question, 'a.b.c.d.e'),
    });
    ends(there);
    await expect(run(there, due(link))).resolves.toMatchObject({ success: true });
    expect(sent(there)).toEqual([{ [member]: 'a.b.c.d.e' }]);
  });

  it('is required ready-made without a key', async () => {
    const there = await world();
    expect(await failedWith(run(there, due('updateEncryptedPsuAuthentication')))).toMatchObject({
      code: 'INTERACTION_NEEDED',
      flags: ['--psu-encrypted-password-from'],
      resource: { paymentId: 'pay-1', authorisationId: 'auth-1' },
    });
  });

  it('is never sent with a key that cannot be read', async () => {
    const there = await world({ profile: withKey, person: fakePerson() });
    expect(await failedWith(run(there, due('updateEncryptedPsuAuthentication')))).toMatchObject({
      code: 'KEY_FILE',
      exit: 3,
    });
    expect(there.http.requests).toEqual([]);
  });

  it('uses the key of the built-in bank by itself', async () => {
    const there = await world({
      inside: { baseUrl: 'http://127.0.0.1:4711' },
      name: 'sandbox',
      person: fakePerson().answer('psu-password', 'geheim'),
    });
    Object.assign(there.target.ports.bank, {
      passwordKey: () => Promise.resolve(JSON.stringify(publicKey.export({ format: 'jwk' }))),
    });
    ends(there);
    await run(there, due('updateEncryptedPsuAuthentication'));
    expect(decrypt(sent(there)[0]?.['encryptedPassword'] ?? '')).toBe('geheim');
  });
});

describe('a refused password', () => {
  it.each([
    ['updateAdditionalPsuAuthentication', 'psu-additional-password', '--psu-additional-password-from'],
    ['updateEncryptedPsuAuthentication', 'psu-password', '--psu-password-from'],
    [
      'updateAdditionalEncryptedPsuAuthentication',
      'psu-additional-password',
      '--psu-additional-password-from',
    ],
  ] as const)(
    'is recognised in %s in another process, however it is encrypted',
    async (link, question, flag) => {
      const script = () => fakePerson({ present: false }).answer(question, 'falsch');
      const first = await encryptedWorld({ person: script() });
      first.http.expect('PUT', auth, wrong({ [link]: auth })).expect('GET', `${one}/status`, stillOpen);
      expect(await failedWith(run(first, due(link)))).toMatchObject({ exit: 9 });
      expect(sent(first)).toHaveLength(1);

      const later = await reopened(first, { profile: withKey, person: script() });
      later.target.ports.files = memoryFiles({ '/keys/bank.pem': pem });
      later.http.expect('GET', auth, { body: { scaStatus: 'psuIdentified' } });
      const error = await failedWith(resume(later));
      expect(error).toMatchObject({ code: 'SECRET_REFUSED_BEFORE', exit: 2 });
      expect(error.title).toContain(flag);
      expect(sent(later)).toEqual([]);
    },
  );

  it('may as the first one be right as the additional one', async () => {
    const person = fakePerson().answer('psu-password', 'one', 'two').answer('psu-additional-password', 'one');
    const there = await world({ person });
    there.http.expect('PUT', auth, wrong({ updatePsuAuthentication: auth })).expect('PUT', auth, {
      body: { scaStatus: 'psuIdentified', _links: { updateAdditionalPsuAuthentication: { href: auth } } },
    });
    ends(there);
    await expect(run(there, due('updatePsuAuthentication'))).resolves.toMatchObject({ success: true });
    expect(sent(there)).toEqual([{ password: 'one' }, { password: 'two' }, { additionalPassword: 'one' }]);
    there.verify();
  });
});

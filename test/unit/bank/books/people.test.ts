import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { browser } from '../browser.ts';
import { standing } from '../orders.ts';
import { back, codeOf, href, leads, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import { payment, send } from '../tpp.ts';

const scene = useScene();

describe('an embedded authorisation with passwords of other kinds', () => {
  /** A JWE as a client makes it, by RFC 7516 and 7518, with the key that the bank publishes. */
  async function encrypt(text: string, change: (jwe: string[]) => void = () => undefined): Promise<string> {
    const jwk = (await send(`${scene.bank.baseUrl}/sandbox/password-key`, 'GET', {}, Buffer.alloc(0)))
      .json as JsonWebKey;
    const contentKey = randomBytes(32);
    const head = Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })).toString('base64url');
    const wrapped = publicEncrypt(
      {
        key: createPublicKey({ key: jwk, format: 'jwk' }),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: 'sha256',
      },
      contentKey,
    );
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', contentKey, iv);
    cipher.setAAD(Buffer.from(head));
    const cipherText = Buffer.concat([cipher.update(text), cipher.final()]);
    const jwe = [
      head,
      ...[wrapped, iv, cipherText, cipher.getAuthTag()].map((part) => part.toString('base64url')),
    ];
    change(jwe);
    return jwe.join('.');
  }

  it.each(['ready-made', 'by the published key'])('accepts an encrypted password (%s)', async (how) => {
    const person = scene.bank.person('embedded-encrypted');
    const { links } = await scene.create('embedded-encrypted');
    expect(leads(links)).toEqual(['startAuthorisationWithEncryptedPsuAuthentication']);
    const start = href(links, 'startAuthorisationWithEncryptedPsuAuthentication');
    const encryptedPassword =
      how === 'ready-made' ? person.encryptedPassword : await encrypt(person.password);
    const started = await scene.call('POST', start, { body: { psuData: { encryptedPassword } } });
    expect([started.status, started.json.scaStatus], started.text).toEqual([201, 'scaMethodSelected']);
  });

  it('accepts it by PUT where the bank started the authorisation', async () => {
    const person = scene.bank.person('embedded-encrypted-implicit');
    const { links } = await scene.create('embedded-encrypted-implicit', { prefix: 'v1' });
    const body = { psuData: { encryptedPassword: person.encryptedPassword } };
    const answer = await scene.call('PUT', href(links, 'updateEncryptedPsuAuthentication'), { body });
    expect(answer.json.scaStatus, answer.text).toBe('scaMethodSelected');
  });

  it.each<[string, (jwe: string[]) => void]>([
    ['another tag', (jwe) => (jwe[4] = jwe[4]!.replace(/^./, (sign) => (sign === 'A' ? 'B' : 'A')))],
    ['another head', (jwe) => (jwe[0] = Buffer.from('{"alg":"none","enc":"A256GCM"}').toString('base64url'))],
    ['a short tag', (jwe) => (jwe[4] = jwe[4]!.slice(0, 8))],
    ['parts missing', (jwe) => (jwe.length = 2)],
  ])('refuses an encrypted password with %s', async (_what, change) => {
    const { links } = await scene.create('embedded-encrypted');
    const start = href(links, 'startAuthorisationWithEncryptedPsuAuthentication');
    const encryptedPassword = await encrypt(scene.bank.person('embedded-encrypted').password, change);
    const answer = await scene.call('POST', start, { body: { psuData: { encryptedPassword } } });
    expect(codeOf(answer)).toEqual([400, 'FORMAT_ERROR']);
  });

  it('requires each PSU in the form of theirs', async () => {
    const plain = await scene.create('embedded-encrypted');
    const start = href(plain.links, 'startAuthorisationWithEncryptedPsuAuthentication');
    const password = { psuData: { password: scene.bank.person('embedded-encrypted').password } };
    expect(codeOf(await scene.call('POST', start, { body: password }))).toEqual([400, 'FORMAT_ERROR']);
    const other = await scene.create('embedded-one');
    const encrypted = {
      psuData: { encryptedPassword: scene.bank.person('embedded-encrypted').encryptedPassword },
    };
    const otherStart = href(other.links, 'startAuthorisationWithPsuAuthentication');
    expect(codeOf(await scene.call('POST', otherStart, { body: encrypted }))).toEqual([400, 'FORMAT_ERROR']);
  });

  it.each([
    ['embedded-additional', 'updateAdditionalPsuAuthentication', 'password', 'additionalPassword'],
    [
      'embedded-additional-encrypted',
      'updateAdditionalEncryptedPsuAuthentication',
      'encryptedPassword',
      'additionalEncryptedPassword',
    ],
  ] as const)('has a second password for %s', async (psuId, link, first, second) => {
    const person = scene.bank.person(psuId);
    const { links } = await scene.create(psuId);
    const start = Object.values(links)[0]!.href;
    const started = await scene.call('POST', start, { body: { psuData: { [first]: person[first] } } });
    expect([started.json.scaStatus, leads(started.json._links)], started.text).toEqual([
      'psuIdentified',
      [link],
    ]);
    const at = href(started.json._links, link);
    const again = await scene.call('PUT', at, { body: { psuData: { [first]: person[first] } } });
    expect(codeOf(again)).toEqual([400, 'FORMAT_ERROR']);
    const done = await scene.call('PUT', at, { body: { psuData: { [second]: person[second] } } });
    expect([done.json.scaStatus, leads(done.json._links)], done.text).toEqual([
      'scaMethodSelected',
      ['authoriseTransaction'],
    ]);
  });

  it('requires the second password in v1, too', async () => {
    const person = scene.bank.person('embedded-additional');
    const { links } = await scene.create('embedded-additional', { prefix: 'v1' });
    const started = await scene.call('POST', Object.values(links)[0]!.href, {
      body: { psuData: { password: person.password } },
    });
    expect([started.json.scaStatus, leads(started.json._links as Links)]).toEqual([
      'psuIdentified',
      ['updateAdditionalPsuAuthentication'],
    ]);
  });
});

describe('an embedded authorisation with methods of other kinds', () => {
  const authenticated = async (psuId: string) => {
    const { links } = await scene.create(psuId);
    const body = { psuData: { password: scene.bank.person(psuId).password } };
    const started = await scene.call('POST', href(links, 'startAuthorisationWithPsuAuthentication'), {
      body,
    });
    return { select: href(started.json._links, 'selectAuthenticationMethod'), json: started.json, links };
  };
  const choose = (at: string, authenticationMethodId: string) =>
    scene.call('PUT', at, { body: { authenticationMethodId } });

  /** The digits in a picture: each column of four dots is one, told apart by its ink. */
  function widthAndInk(png: Buffer): { width: number; height: number; ink: boolean } {
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    const width = png.readUInt32BE(16);
    const height = png.readUInt32BE(20);
    const length = png.readUInt32BE(33);
    const pixels = inflateSync(png.subarray(41, 41 + length));
    expect(pixels.length).toBe((width + 1) * height);
    return { width, height, ink: pixels.includes(0, 1) && pixels.includes(255) };
  }

  it('shows a picture, or states where it is', async () => {
    const { select, json } = await authenticated('embedded-photo');
    expect(
      json.scaMethods.map((method: { authenticationType: string }) => method.authenticationType),
    ).toEqual(['PHOTO_OTP', 'PHOTO_OTP', 'CHIP_OTP']);
    const photo = await choose(select, 'photo');
    const image = Buffer.from(photo.json.challengeData.image as string, 'base64');
    expect(widthAndInk(image)).toEqual({ width: 200, height: 56, ink: true });
    const second = await authenticated('embedded-photo');
    const link = (await choose(second.select, 'photo-link')).json.challengeData.imageLink as string;
    const shown = await send(link, 'GET', {}, Buffer.alloc(0));
    expect(shown.headers['content-type']).toBe('image/png');
    expect(shown.bytes.equals(image)).toBe(true);
    await scene.call('PUT', second.select, {
      body: { scaAuthenticationData: scene.bank.person('embedded-photo').otp },
    });
    expect((await send(link, 'GET', {}, Buffer.alloc(0))).status).toBe(404);
  });

  it('turns decoupled on the way', async () => {
    const { select, links } = await authenticated('switch');
    const chosen = await choose(select, 'app');
    expect(chosen.headers['aspsp-sca-approach']).toBe('DECOUPLED');
    expect(chosen.json).toMatchObject({
      scaStatus: 'started',
      chosenScaMethod: { authenticationMethodId: 'app' },
      psuMessage: `Please approve in your banking app: ${scene.bank.baseUrl}/phone`,
    });
    expect(leads(chosen.json._links)).toEqual([]);
    const { visit, submit } = browser();
    const url = `${scene.bank.baseUrl}/phone`;
    const { password } = scene.bank.person('switch');
    const waiting = await submit(url, await visit(url), { psuId: 'switch', password });
    await submit(url, waiting, { decision: 'approve' });
    expect(await scene.scaOf(chosen.json._links)).toBe('finalised');
    expect(await scene.statusOf(links)).toBe('ACSC');
  });

  it('turns into a redirect on the way', async () => {
    const { select, links } = await authenticated('switch');
    const chosen = await choose(select, 'page');
    expect(chosen.headers['aspsp-sca-approach']).toBe('REDIRECT');
    expect([chosen.json.scaStatus, leads(chosen.json._links)]).toEqual(['started', ['scaRedirect']]);
    const { visit, submit } = browser();
    const url = href(chosen.json._links, 'scaRedirect');
    const { password, otp } = scene.bank.person('switch');
    const confirm = await submit(url, await visit(url), { psuId: 'switch', password });
    const done = await submit(url, confirm, { otp, decision: 'approve' });
    expect(done.headers['location']).toBe(back);
    expect(await scene.statusOf(links)).toBe('ACSC');
  });

  it('goes on embedded with an ordinary one', async () => {
    const { select } = await authenticated('switch');
    expect((await choose(select, 'sms')).headers['aspsp-sca-approach']).toBe('EMBEDDED');
  });
});

describe('a person who decides without a tester', () => {
  it.each([
    ['decoupled-slow', 3000, 'finalised', 'ACSC'],
    ['refuses', 1000, 'failed', 'RJCT'],
  ])('decides as %s after %i ms', async (psuId, ms, sca, status) => {
    const { links } = await scene.create(psuId);
    const started = await scene.call('POST', href(links, 'startAuthorisation'));
    scene.clock.ms += ms - 1;
    expect(await scene.scaOf(started.json._links)).toBe('started');
    scene.clock.ms += 1;
    expect([await scene.scaOf(started.json._links), await scene.statusOf(links)]).toEqual([sca, status]);
  });
});

it('a PSU is locked after three wrong secrets, and sees how many are left', async () => {
  const { links } = await scene.create('locks');
  const start = href(links, 'startAuthorisationWithPsuAuthentication');
  const body = { psuData: { password: 'wrong' } };
  const first = await scene.call('POST', start, { body });
  expect(first.json.tppMessages[0].text).toBe('The password is wrong; attempts left: 2.');
  const retry = href(first.json._links, 'updatePsuAuthentication');
  expect((await scene.call('PUT', retry, { body })).json.tppMessages[0].text).toContain('attempts left: 1');
  const last = await scene.call('PUT', retry, { body });
  expect([codeOf(last), last.json._links]).toEqual([[401, 'PSU_CREDENTIALS_INVALID'], undefined]);
  expect(await scene.statusOf(links)).toBe('RJCT');
  const again = await scene.call('POST', '/v136/payments/sepa-credit-transfers', {
    body: payment(scene.bank.person('locks').accounts[0]!.iban),
    headers: { 'PSU-ID': 'locks' },
  });
  expect(codeOf(again)).toEqual([403, 'SERVICE_BLOCKED']);
});

it('a standing order exempts nobody from the SCA', async () => {
  const created = await scene.call('POST', '/v1/periodic-payments/sepa-credit-transfers', {
    body: { ...payment(scene.bank.person('embedded-none').accounts[0]!.iban), ...standing },
    headers: { 'PSU-ID': 'embedded-none' },
  });
  const body = { psuData: { password: scene.bank.person('embedded-none').password } };
  const { href: start } = created.json._links.startAuthorisationWithPsuAuthentication;
  expect((await scene.call('POST', start, { body })).json.scaStatus).toBe('scaMethodSelected');
});

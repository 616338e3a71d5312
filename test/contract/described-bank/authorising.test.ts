// The bank inside as a description has it, where a PSU authorises: requests and answers are written by hand from what is known of
// such banks, and obk has no part in them.
import {
  createPublicKey,
  publicEncrypt,
  constants,
  createCipheriv,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf, consentOf, describedBanks, paymentOf, payments } from '../../helpers/described-bank.ts';
import type { DescribedBank } from '../../helpers/described-bank.ts';

const describedBank = describedBanks();

const begin = async (bank: DescribedBank, psuId: string, headers: Record<string, string> = {}) => {
  const answer = await bank.ask('POST', payments, {
    headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': 'https://tpp.example/back', ...headers },
    json: paymentOf(bank, psuId),
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { paymentId: string; _links: Record<string, { href: string }> };
};

describe('sca.startMode', () => {
  it('makes with implicit the TPP ask for another start in vain', async () => {
    const bank = await describedBank({ sca: { startMode: 'implicit' } });
    const wish = { 'TPP-Explicit-Authorisation-Preferred': 'true' };
    const { _links } = await begin(bank, 'embedded-one', wish);
    expect(Object.keys(_links)).toEqual(['updatePsuAuthentication', 'scaStatus', 'self', 'status']);
  });

  it('makes with explicit nothing begin by itself', async () => {
    const bank = await describedBank({ sca: { startMode: 'explicit' } });
    const { _links } = await begin(bank, 'redirect');
    expect(Object.keys(_links)).toEqual(['startAuthorisation', 'self', 'status']);
  });

  it('makes with withPsuAuthentication the password go with the start, whose link does not show it', async () => {
    const bank = await describedBank({ sca: { startMode: 'withPsuAuthentication' } });
    const { _links } = await begin(bank, 'embedded-one');
    const start = _links['startAuthorisation']?.href ?? '';
    expect(codeOf(await bank.ask('POST', start, { headers: { 'PSU-ID': 'embedded-one' } }))).toEqual([
      400,
      'FORMAT_ERROR',
    ]);
    const { password } = bank.bank.person('embedded-one');
    const headers = { 'PSU-ID': 'embedded-one' };
    const begun = await bank.ask('POST', start, { headers, json: { psuData: { password } } });
    expect([begun.status, begun.json.scaStatus]).toEqual([201, 'scaMethodSelected']);
    // A redirect has no password, so that there is nothing to start.
    expect(Object.keys((await begin(bank, 'redirect'))._links)).toContain('scaRedirect');
  });

  it('makes with skip the link of a start lead nowhere, and the page waits', async () => {
    const bank = await describedBank({ sca: { startMode: 'skip', approaches: ['redirect'] } });
    const { _links, paymentId } = await begin(bank, 'redirect');
    expect(_links).toHaveProperty('scaRedirect');
    expect((await bank.ask('POST', _links['startAuthorisation']?.href ?? '')).status).toBe(405);
    bank.bank.decide('approve', paymentId, 'redirect');
    expect((await bank.ask('GET', `${payments}/${paymentId}/status`)).json.transactionStatus).not.toBe(
      'RCVD',
    );
  });
});

describe('sca.passwordEncryption', () => {
  /** A compact JWE (RFC 7516) made with what Node has. */
  function jwe(password: string, certificate: string, alg: 'RSA-OAEP' | 'RSA-OAEP-256'): string {
    const part = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
    const head = part(JSON.stringify({ alg, enc: 'A256GCM' }));
    const [key, iv] = [randomBytes(32), randomBytes(12)];
    const wrapped = publicEncrypt(
      {
        key: createPublicKey(certificate),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: alg === 'RSA-OAEP' ? 'sha1' : 'sha256',
      },
      key,
    );
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(head));
    const text = Buffer.concat([cipher.update(password), cipher.final()]);
    return [head, part(wrapped), part(iv), part(text), part(cipher.getAuthTag())].join('.');
  }

  it.each(['RSA-OAEP-256', 'RSA-OAEP'] as const)(
    'encrypts with %s under the certificate of a link',
    async (kind) => {
      const passwordEncryption = { kind, certificateLink: 'passwordCertificate' };
      const bank = await describedBank({ sca: { startMode: 'encrypted', passwordEncryption } });
      const { _links } = await begin(bank, 'embedded-one');
      const shown = await bank.ask(
        'GET',
        new URL(_links['passwordCertificate']?.href ?? '', bank.bank.baseUrl).pathname,
      );
      expect(shown.headers.get('content-type')).toBe('application/pem-certificate-chain');
      expect(new X509Certificate(shown.text).publicKey.asymmetricKeyType).toBe('rsa');
      const { password } = bank.bank.person('embedded-one');
      const start = _links['startAuthorisation']?.href ?? '';
      const headers = { 'PSU-ID': 'embedded-one' };
      const other = kind === 'RSA-OAEP' ? 'RSA-OAEP-256' : 'RSA-OAEP';
      for (const psuData of [{ password }, { encryptedPassword: jwe(password, shown.text, other) }])
        expect(codeOf(await bank.ask('POST', start, { headers, json: { psuData } }))).toEqual([
          400,
          'FORMAT_ERROR',
        ]);
      const psuData = { encryptedPassword: jwe(password, shown.text, kind) };
      const begun = await bank.ask('POST', start, { headers, json: { psuData } });
      expect([begun.status, begun.json.scaStatus]).toEqual([201, 'scaMethodSelected']);
    },
  );
});

it('sca.passwordEncryption.certificatePath names where the certificate is', async () => {
  const certificatePath = '/pb/certificates/password.pem';
  const bank = await describedBank({
    sca: { startMode: 'encrypted', passwordEncryption: { certificatePath } },
  });
  const shown = await bank.ask('GET', certificatePath);
  expect(new X509Certificate(shown.text).publicKey.asymmetricKeyType).toBe('rsa');
  const { _links } = await begin(bank, 'embedded-one');
  expect(Object.keys(_links)).not.toContain('passwordCertificate');
});

it('sca.authorisationIdFrom resourceId gives an authorisation the id of its payment', async () => {
  const bank = await describedBank({ sca: { authorisationIdFrom: 'resourceId' } });
  const { paymentId, _links } = await begin(bank, 'embedded-one');
  const { password } = bank.bank.person('embedded-one');
  const start = _links['startAuthorisationWithPsuAuthentication']?.href ?? '';
  const headers = { 'PSU-ID': 'embedded-one' };
  const begun = await bank.ask('POST', start, { headers, json: { psuData: { password } } });
  expect(begun.text).not.toContain('authorisationId"');
  const own = `${payments}/${paymentId}/authorisations/${paymentId}`;
  expect(begun.json._links.authoriseTransaction.href).toBe(own);
  expect((await bank.ask('GET', start)).json).toEqual({ authorisationIds: [paymentId] });
  const json = { scaAuthenticationData: bank.bank.person('embedded-one').otp };
  expect((await bank.ask('PUT', own, { json })).json).toMatchObject({ scaStatus: 'finalised' });
  expect((await bank.ask('GET', own)).json).toMatchObject({ scaStatus: 'finalised' });
  const [request] = (await bank.bank.bank.log(0)).slice(-1);
  expect(request?.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect((await bank.ask('GET', `${payments}/${paymentId}/authorisations/other`)).status).toBe(404);
});

it('sca.redirectLifetimeS and sca.confirmationCode apply to a redirect', async () => {
  const bank = await describedBank({ sca: { redirectLifetimeS: 30, confirmationCode: true } });
  const { paymentId } = await begin(bank, 'redirect');
  const back = bank.bank.decide('approve', paymentId, 'redirect');
  expect(back.scaStatus).toBe('unconfirmed');
  expect(new URL(back.redirectedTo ?? '').searchParams.get('confirmationCode')).toBeTruthy();
  const { _links } = await begin(bank, 'redirect');
  expect((await bank.ask('GET', new URL(_links['scaRedirect']?.href ?? '').pathname)).text).toContain(
    '<title>Log in',
  );
  bank.bank.clock('+31s');
  const page = new URL(_links['scaRedirect']?.href ?? '');
  expect((await bank.ask('GET', page.pathname)).text).not.toContain('<title>Log in');
});

it('consent.deleteNeedsSca keeps the consent until its PSU has agreed', async () => {
  const bank = await describedBank({ consent: { deleteNeedsSca: true } });
  const consentId = await consentOf(bank);
  const path = `/v1/consents/${consentId}`;
  const asked = await bank.ask('DELETE', path);
  expect([asked.status, Object.keys(asked.json._links)]).toEqual([
    202,
    ['scaRedirect', 'scaStatus', 'self', 'status'],
  ]);
  const status = async () => (await bank.ask('GET', `${path}/status`)).json.consentStatus as string;
  expect(await status()).toBe('valid');
  bank.bank.decide('refuse', consentId, 'redirect');
  expect(await status()).toBe('valid');
  expect((await bank.ask('DELETE', path)).status).toBe(202);
  bank.bank.decide('approve', consentId, 'redirect');
  expect(await status()).toBe('terminatedByTpp');
  expect((await bank.ask('DELETE', path)).status).toBe(204);
});

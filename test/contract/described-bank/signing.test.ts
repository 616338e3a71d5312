// The bank inside as the description of ING has it: what is signed is written here by hand, from what is known of that bank and
// from draft-cavage-http-signatures-10.
import { createHash, createSign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeOf, describedBanks } from '../../helpers/described-bank.ts';

const describedBank = describedBanks();

const signing = {
  carrier: 'Authorization',
  requestTarget: true,
  date: { sign: true },
  digest: { emptyBody: 'empty' },
  headers: ['digest', 'x-request-id'],
};

it('signing covers method and path, Date and Digest, in Authorization or beside a token that names the key', async () => {
  const operations = { getConsentStatus: 'clientCredentials' };
  const bank = await describedBank({ signing, auth: { clientId: 'tokenReply', operations } });
  const certificate = new X509Certificate(readFileSync(bank.bank.certificatePath));
  const key = readFileSync(bank.bank.keyPath);
  const path = '/v1/consents/c-1/status';
  const digest = `SHA-256=${createHash('sha256').update('').digest('base64')}`;
  const date = new Date().toUTCString();
  const id = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
  // RFC 2253: the last attribute first.
  const issuer = certificate.issuer.split('\n').reverse().join(',').replaceAll(' ', '%20');

  const ask = async (
    {
      names = ['(request-target)', 'date', 'digest', 'x-request-id'],
      keyId = `SN=${BigInt(`0x${certificate.serialNumber}`).toString(16)},CA=${issuer}`,
      target = `get ${path}`,
    } = {},
    bearer?: string,
  ) => {
    const values: Record<string, string> = { '(request-target)': target, date, digest, 'x-request-id': id };
    const text = names.map((name) => `${name}: ${values[name] ?? ''}`).join('\n');
    const signature = createSign('sha256').update(text).sign(key, 'base64');
    const written = `keyId="${keyId}",algorithm="ecdsa-sha256",headers="${names.join(' ')}",signature="${signature}"`;
    return bank.ask('GET', path, {
      headers: {
        ...{ Date: date, Digest: digest, 'X-Request-ID': id },
        'TPP-Signature-Certificate': certificate.raw.toString('base64'),
        ...(bearer === undefined
          ? { Authorization: `Signature ${written}` }
          : { Authorization: `Bearer ${bearer}`, Signature: written }),
      },
    });
  };
  // The signature is right: what is missing is the token of the TPP.
  expect(codeOf(await ask())).toEqual([401, 'TOKEN_UNKNOWN']);
  const wrong = [
    { names: ['date', 'digest', 'x-request-id'] },
    { names: ['(request-target)', 'digest', 'x-request-id'] },
    { target: `post ${path}` },
    { target: 'get /v1/consents/c-2/status' },
  ];
  for (const one of wrong) expect([one, codeOf(await ask(one))]).toEqual([one, [401, 'SIGNATURE_INVALID']]);

  const got = await bank.ask('POST', '/oauth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=PSDDE-BAFIN-999999',
  });
  const { access_token, client_id } = got.json as { access_token: string; client_id: string };
  expect(codeOf(await ask({}, access_token))).toEqual([401, 'SIGNATURE_INVALID']);
  expect(codeOf(await ask({ keyId: client_id }, access_token))).toEqual([403, 'CONSENT_UNKNOWN']);
});

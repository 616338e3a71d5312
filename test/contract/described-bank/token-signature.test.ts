// The bank inside as the description of ING has it, where it is asked for tokens: what is signed is written here by hand, from what is
// known of that bank and from draft-cavage-http-signatures-10.
import { createHash, createSign, randomBytes, randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describedBanks } from '../../helpers/described-bank.ts';

const describedBank = describedBanks();
const back = 'http://127.0.0.1:1/back';

it('auth.token.signed gives no token without a signature, first of the certificate and then of the name in the reply', async () => {
  const bank = await describedBank({
    signing: {
      ...{ carrier: 'Authorization', requestTarget: true, date: { sign: true } },
      ...{ digest: { emptyBody: 'empty' }, headers: ['digest', 'x-request-id'] },
    },
    auth: {
      ...{ clientId: 'tokenReply', token: { signed: true } },
      operations: { initiatePayment: 'clientCredentials', getAccountList: 'preStep' },
    },
  });
  const certificate = new X509Certificate(readFileSync(bank.bank.certificatePath));
  const key = readFileSync(bank.bank.keyPath);
  const issuer = certificate.issuer.split('\n').reverse().join(',').replaceAll(' ', '%20');
  const ofCertificate = `SN=${BigInt(`0x${certificate.serialNumber}`).toString(16)},CA=${issuer}`;

  const ask = async (
    grant: Record<string, string>,
    { keyId = ofCertificate, target = 'post /oauth/token', signedBody = '', isSigned = true } = {},
  ) => {
    const body = new URLSearchParams(grant).toString();
    const digest = `SHA-256=${createHash('sha256')
      .update(signedBody || body)
      .digest('base64')}`;
    const [date, id] = [new Date().toUTCString(), randomUUID()];
    const text = `(request-target): ${target}\ndate: ${date}\ndigest: ${digest}\nx-request-id: ${id}`;
    const signature = createSign('sha256').update(text).sign(key, 'base64');
    const names = '(request-target) date digest x-request-id';
    const written = `keyId="${keyId}",algorithm="ecdsa-sha256",headers="${names}",signature="${signature}"`;
    const { status, json } = await bank.ask('POST', '/oauth/token', {
      headers: {
        ...{ 'Content-Type': 'application/x-www-form-urlencoded', 'X-Request-ID': id },
        ...(isSigned && {
          ...{ Date: date, Digest: digest, Authorization: `Signature ${written}` },
          'TPP-Signature-Certificate': certificate.raw.toString('base64'),
        }),
      },
      body,
    });
    const { error, client_id, access_token } = json as Record<string, string | undefined>;
    return { told: [status, error], client_id, access_token };
  };

  const own = { grant_type: 'client_credentials' };
  for (const wrong of [
    { isSigned: false },
    { target: 'post /oauth/other' },
    { signedBody: 'grant_type=refresh_token' },
    { keyId: 'SN=1,CA=CN=x' },
  ])
    expect([wrong, (await ask(own, wrong)).told]).toEqual([wrong, [401, 'invalid_client']]);
  expect((await ask({ ...own, client_id: 'PSDDE-BAFIN-1' })).told).toEqual([401, 'invalid_client']);
  // The certificate says who it is; nothing else has to.
  const { told, client_id = '' } = await ask(own);
  expect(told).toEqual([200, undefined]);

  const verifier = randomBytes(32).toString('base64url');
  const page = (id: string) =>
    `/oauth/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: id, scope: 'PIS AIS', state: 's-1', redirect_uri: back },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString()}`;
  const refused = await bank.ask('GET', page('PSDDE-BAFIN-999999'));
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('the reply of a token')]);
  const { redirectedTo = '' } = bank.bank.decide('approve', bank.bank.baseUrl + page(client_id), 'redirect');
  const code = new URL(redirectedTo).searchParams.get('code') ?? '';
  const redeem = {
    ...{ grant_type: 'authorization_code', client_id, code, redirect_uri: back, code_verifier: verifier },
  };
  expect((await ask(redeem)).told).toEqual([401, 'invalid_client']);
  const login = await ask(redeem, { keyId: client_id });
  expect(login.told).toEqual([200, undefined]);
});

import { describe, expect, it } from 'vitest';
import {
  isSecretHeader,
  redactGrant,
  redactHeaders,
  redactText,
  redactUrl,
} from '../../../../src/client/redaction/redact.ts';
import { soundsSecret } from '../../../../src/base/redaction/secret-names.ts';

const canary = 'c4n4ry-t0k3n-0123';

describe('a token in an answer of any form', () => {
  it.each([
    `access_token=${canary}&token_type=bearer`,
    `token_type=bearer&refresh_token=${canary}`,
    `<r><access_token>${canary}</access_token></r>`,
    `<?xml version="1.0"?><o:r xmlns:o="x"><o:AccessToken type="b">${canary}</o:AccessToken></o:r>`,
    `<r token="${canary}"/>`,
    `<r client-secret='${canary}'/>`,
    `{"data":{"token":{"value":"${canary}","kind":"b"},"x":1}}`,
    `{"tokens":["${canary}"]}`,
    `{"accessToken":"${canary}"}`,
    `{"clientSecret":"${canary}","client_secret":"${canary}"}`,
    `{"X-IBM-Client-Secret":"${canary}"}`,
    `{"a":"{\\"access_token\\":\\"${canary}\\",\\"x\\":1}"}`,
    `{"a":"{\\"token\\":{\\"v\\":\\"${canary}\\"}}"}`,
    `{"credentials":{"a":["${canary}"]}`,
    `{"password":"a\\"${canary}"}`,
    `{"pass\\u0077ord":"${canary}"}`,
    `{"a":"{\\"pass\\\\u0077ord\\":\\"${canary}\\"}"}`,
    `--B\r\nContent-Disposition: form-data; name="password"\r\n\r\n${canary}\r\n--B--\r\n`,
    `--B\nContent-Disposition: form-data; name=otp; x=y\nContent-Type: text/plain\n\n${canary}\n--B--\n`,
    `--B\r\nContent-Disposition: form-data; name="f"\r\n\r\n<a><password>${canary}</password></a>\r\n--B--\r\n`,
    `--B\r\nContent-Disposition: form-data; name="f"\r\n\r\n{"password":"${canary}"}\r\n--B--\r\n`,
    `{"remark":"eyJhbGciOiJSUzI1NiJ9.${canary}.sig"}`,
    `Bearer eyJhbGciOiJSUzI1NiJ9.${canary}.`,
    `{"remark":"-----BEGIN RSA PRIVATE KEY-----\\n${canary}\\n-----END RSA PRIVATE KEY-----"}`,
    `see https://user:${canary}@bank.example/x`,
  ])('is cut: %s', (text) => {
    expect(redactText(text)).not.toContain(canary);
    expect(redactText(text)).toContain('[secret]');
  });

  const names =
    'password passwd pwd passphrase pass_phrase pass-code passcode secret token tokens apikey accessKey subscription-key private_key gatewaykey signingKey ' +
    'assertion scaAuthenticationData authentication_data confirmationCode confirmation-code code_verifier credential credentials pin otp TAN jwt _otp authorization cookie sessionId ' +
    'session bearer otpCode sms_code security-code device_code cvv cvc2 x-otp X-PIN';
  it.each(names.split(' '))('is cut under %s, in any form of text', (name) => {
    for (const text of [
      `{"${name}":"${canary}"}`,
      `{"a":"{\\"${name}\\":\\"${canary}\\"}"}`,
      `<r><${name}>${canary}</${name}></r>`,
      `<r xmlns:o="x"><o:${name}>${canary}</o:${name}></r>`,
      `<r ${name}="${canary}"/>`,
      `${name}=${canary}`,
      `a=b&${name}=${canary}&c=d`,
    ])
      expect(redactText(text), text).not.toContain(canary);
  });

  it.each(['code', 'state'])('is cut as the %s of a form', (name) => {
    expect(redactText(`${name}=${canary}`)).not.toContain(canary);
    expect(redactText(`a=b&${name}=${canary}`)).not.toContain(canary);
  });

  it.each([
    `https://b/x?token=${canary}`,
    `https://b/x?a=b&API_KEY=${canary}&c=d`,
    `https://b/x?sig=${canary}`,
    `https://b/x?X-Amz-Signature=${canary}`,
    `https://b/x#id_token=${canary}`,
    `https://b/x?odd=eyJhbGciOiJSUzI1NiJ9.${canary}.sig`,
    `https://b/x?to=https%3A%2F%2Fc%2F%3Fa%3Db%26token%3D${canary}&c=d`,
    `https://b/x?to=https%3A%2F%2Fc%2F%3Fpassword%3D${canary}%26c%3Dd`,
    `https://b/x?to=https%3A%2F%2Fme%3A${canary}%40c%2F`,
    `https://me:${canary}@b/x`,
  ])('is cut in the parameters of an address: %s', (url) => {
    expect(redactUrl(url)).not.toContain(canary);
    expect(redactUrl(url)).toContain('[secret]');
    if (url.includes('d', url.indexOf(canary) + canary.length))
      expect(redactUrl(url)).toMatch(/(?:&c=|%26c%3D)d$/);
  });

  it.each([
    'eyJhbGciOiJSUzI1NiJ9..c2lnbmF0dXJl',
    '-----BEGIN CERTIFICATE-----\nabcd\n-----END CERTIFICATE-----',
    'https://b/x?page=2&dateFrom=2026-01-01&bookingStatus=both',
    'https://b/x?pageToken=abc&withBalance=true',
    '2026-01-01T10:00:00Z http://127.0.0.1:8080/v1 a@b.example',
    '--B\r\nContent-Disposition: form-data; name="xml_sct"\r\n\r\n<a/>\r\n--B--\r\n',
  ])('is not found in %j, which stays as it is', (text) => {
    expect(redactText(text)).toBe(text);
    expect(redactUrl(text)).toBe(text);
  });

  it('is cut so that a run can be resumed from the JSON', () => {
    const answer = {
      paymentId: 'p-1',
      transactionStatus: 'RCVD',
      token: { value: canary, list: [{ a: '}' }] },
      _links: { scaRedirect: { href: 'https://b/x?token=keep-this&state=s' } },
      tokenType: 'x',
    };
    const read = JSON.parse(redactText(JSON.stringify(answer))) as typeof answer;
    expect(read).toEqual({ ...answer, token: '[secret]' });
  });

  it('is cut in a short time', () => {
    const text = `{"token":${'['.repeat(200_000)}`;
    // Time on a core: how long the machine lets it wait for one is another thing.
    const start = process.cpuUsage();
    redactText(text);
    redactText(`"${'\\'.repeat(200_000)}`);
    redactText(`{"token":"${'\\\\'.repeat(200_000)}`);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(5_000);
  });
});

describe('the answer of an OAuth server', () => {
  it.each([
    `tok=${canary}`,
    `<x>${canary}</x>`,
    `{"d":{"at":"${canary}"}}`,
    canary,
    `{"access_token":{"x":"${canary}"}}`,
    `{"access_token":"x","error":["${canary}"]}`,
    `"${canary}"`,
    `["access_token"]`,
    '{"expires_in":1}',
    'null',
    '7',
  ])('is cut as a whole where it is not understood: %s', (text) => {
    expect(redactGrant(text)).toBe('[secret]');
  });

  it('is cut as a whole, and not read to its end, where it has countless values', () => {
    const members = Array.from({ length: 300_000 }, (_, at) => `"m${at}":1`);
    expect(redactGrant(`{"access_token":"${canary}",${members.join()}}`)).toBe('[secret]');
  });

  it('keeps what is not secret where it is understood', () => {
    expect(redactGrant(`{"access_token":"${canary}","token_type":"bearer"}`)).toBe(
      '{"access_token":"[secret]","token_type":"bearer"}',
    );
    expect(redactGrant('{"error":"invalid_grant"}')).toBe('{"error":"invalid_grant"}');
    expect(redactGrant('{"access_token":null,"expires_in":1}')).toBe('{"access_token":null,"expires_in":1}');
  });

  it.each(['', ' ', '\n'])('stays empty where it is: %j', (text) => {
    expect(redactGrant(text)).toBe(text);
  });
});

describe('the name of a member or header', () => {
  it.each([
    'X-IBM-Client-Secret',
    'Ocp-Apim-Subscription-Key',
    'X-API-Key',
    'X-Auth-Token',
    'X-Gateway-Key',
    'Client_Secret',
  ])('makes the header %s secret', (name) => {
    expect(isSecretHeader(name)).toBe(true);
    expect(redactHeaders([[name, canary]])).toEqual([[name, '[secret]']]);
  });

  it.each([
    'X-IBM-Client-Id',
    'Idempotency-Key',
    'TPP-Signature-Certificate',
    'Consent-ID',
    'ASPSP-SCA-Approach',
  ])('does not make the header %s secret', (name) => {
    expect(isSecretHeader(name)).toBe(false);
  });

  it.each(['token_type', 'token_endpoint', 'passwordHint', 'otpFormat', 'key', 'mandateId', 'paymentId'])(
    'does not make %s secret',
    (name) => {
      expect(soundsSecret(name)).toBe(false);
    },
  );
});

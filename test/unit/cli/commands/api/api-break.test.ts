import { verify, X509Certificate } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTpp } from '../../../../helpers/tpp.ts';
import type { Tpp } from '../../../../helpers/tpp.ts';

let tpp: Tpp;
beforeAll(async () => {
  tpp = await startTpp('v1');
});
afterAll(() => tpp.close());

const read = ['api', 'GET', 'v1/consents/none/status'];
interface Refused {
  error: { code: string; exitCode: number; tppMessages: { code: string }[] };
}

describe('a request that is wrong on purpose', () => {
  // Protocol, section 4.6.
  it.each([
    ['digest', 'SIGNATURE_INVALID', 3],
    ['signature', 'SIGNATURE_INVALID', 3],
    ['no-signature', 'SIGNATURE_MISSING', 3],
    ['no-request-id', 'FORMAT_ERROR', 5],
    ['header:TPP-Signature-Certificate', 'CERTIFICATE_MISSING', 3],
    ['header:digest', 'SIGNATURE_INVALID', 3],
    ['expired-cert', 'CERTIFICATE_EXPIRED', 3],
  ])('--break %s is answered %s', async (way, bankCode, exit) => {
    const { code, stderr } = await tpp.run([...read, '--break', way]);
    const { error } = JSON.parse(/^\{"error".*$/m.exec(stderr)?.[0] ?? '') as Refused;
    expect([code, error.tppMessages.map((message) => message.code)]).toEqual([exit, [bankCode]]);
    expect(stderr).toContain('wrong on purpose');
  });

  it('is wrong in a dry run too, and nowhere else', async () => {
    const headers = async (...more: string[]) => {
      const { document } = await tpp.run([...read, '--dry-run', ...more]);
      return (document.headers as { name: string }[]).map(({ name }) => name);
    };
    const whole = await headers();
    expect(whole).toEqual(expect.arrayContaining(['X-Request-ID', 'Digest', 'Signature']));
    expect(await headers('--break', 'no-request-id', '--break', 'no-signature')).toEqual(
      whole.filter((name) => name !== 'X-Request-ID' && name !== 'Signature'),
    );
  });

  it('is refused for production, and where the way is none', async () => {
    await tpp.run(['profile', 'edit', 'tpp', '--environment', 'production']);
    expect(await tpp.run([...read, '--break', 'digest'])).toMatchObject({ code: 2 });
    await tpp.run(['profile', 'edit', 'tpp', '--environment', 'sandbox']);
    expect(await tpp.run([...read, '--break', 'everything'])).toMatchObject({ code: 2 });
    expect(await tpp.run([...read, '--break', 'header:a b'])).toMatchObject({ code: 2 });
  });
});

describe('a certificate that has expired', () => {
  const expired = [...read, '--break', 'expired-cert', '--dry-run', '--profile'];
  const order = ['--type', 'qsealc', '--key-type', 'ec-p256', '--org-id', 'PSDDE-BAFIN-123456'];

  /** Until when the certificate of the request is valid, and whether its signature is right. */
  async function sent(profile: string): Promise<{ notAfter: Date; signed: boolean }> {
    const { document, code, stderr } = await tpp.run([...expired, profile]);
    expect(code, stderr).toBe(0);
    const { headers, signingString, signature } = document as {
      headers: { name: string; value: string }[];
      signingString: string;
      signature: string;
    };
    const base64 = headers.find(({ name }) => name === 'TPP-Signature-Certificate')?.value ?? '';
    const { validTo, publicKey } = new X509Certificate(Buffer.from(base64, 'base64'));
    const bytes = Buffer.from(signingString);
    const signed = verify('sha256', bytes, publicKey, Buffer.from(signature, 'base64'));
    return { notAfter: new Date(validTo), signed };
  }

  it('is issued by the test authority beside that of the profile', async () => {
    await tpp.run(['cert', 'create', ...order, '--dir', 'made']);
    const files = ['--certificate', 'made/qsealc.pem', '--key', 'made/qsealc-key.pem'];
    await tpp.run(['profile', 'create', 'made', '--base-url', tpp.bank.baseUrl, ...files]);
    const { notAfter, signed } = await sent('made');
    expect(signed).toBe(true);
    expect(notAfter.getTime()).toBeLessThan(Date.now());
  });

  it('is nowhere where there is no authority, and of no use without signatures', async () => {
    await tpp.run(['cert', 'create', ...order, '--dir', 'alone']);
    for (const name of ['ca.pem', 'ca-key.pem']) rmSync(join(tpp.env['HOME'] ?? '', 'alone', name));
    const files = ['--certificate', 'alone/qsealc.pem', '--key', 'alone/qsealc-key.pem'];
    await tpp.run(['profile', 'create', 'alone', '--base-url', tpp.bank.baseUrl, ...files]);
    expect(await tpp.run([...expired, 'alone'])).toMatchObject({ code: 3, document: {} });
    await tpp.run(['profile', 'edit', 'alone', '--signing', 'none']);
    const { code, stderr } = await tpp.run([...expired, 'alone']);
    expect(code).toBe(3);
    expect(stderr).toContain('not signed');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTpp } from '../../helpers/tpp.ts';
import type { Tpp } from '../../helpers/tpp.ts';

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

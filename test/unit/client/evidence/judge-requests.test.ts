import { beforeAll, describe, expect, it } from 'vitest';
import { judgeRequests } from '../../../../src/client/evidence/judge-requests.ts';
import type { JudgingOptions } from '../../../../src/client/evidence/judge-requests.ts';
import { Dice } from '../../../helpers/dice.ts';
import { rightDay, rightRequest } from '../../../helpers/right-requests.ts';
import type { RightRequest } from '../../../helpers/right-requests.ts';
import { signed } from '../../../helpers/signed-by-hand.ts';
import type { Seal } from '../../../helpers/signed-by-hand.ts';
import { makeSeals } from '../../referee/seals.ts';

let seal: Seal;
beforeAll(async () => {
  seal = (await makeSeals()).seals.ec;
});

/** Judges a file with this content. */
async function judge(content: string | Uint8Array, options: JudgingOptions = {}) {
  const files = { read: () => Promise.resolve(Buffer.from(content)) };
  const ports = { files, clock: { now: () => rightDay } } as unknown as Parameters<typeof judgeRequests>[0];
  return judgeRequests(ports, 'request', options);
}

/** Rule and pointer of each finding of each request. */
const briefly = async (content: string | Uint8Array, options?: JudgingOptions) =>
  (await judge(content, options)).map(({ findings }) =>
    findings.map(({ rule, pointer }) => `${rule} ${pointer}`.trim()),
  );

function payment(change: (request: RightRequest) => void = () => undefined): RightRequest {
  const dice = new Dice(4);
  let made = rightRequest(dice, '1.3.6', 'initiatePayment');
  while (!made.target.endsWith('/payments/sepa-credit-transfers'))
    made = rightRequest(dice, '1.3.6', 'initiatePayment');
  change(made);
  return signed(made, seal);
}

const head = ({ method, target, headers }: RightRequest) =>
  [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
const http = (request: RightRequest) =>
  `${head(request)}\r\nContent-Length: ${String(request.body.length)}\r\n\r\n${request.body.toString()}`;
const curl = ({ method, target, headers, body }: RightRequest) =>
  [
    `curl -X ${method} 'https://bank.example/psd2${target}'`,
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    `--data-raw '${body.toString().replaceAll("'", "'\\''")}'`,
  ].join(' \\\n  ');
const entry = ({ method, target, headers, body }: RightRequest) => ({
  startedDateTime: rightDay.toISOString(),
  request: {
    method,
    url: `https://bank.example${target}`,
    headers: headers.map(([name, value]) => ({ name, value })),
    postData: { mimeType: 'application/json', text: body.toString() },
  },
});
const har = (...requests: RightRequest[]) => JSON.stringify({ log: { entries: requests.map(entry) } });

describe('a right request', () => {
  it.each([
    ['raw HTTP', http],
    ['a curl command', curl],
    ['HAR', har],
  ])('has no finding as %s', async (_form, write) => {
    const [judged] = await judge(write(payment()));
    expect(judged).toMatchObject({
      operation: 'initiatePayment',
      framework: '1.3.6',
      findings: [],
      entry: 1,
    });
    expect(judged?.notTested).toEqual(['the issuer of the certificate']);
  });

  it('is judged by its headers, with the signature over them, where its body is missing', async () => {
    const [judged] = await judge(head(payment()));
    expect(judged?.findings).toEqual([]);
    expect(judged?.notTested).toEqual([
      'the body',
      'whether Digest is that of the body',
      'the issuer of the certificate',
    ]);
    const forged = payment();
    forged.headers = forged.headers.map(([name, value]) => [
      name,
      name === 'X-Request-ID' ? '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' : value,
    ]);
    expect(await briefly(head(forged))).toEqual([['signature-wrong Signature']]);
  });

  it('is judged behind any base path, and by the framework that is given', async () => {
    const request = payment();
    const elsewhere = http({ ...request, target: request.target.replace('/v136', '/gateway/xs2a/v1') });
    expect((await judge(elsewhere, { framework: '1.3.6' }))[0]).toMatchObject({
      findings: [],
      framework: '1.3.6',
    });
    expect((await judge(elsewhere))[0]).toMatchObject({ framework: '1.3.2' });
  });
});

it('a request to an OAuth server among others is not tested', async () => {
  const token = payment((request) => {
    request.target = '/oauth/token';
  });
  const [first, second] = await judge(har(payment(), token));
  expect([first?.findings, second?.findings]).toEqual([[], []]);
  expect(second?.notTested).toEqual(['the request, whose path is none of the interface']);
  expect(await briefly(http(token))).toEqual([['path-prefix /oauth']]);
});

describe('a wrong request', () => {
  it('is found in each form, and in a HAR by its number', async () => {
    const wrong = payment((request) => {
      request.headers = request.headers.filter(([name]) => name !== 'PSU-IP-Address');
    });
    const expected = ['header-missing PSU-IP-Address'];
    expect(await briefly(http(wrong))).toEqual([expected]);
    expect(await briefly(curl(wrong))).toEqual([expected]);
    expect(await briefly(har(payment(), wrong, payment()))).toEqual([[], expected, []]);
  });

  it('has the Content-Type that curl sends by itself where it is a curl command', async () => {
    const line =
      "curl https://b.example/v1/consents -H 'X-Request-ID: 99391c7e-ad88-49ec-a2ad-99ddcb1f7721' -d '{}'";
    expect(await briefly(line)).toEqual([['content-type Content-Type']]);
  });

  it('is never run where it is a curl command, and its files are never read', async () => {
    const line =
      'curl https://b.example/v1/consents -H "X-Request-ID: $(touch /tmp/never)" -H \'Content-Type: application/json\' -d @/etc/passwd';
    const [judged] = await judge(line);
    expect(judged?.findings.map(({ rule }) => rule)).toEqual(['header-form']);
    expect(judged?.notTested).toEqual(['the body']);
  });

  it('lacks its signature where the bank requires one', async () => {
    const bare = payment();
    bare.headers = bare.headers.filter(
      ([name]) => !/^(Digest|Signature|TPP-Signature-Certificate)$/.test(name),
    );
    expect(await briefly(http(bare))).toEqual([[]]);
    expect(await briefly(http(bare), { needsSignature: true })).toEqual([['signature-missing Signature']]);
  });

  it('is not taken for one without a body where it has a Content-Length and no body', async () => {
    const text = `${head(payment())}\r\nContent-Length: 300\r\n\r\n`;
    expect((await judge(text))[0]?.notTested).toContain('the body');
  });

  it.each(['', 'no request', '{}', '[1]', "curl 'unclosed", 'GET\u0000 / HTTP/1.1'])(
    'is refused where it is not a request: %j',
    async (text) => {
      await expect(judge(text)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    },
  );
});

describe('a log that masks values', () => {
  const masked = (of: RegExp, by: string) => {
    const made = payment();
    return { ...made, body: Buffer.from(made.body.toString().replaceAll(of, by)) };
  };
  const ibans = /(?<="iban":\s*")[^"]*(?=")/g;

  it.each([['DE89…3000'], ['DE89************3000'], ['[redacted]'], ['<masked>']])(
    'causes no finding on the account and the digest where it shows %s for an account',
    async (by) => {
      const [judged] = await judge(har(masked(ibans, by)), { needsSignature: true });
      expect(judged?.findings).toEqual([]);
      expect(judged?.notTested).toContain('the digest, and the values that are masked');
    },
  );

  it('still shows the other mistakes', async () => {
    const made = masked(ibans, 'DE89…3000');
    const body = Buffer.from(made.body.toString().replace(/"amount":\s*"[^"]*"/, '"amount":"12,50"'));
    expect(await briefly(har({ ...made, body }))).toEqual([
      [expect.stringMatching(/ \/instructedAmount\/amount$/)],
    ]);
  });

  it('is distinguished from one that masks nothing, whose digest is judged', async () => {
    expect(await briefly(har(masked(ibans, 'FR7630006000011234567890189')))).toEqual([
      [expect.stringMatching(/^digest-wrong /)],
    ]);
  });
});

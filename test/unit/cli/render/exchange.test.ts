import { readCapture } from '../../../../src/client/evidence/captured-request.ts';
import { describe, expect, it } from 'vitest';
import { dryRunDocument, dryRunText, exchangeText, partsAt } from '../../../../src/cli/render/exchange.ts';
import type { ExchangeView } from '../../../../src/settings/records/exchange.ts';

const requestId = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';

const exchange: ExchangeView = {
  at: '2026-11-21T10:00:00.000Z',
  operation: 'initiatePayment',
  method: 'POST',
  url: 'https://api.bank.example/psd2/v1/payments/sepa-credit-transfers?x=1',
  requestId,
  request: {
    headers: [
      { name: 'X-Request-ID', value: requestId },
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Authorization', value: '[secret]' },
    ],
    body: '{"instructedAmount":{"currency":"EUR","amount":"1.00"}}',
    bodySha256: 'ab12',
    digest: 'SHA-256=qxI=',
    signingString: `digest: SHA-256=qxI=\nx-request-id: ${requestId}`,
    signature: 'c2lnbg==',
  },
  outcome: 'DONE',
  durationMs: 132,
  answer: {
    status: 201,
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'ASPSP-SCA-Approach', value: 'EMBEDDED' },
    ],
    body: '{"transactionStatus":"RCVD",\n"paymentId":"p-1"}',
    messages: [],
    tls: { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', peer: 'CN=api.bank.example' },
  },
};

const headline = `POST /psd2/v1/payments/sepa-credit-transfers?x=1 → 201 · 132 ms · request ${requestId}`;

describe('an exchange as text', () => {
  it.each([
    ['H', ['> POST', '> X-Request-ID', '> Content-Type', '> Authorization']],
    ['B', ['>', '> {"instructedAmount"']],
    ['h', ['< 201', '< Content-Type', '< ASPSP-SCA-Approach']],
    ['b', ['<', '< {"transactionStatus"', '< "paymentId"']],
    ['m', ['* TLS', '* signing string', '  digest', '  x-request-id']],
    ['bH', ['> POST', '> X-Request-ID', '> Content-Type', '> Authorization', '<', '< {"trans', '< "paym']],
  ])('shows with --print %s only that', (parts, begins) => {
    const [first, ...lines] = exchangeText(exchange, parts).split('\n');
    expect(first).toBe(headline);
    expect(lines).toHaveLength(begins.length);
    for (const [at, begin] of begins.entries()) expect(lines[at]!.startsWith(begin), lines[at]).toBe(true);
  });

  it('is one line at -v', () => {
    expect(exchangeText(exchange, partsAt(1))).toBe(headline);
  });

  it('adds the headers at -vv', () => {
    expect(exchangeText(exchange, partsAt(2)).split('\n')).toEqual([
      headline,
      '> POST https://api.bank.example/psd2/v1/payments/sepa-credit-transfers?x=1',
      `> X-Request-ID: ${requestId}`,
      '> Content-Type: application/json',
      '> Authorization: [secret]',
      '< 201',
      '< Content-Type: application/json',
      '< ASPSP-SCA-Approach: EMBEDDED',
    ]);
  });

  it('adds bodies, signing string and TLS peer at -vvv', () => {
    expect(exchangeText(exchange, partsAt(3)).split('\n')).toEqual([
      headline,
      '* TLS: TLSv1.3 TLS_AES_256_GCM_SHA384, peer CN=api.bank.example',
      '* signing string:',
      '  digest: SHA-256=qxI=⏎',
      `  x-request-id: ${requestId}`,
      '> POST https://api.bank.example/psd2/v1/payments/sepa-credit-transfers?x=1',
      `> X-Request-ID: ${requestId}`,
      '> Content-Type: application/json',
      '> Authorization: [secret]',
      '>',
      '> {"instructedAmount":{"currency":"EUR","amount":"1.00"}}',
      '< 201',
      '< Content-Type: application/json',
      '< ASPSP-SCA-Approach: EMBEDDED',
      '<',
      '< {"transactionStatus":"RCVD",',
      '< "paymentId":"p-1"}',
    ]);
  });

  it.each<[string, Partial<ExchangeView>, string]>([
    [
      'a refusal names the codes',
      {
        outcome: 'REJECTED',
        answer: {
          status: 401,
          headers: [],
          body: '',
          messages: [{ category: 'ERROR', code: 'CONSENT_EXPIRED' }],
        },
      },
      '→ 401 CONSENT_EXPIRED ·',
    ],
    [
      'an answer that says nothing',
      { outcome: 'UNKNOWN', answer: { status: 500, headers: [], body: '', messages: [] } },
      '→ 500 (outcome unknown) ·',
    ],
    [
      'a lost answer',
      {
        outcome: 'UNKNOWN',
        answer: undefined,
        failure: { left: true, why: 'reset: connection lost' },
      },
      '→ no answer (outcome unknown): reset: connection lost ·',
    ],
    [
      'a bank that is down',
      { outcome: 'NOT_SENT', answer: undefined, failure: { left: false, why: 'connect: refused' } },
      '→ not sent: connect: refused ·',
    ],
    [
      'a truncated answer keeps what arrived',
      {
        outcome: 'UNKNOWN',
        answer: undefined,
        failure: {
          left: true,
          why: 'truncated: 10 of 20 bytes',
          status: 201,
          headers: [{ name: 'Location', value: '/v1/p/1' }],
        },
      },
      '\n< 201\n< Location: /v1/p/1',
    ],
    [
      'a settled one',
      { resolution: 'created (person): seen in the account' },
      '\n* settled: created (person)',
    ],
  ])('%s', (_, change, shown) => {
    expect(exchangeText({ ...exchange, ...change }, partsAt(2))).toContain(shown);
  });

  it('ends a very long body with what is left out', () => {
    const text = exchangeText(
      { ...exchange, answer: { ...exchange.answer!, body: 'x'.repeat(20_007) } },
      partsAt(3),
    );
    expect(text.endsWith('\n* 7 more characters')).toBe(true);
    expect(text.length).toBeLessThan(22_000);
  });
});

describe('foreign text', () => {
  const nasty = 'a\u001b]52;c;aGk=\u0007b\u202ec\rd\u009b2Je';
  const dirty: ExchangeView = {
    ...exchange,
    url: `https://bank.example/${nasty}`,
    requestId: nasty,
    request: {
      ...exchange.request,
      headers: [{ name: 'X', value: nasty }],
      body: nasty,
      signingString: nasty,
      digest: nasty,
      signature: nasty,
    },
    answer: {
      status: 400,
      headers: [{ name: nasty, value: nasty }],
      body: nasty,
      messages: [{ category: 'ERROR', code: nasty }],
      tls: { protocol: nasty, cipher: nasty, peer: nasty },
    },
    resolution: nasty,
  };
  // eslint-disable-next-line no-control-regex
  const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

  it.each([
    ['-v', () => exchangeText(dirty, partsAt(1))],
    ['-vv', () => exchangeText(dirty, partsAt(2))],
    ['-vvv', () => exchangeText(dirty, partsAt(3))],
    [
      'a failure',
      () => exchangeText({ ...dirty, failure: { left: true, why: nasty }, answer: undefined }, partsAt(3)),
    ],
    ['a dry run', () => dryRunText(dryRunDocument(dirty, `curl '${nasty}'`))],
  ])('is cleaned in %s', (_, make) => {
    const text = make();
    expect(text).toContain('a\\x1b]52');
    expect(text).not.toMatch(control);
  });

  it('cannot forge lines of a trace in headers', () => {
    const forged = {
      ...exchange,
      request: { ...exchange.request, headers: [{ name: 'X', value: 'a\n< 200' }] },
    };
    expect(exchangeText(forged, partsAt(2))).toContain('> X: a⏎< 200');
  });
});

describe('a dry run', () => {
  it('is a document with everything that was signed', () => {
    const { headers, body, ...signed } = exchange.request;
    expect(dryRunDocument(exchange)).toEqual({
      dryRun: true,
      method: 'POST',
      url: exchange.url,
      requestId,
      headers,
      body,
      ...signed,
    });
    expect(dryRunDocument(exchange, 'curl …')).toMatchObject({ curl: 'curl …' });
  });

  it('is the request as text for a person', () => {
    expect(dryRunText(dryRunDocument(exchange, "curl 'https://x'"))).toBe(
      `POST ${exchange.url}
X-Request-ID: ${requestId}
Content-Type: application/json
Authorization: [secret]

{"instructedAmount":{"currency":"EUR","amount":"1.00"}}

Digest
SHA-256=qxI=

Signing string
  digest: SHA-256=qxI=⏎
  x-request-id: ${requestId}

Signature
c2lnbg==

curl
curl 'https://x'

Dry run: nothing was sent.`,
    );
  });

  it('leaves out what an unsigned request without body does not have', () => {
    const bare = {
      ...exchange,
      request: { ...exchange.request, body: '', digest: null, signingString: null, signature: null },
    };
    expect(dryRunText(dryRunDocument(bare)).split('\n').slice(4)).toEqual(['', 'Dry run: nothing was sent.']);
  });
});

describe('a name beyond ASCII', () => {
  const bytes = Buffer.from('Jiří Nový').toString('latin1');
  const ofJiri: ExchangeView = {
    ...exchange,
    request: {
      ...exchange.request,
      headers: [
        { name: 'PSU-ID', value: bytes },
        { name: 'Digest', value: 'SHA-256=qxI=' },
      ],
      signingString: `digest: SHA-256=qxI=\npsu-id: ${bytes}`,
    },
  };

  it('is shown to people as they write it, with a word on what is signed', () => {
    const dry = dryRunText(dryRunDocument(ofJiri));
    expect(dry).toContain('PSU-ID: Jiří Nový\n');
    expect(dry).toContain(
      '  digest: SHA-256=qxI=⏎\n  psu-id: Jiří Nový\n  (names are signed as the bytes of their UTF-8',
    );
    const shown = exchangeText(ofJiri, 'Hm');
    expect(shown).toContain('> PSU-ID: Jiří Nový');
    expect(shown).toContain('  psu-id: Jiří Nový');
    expect(dryRunText(dryRunDocument(exchange))).not.toContain('names are signed');
  });

  it('keeps its bytes for programs, and for whoever reads the text again', () => {
    const { headers, signingString } = dryRunDocument(ofJiri);
    expect(headers[0]?.value).toBe(bytes);
    expect(Buffer.from(signingString ?? '', 'latin1').toString('utf8')).toContain('psu-id: Jiří Nový');
    const read = readCapture(Buffer.from(`${dryRunText(dryRunDocument(ofJiri))}\n`));
    expect(read.headers[0]).toEqual(['PSU-ID', bytes]);
  });

  it('stays as it was sent where it is encoded or no UTF-8', () => {
    for (const value of ["UTF-8''Ji%C5%99%C3%AD", 'Zo\xeb']) {
      const headers = [{ name: 'PSU-ID', value }];
      expect(dryRunText(dryRunDocument({ ...ofJiri, request: { ...ofJiri.request, headers } }))).toContain(
        `PSU-ID: ${value}\n`,
      );
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { TransportReason } from '../../../../src/base/errors.ts';
import { judgeAltered, judgeAnswer } from '../../../../src/client/exchange/judge.ts';
import { Secret } from '../../../../src/base/secret.ts';
import type { OperationId } from '../../../../src/standard/xs2a/operations.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { asked, created, get, judge, location, lost, post, put, told } from '../verdicts.ts';
import type { Verdict } from '../../../../src/client/exchange/verdict.ts';
import type { Header } from '../../../../src/settings/records/wire.ts';

describe('the words of a verdict', () => {
  it.each<[string, () => Verdict, string]>([
    [
      'of a 2xx that cannot be read',
      () => judge(post, 201, '{', [location]),
      'The JSON cannot be read: it ends too early (line 1, column 2) (status 201, application/json): { (Location /v1/payments/p/42)',
    ],
    [
      'of a redirected write',
      () => judge(post, 307, '', [location]),
      'The bank answered 307 (Location /v1/payments/p/42).',
    ],
    [
      'of a redirected read',
      () => judge(get, 301, '', [location]),
      'The bank redirects the call elsewhere; obk does not follow. (Location /v1/payments/p/42)',
    ],
    [
      'of an answer cut off',
      () => lost(post, 'truncated', { status: 201, headers: [location] }),
      'the line broke (Location /v1/payments/p/42)',
    ],
  ])('keep the Location %s', (_, verdict, detail) => {
    expect(verdict()).toMatchObject({ error: { detail } });
  });

  it('state no more than is known where there is no Location', () => {
    expect(judge(post, 500)).toMatchObject({ error: { detail: 'The bank answered 500.' } });
    expect(lost(post, 'reset')).toMatchObject({ error: { detail: 'the line broke' } });
  });

  it('carry intent, request and resource of an unknown outcome', () => {
    expect(judge(post, 500)).toMatchObject({
      error: {
        intent: 'f'.repeat(64),
        requestId: '11111111-1111-4111-8111-111111111111',
        title: 'The request was sent; its outcome at the bank is unknown (initiatePayment).',
        operation: post,
        httpStatus: 500,
        resource: { paymentId: 'pay-1' },
        hint: ['Do not run this command again.', `obk pending show ${'f'.repeat(12)}`],
      },
    });
  });

  it('repeat what the bank said in a refusal, and what its code means', () => {
    const body = {
      tppMessages: [
        { category: 'WARNING', code: 'WARNING', text: 'old client' },
        { category: 'ERROR', code: 'PRODUCT_UNKNOWN', path: 'product', text: 'no such product' },
      ],
    };
    expect(judge(post, 404, body, [['Retry-After', '7']])).toMatchObject({
      error: {
        bankCode: 'PRODUCT_UNKNOWN',
        title: 'The bank refused the payment.',
        detail: 'The bank does not offer this payment product.',
        messages: body.tppMessages,
        retryAfter: '7',
        method: 'POST',
        path: '/v1/x',
        resource: { paymentId: 'pay-1' },
      },
    });
  });

  it.each([
    [401, 'The bank gave no code: the certificate, the signature or the token may be at fault.'],
    [404, 'The bank gave no code: it seems not to offer this here.'],
    [405, 'The bank gave no code: it seems not to offer this here.'],
    [429, 'Too many calls; this limit is not the one of the consent.'],
    [418, undefined],
  ])('explain a %i without a code as far as possible', (status, detail) => {
    const { error } = judge(get, status) as Extract<Verdict, { outcome: 'REJECTED' }>;
    expect(error.detail).toBe(detail);
  });

  it('suggest a wrong address for a 404 without a code, and not for one with a code', () => {
    const hint = ['obk doctor   # whether address and prefix are right'];
    for (const body of [undefined, 'There is nothing here.', '<html>no</html>'])
      expect(judge(post, 404, body)).toMatchObject({ error: { hint } });
    const coded = { tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN' }] };
    expect(judge(post, 404, coded)).toMatchObject({ error: { hint: [] } });
    expect(judge(post, 403)).toMatchObject({ error: { hint: [] } });
  });

  it('repeat a refusal in words without the marks of a web page', () => {
    const detail = 'Access denied';
    expect(judge(get, 403, detail)).toMatchObject({ error: { detail } });
    const page = `The answer is HTML, so it comes from a gateway or a web server before the interface: ${detail}`;
    for (const [body, ...headers] of [
      ['<html><body>Access <b>denied</b></body></html>'],
      ['<p>Access <b>denied</b></p>', ['Content-Type', 'text/html']],
    ] as [string, ...[string, string][]][])
      expect(judge(get, 403, body, headers)).toMatchObject({ error: { detail: page } });
  });

  it.each<[OperationId, string]>([
    [post, 'the payment'],
    ['getPaymentInitiationStatus', 'to show the payment'],
    ['cancelPayment', 'the cancellation'],
    ['startPaymentAuthorisation', 'the authorisation of the payment'],
    ['updatePaymentCancellationPsuData', 'the authorisation of the cancellation'],
    ['deleteConsent', 'to delete the consent'],
    ['createConsent', 'the consent'],
    ['createSigningBasket', 'the signing basket'],
    ['getBalances', 'the account access'],
    ['getCardAccountBalances', 'the card account access'],
    ['checkAvailabilityOfFunds', 'the funds confirmation'],
  ])('name for a refusal of %s what was refused: %s', (id, subject) => {
    expect(judge(id, 403)).toMatchObject({ error: { title: `The bank refused ${subject}.` } });
  });

  it.each<[OperationId, number, string, string, string | undefined]>([
    [post, 401, 'PSU_CREDENTIALS_INVALID', 'The bank did not accept the customer.', 'psu'],
    [post, 401, 'CORPORATE_ID_INVALID', 'The bank did not accept the company of the customer.', 'psu'],
    ['createConsent', 403, 'SERVICE_BLOCKED', 'The bank has blocked this service for the customer.', 'psu'],
    ['cancelPayment', 405, 'CANCELLATION_INVALID', 'The bank refused the cancellation.', 'cancellation'],
    ['updateConsentsPsuData', 400, 'SCA_INVALID', 'The authorisation of the consent has failed.', 'consent'],
    [
      'startSigningBasketAuthorisation',
      400,
      'SCA_INVALID',
      'The authorisation of the signing basket has failed.',
      'basket',
    ],
    [post, 400, 'FORMAT_ERROR', 'The bank refused the payment.', undefined],
  ])('explain for %s with %i %s what was refused', (id, status, code, title, refused) => {
    const tppMessages = [
      { category: 'ERROR', code: 'X-OWN' },
      { category: 'ERROR', code },
    ];
    expect(judge(id, status, { tppMessages })).toMatchObject({ error: { title, refused } });
  });

  it('do not call a failure of the bank a refusal', () => {
    expect(judge(get, 500)).toMatchObject({ error: { title: 'The bank could not handle the payment.' } });
  });

  it('are free of a secret that the bank repeats', () => {
    const token = new Secret('tok-c0ffee-and-more').reveal();
    const texts = [
      judge(post, 400, { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: `bad ${token}` }] }),
      judge(post, 400, `nobody knows ${token}`),
      judge(get, 200, `{"transactionStatus": ${token}`),
      judge(get, 302, '', [['Location', `https://bank.example/login?token=${token}`]]),
    ].map((verdict) => JSON.stringify(verdict));
    for (const text of texts) expect(text).toContain('[secret]');
    expect(texts.join('\n')).not.toContain(token);
  });

  it('do not blame the bank for a mistake of obk while it reads', () => {
    const aliases = {
      get self(): never {
        throw new TypeError('a bug');
      },
    };
    const body = Buffer.from(JSON.stringify({ ...created, _links: { self: { href: '/x' } } }));
    const headers: Header[] = [['Content-Type', 'application/json']];
    expect(() =>
      judgeAnswer({ ...asked(post), dialect: { aliases } }, { status: 201, headers, body }, presets.v1),
    ).toThrow('a bug');
  });
});

describe('an answer that is not as the bank sent it', () => {
  const why = 'the digest is wrong';
  const heard = { status: 201, headers: [location], body: Buffer.from('') };

  it('leaves a write unknown and keeps what the answer named', () => {
    const verdict = judge(post, 201, created);
    expect(judgeAltered(asked(post), verdict, heard, why)).toMatchObject({
      outcome: 'UNKNOWN',
      error: { detail: 'The digest is wrong (Location /v1/payments/p/42).', httpStatus: 201 },
      answer: { ids: { paymentId: 'p' } },
    });
  });

  it('leaves a write unknown also as a refusal, and there is nothing to keep', () => {
    const verdict = judgeAltered(asked(post), judge(post, 400), { ...heard, status: 400 }, why);
    expect(told(verdict)).toBe('UNKNOWN 12 OUTCOME_UNKNOWN');
    expect(verdict).not.toHaveProperty('answer');
  });

  it('does not answer a read, and the way out of a gateway is named', () => {
    const verdict = judge(get, 200, { transactionStatus: 'RCVD' });
    expect(judgeAltered(asked(get), verdict, { ...heard, status: 200 }, why)).toMatchObject({
      outcome: 'FAILED',
      error: {
        code: 'ANSWER_UNREADABLE',
        title: `The bank's answer to ${get} is not usable (200).`,
        detail: 'The digest is wrong.',
        hint: [
          'obk config set answers.digest warn   # where a gateway before the bank writes bodies anew',
          'obk log show @last -vvv',
        ],
      },
    });
  });

  it('keeps the payment of a partial answer', () => {
    expect(judge(post, 206, created)).toMatchObject({ answer: { ids: { paymentId: 'p' } } });
  });
});

describe('the words of a call without a complete answer', () => {
  it('name for an answer that is too large the flag for more only where the run has one', () => {
    const log = 'obk log show @last -vvv';
    const flag = '--max-size 4G   # more of one answer';
    expect(lost(get, 'too-large', { streams: true })).toMatchObject({ error: { hint: [flag, log] } });
    expect(lost(get, 'too-large')).toMatchObject({ error: { hint: [log] } });
    expect(lost(get, 'reset', { streams: true })).toMatchObject({ error: { hint: [log] } });
  });

  it('give for a read the status as far as it arrived, and the resource', () => {
    const resource = { paymentId: 'pay-1' };
    expect(lost(get, 'truncated', { status: 200 })).toMatchObject({
      error: {
        title: `The bank's answer to ${get} is not usable (200).`,
        detail: 'the line broke',
        resource,
      },
    });
    expect(lost(get, 'reset')).toMatchObject({
      error: { title: `The bank's answer to ${get} is not usable.`, resource },
    });
  });

  it('state for a call that never left that it did not, with the call and the resource', () => {
    expect(lost(put, 'dns', { sent: false })).toMatchObject({
      error: {
        title: 'The request was not sent.',
        detail: 'the line broke (PUT /v1/x)',
        resource: { paymentId: 'pay-1' },
      },
    });
  });

  const again = 'Nothing was sent: it is safe to run this again.';
  const address = 'obk profile show   # is the base URL right?';
  it.each<[TransportReason, string[], string[]]>([
    ['dns', [again], [address]],
    ['connect', [again], [address]],
    ['tls', [again], ['obk profile edit NAME --ca FILE   # a CA of the bank']],
    ['proxy', [again], []],
    ['timeout', [again], []],
    ['aborted', [], []],
  ])(
    'name for %s before the mark what helps, and a repetition only where nothing was made',
    (reason, first, hint) => {
      const better = ['ask the proxy'];
      for (const [made, safe] of [
        [true, []],
        [false, first],
      ] as const) {
        expect(lost(post, reason, { sent: false, made })).toMatchObject({
          error: { hint: [...safe, ...hint] },
        });
        const told = lost(post, reason, { sent: false, made, hint: better });
        expect(told).toMatchObject({ error: { hint: [...safe, ...better] } });
      }
    },
  );
});

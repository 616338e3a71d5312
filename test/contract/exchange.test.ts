import { describe, expect, it } from 'vitest';
import { checkAnswer, checkExchange, checkRequest, hasOfficialFiles } from '../helpers/contract.ts';
import type { Exchange } from '../helpers/contract.ts';
import { waivers } from '../helpers/contract-waivers.ts';
import { good, link, sms, tpp, v1, v136 } from './exchanges.ts';

const changed = (body: string, patch: object): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), ...patch });
const answer =
  (patch: object) =>
  (made: Exchange): Exchange => ({ ...made, responseBody: changed(made.responseBody as string, patch) });
const request =
  (patch: object) =>
  (made: Exchange): Exchange => ({ ...made, requestBody: changed(made.requestBody as string, patch) });
const answerHeader =
  (patch: object) =>
  (made: Exchange): Exchange => ({
    ...made,
    responseHeaders: { ...(made.responseHeaders as object), ...patch },
  });
const requestHeader =
  (patch: object) =>
  (made: Exchange): Exchange => ({
    ...made,
    requestHeaders: { ...(made.requestHeaders as object), ...patch },
  });
const without =
  (name: string, side: 'requestHeaders' | 'responseHeaders') =>
  (made: Exchange): Exchange => ({
    ...made,
    [side]: Object.fromEntries(Object.entries(made[side]).filter(([key]) => key !== name)),
  });

const by = (name: string): Exchange => good.find(([title]) => title === name)![2];

/** Faults planted into a good exchange: what the checker must say. */
const planted: [string, string, (made: Exchange) => Exchange, string, string][] = [
  [
    'a status out of the list',
    'a payment',
    answer({ transactionStatus: 'OKAY' }),
    '/transactionStatus',
    'enum',
  ],
  ['a missing member', 'a payment', answer({ paymentId: undefined }), '/paymentId', 'required'],
  ['a number for an id', 'a payment', answer({ paymentId: 7 }), '/paymentId', 'type'],
  ['a misspelt member', 'a payment', answer({ psuMesage: 'x' }), '/psuMesage', 'undeclared'],
  [
    'a misspelt link',
    'a payment',
    answer({ _links: link('startAuthorisationWithPsuIdentfication') }),
    '/_links/startAuthorisationWithPsuIdentfication',
    'link-name',
  ],
  ['a link as a string', 'a payment', answer({ _links: { self: '/x' } }), '/_links/self', 'type'],
  [
    'an amount with text around',
    'a payment',
    answer({ transactionFees: { currency: 'EUR', amount: 'abc-1.50xyz' } }),
    '/transactionFees/amount',
    'pattern',
  ],
  [
    'a number for an amount',
    'a payment',
    answer({ transactionFees: { currency: 'EUR', amount: 1.5 } }),
    '/transactionFees/amount',
    'type',
  ],
  ['no Location', 'a payment', without('Location', 'responseHeaders'), 'header Location', 'required'],
  [
    'no X-Request-ID',
    'a payment',
    without('X-Request-ID', 'responseHeaders'),
    'header X-Request-ID',
    'required',
  ],
  [
    'another X-Request-ID',
    'a payment',
    answerHeader({ 'X-Request-ID': '00000000-0000-4000-8000-000000000000' }),
    'header X-Request-ID',
    'echo',
  ],
  [
    'an approach of our own',
    'a payment',
    answerHeader({ 'ASPSP-SCA-Approach': 'OAUTH' }),
    'header ASPSP-SCA-Approach',
    'enum',
  ],
  ['200 for a creation', 'a payment', (made) => ({ ...made, status: 200 }), 'status', 'undeclared'],
  ['HTML', 'a payment', answerHeader({ 'Content-Type': 'text/html' }), 'header Content-Type', 'media'],
  ['broken JSON', 'a payment', (made) => ({ ...made, responseBody: '{"a":1,"a":2}' }), '', 'json'],
  ['no body', 'a status', (made) => ({ ...made, responseBody: '' }), 'body', 'required'],
  ['a body with 204', 'a cancellation', (made) => ({ ...made, responseBody: '{}' }), 'body', 'undeclared'],
  [
    'a body with 429 of a payment',
    'too many requests',
    (made) => ({ ...made, responseBody: '{}' }),
    'body',
    'undeclared-status-body',
  ],
  [
    'a header that is not declared',
    'a status',
    answerHeader({ Location: 'https://x.example/' }),
    'header Location',
    'undeclared',
  ],
  [
    'a wrong IBAN pattern',
    'a payment as stored',
    answer({ creditorAccount: { iban: '!!DE02100100109307118603##' } }),
    '/creditorAccount/iban',
    'pattern',
  ],
  [
    'an OTP answered as if a method was chosen',
    'an OTP',
    answer({ chosenScaMethod: sms }),
    '/chosenScaMethod',
    'undeclared',
  ],
  ['a code that nobody knows', 'a refusal', answer(tpp('NO_SUCH')), '/code', 'code'],
  ['a code with the wrong status', 'a refusal', answer(tpp('CONSENT_EXPIRED')), '/code', 'code'],
  ['a code of another service', 'a refusal', answer(tpp('ACCESS_EXCEEDED')), '/code', 'code'],
  ['an error without codes', 'a refusal', answer({ tppMessages: [] }), '/tppMessages', 'empty'],
  [
    'a message without category',
    'a refusal',
    answer({ tppMessages: [{ code: 'RESOURCE_UNKNOWN' }] }),
    '/tppMessages/0/category',
    'required',
  ],
  ['a boolean as a string', 'funds', answer({ fundsAvailable: 'true' }), '/fundsAvailable', 'type'],
  [
    'a request without PSU-IP-Address',
    'a payment',
    without('PSU-IP-Address', 'requestHeaders'),
    'header PSU-IP-Address',
    'required',
  ],
  [
    'a request without X-Request-ID',
    'a status',
    without('X-Request-ID', 'requestHeaders'),
    'header X-Request-ID',
    'required',
  ],
  [
    'a request id that is no UUID',
    'a status',
    requestHeader({ 'X-Request-ID': '1' }),
    'header X-Request-ID',
    'format',
  ],
  [
    'a header of another operation',
    'a status',
    requestHeader({ 'TPP-Redirect-URI': 'https://x.example/' }),
    'header tpp-redirect-uri',
    'undeclared',
  ],
  [
    'challenge data as a text',
    'a choice of method',
    answer({ challengeData: { data: '12' } }),
    '/challengeData/data',
    'type',
  ],
  [
    'a code of another service in a list of its own',
    'funds refused',
    answer(tpp('SESSIONS_NOT_SUPPORTED')),
    '/tppMessages/0/code',
    'enum',
  ],
  [
    'a payment without creditor',
    'a payment',
    request({ creditorName: undefined }),
    '/creditorName',
    'required',
  ],
  [
    'a payment with a name too long',
    'a payment',
    request({ creditorName: 'x'.repeat(71) }),
    '/creditorName',
    'maxLength',
  ],
  ['a payment with a member of our own', 'a payment', request({ obk: 1 }), '/obk', 'undeclared'],
  [
    'a payment of an unknown product',
    'a payment',
    (made) => ({ ...made, path: '/v1/payments/sepa' }),
    'path payment-product',
    'enum',
  ],
  [
    'a payment as form data',
    'a payment',
    requestHeader({ 'Content-Type': 'application/x-www-form-urlencoded' }),
    'header Content-Type',
    'media',
  ],
  ['a payment without a body', 'a payment', (made) => ({ ...made, requestBody: '' }), 'body', 'required'],
  ['two keys in an authorisation', 'an OTP', request({ psuData: { password: 'x' } }), '', 'branch'],
  ['an unknown key in an authorisation', 'an identification', request({ otp: '1' }), '', 'branch'],
  ['an empty psuData', 'a wrong password', request({ psuData: {} }), '/psuData', 'minProperties'],
  ['a frequency as a string', 'a consent', request({ frequencyPerDay: '4' }), '/frequencyPerDay', 'type'],
  ['a date that is none', 'a consent', request({ validUntil: '2027-02-30' }), '/validUntil', 'format'],
  [
    'an unknown query parameter',
    'a status',
    (made) => ({ ...made, path: `${made.path}?x=1` }),
    'query x',
    'undeclared',
  ],
  ['an unknown operation', 'a status', (made) => ({ ...made, path: '/v1/nothing' }), 'path', 'operation'],
];

const exchangeOf406 = (made: Exchange): Exchange => ({
  ...made,
  status: 406,
  responseBody: JSON.stringify(tpp('REQUESTED_FORMATS_INVALID')),
});

describe.runIf(hasOfficialFiles())('checkExchange, by the official files', () => {
  const cases = good.flatMap(([title, variants, made]) =>
    variants.map((variant) => [title, variant.framework, variant, made] as const),
  );

  it.each(cases)('finds nothing wrong with %s in %s', (_, __, variant, made) => {
    expect(checkExchange(variant, made)).toEqual([]);
  });

  it.each(planted)('finds %s in %s', (_, name, spoil, pointer, rule) => {
    for (const variant of [v1, v136]) {
      const found = checkExchange(variant, spoil(by(name)));
      expect(found).toContainEqual(expect.objectContaining({ pointer, rule }));
    }
  });

  it.each([
    ['a confirmation code in 1.3.2', v1, by('a confirmation'), '', 'branch'],
    [
      'cancellationIds in 1.3.6',
      v136,
      good.find(
        ([, list, made]) =>
          list.length === 1 && list[0] === v1 && made.path.endsWith('/cancellation-authorisations'),
      )![2],
      '/authorisationIds',
      'required',
    ],
    ['a bare account in 1.3.6', v136, by('a bare account'), '/account', 'required'],
    [
      'unconfirmed in 1.3.2',
      v1,
      answer({ scaStatus: 'unconfirmed' })(by('a scaStatus')),
      '/scaStatus',
      'enum',
    ],
    [
      'a consent without PSU-IP-Address in 1.3.6',
      v136,
      without('PSU-IP-Address', 'requestHeaders')(by('a consent')),
      'header PSU-IP-Address',
      'required',
    ],
    [
      'SCA_INVALID in 1.3.2',
      v1,
      { ...by('a wrong password'), status: 400, responseBody: JSON.stringify(tpp('SCA_INVALID')) },
      '/code',
      'code',
    ],
  ])('distinguishes the versions: %s', (_, variant, made, pointer, rule) => {
    expect(checkExchange(variant, made)).toContainEqual(expect.objectContaining({ pointer, rule }));
    const other = variant === v1 ? v136 : v1;
    expect(checkExchange(other, made).filter((row) => row.pointer === pointer && row.rule === rule)).toEqual(
      [],
    );
  });

  it('finds a boolean header with yes', () => {
    const made = requestHeader({ 'TPP-Redirect-Preferred': 'yes' })(by('a payment'));
    // The older file has the two values as texts; on the wire it is the same.
    for (const [variant, rule] of [
      [v1, 'enum'],
      [v136, 'type'],
    ] as const)
      expect(checkExchange(variant, made)).toContainEqual(
        expect.objectContaining({ pointer: 'header TPP-Redirect-Preferred', rule }),
      );
  });

  it('finds what only a dialect has', () => {
    const read = by('a status');
    const paged = {
      ...read,
      path: '/v1/accounts/1/transactions?bookingStatus=booked&dateFrom=2026-01-01&pageIndex=1',
    };
    expect(
      checkRequest(v136, {
        ...paged,
        requestHeaders: { ...(read.requestHeaders as object), 'Consent-ID': 'c' },
      }),
    ).toEqual([expect.objectContaining({ pointer: 'query pageIndex', rule: 'undeclared' })]);
    const refused = exchangeOf406(by('a refusal'));
    expect(checkAnswer(v136, refused)).toContainEqual(
      expect.objectContaining({ rule: 'undeclared-status-body' }),
    );
  });

  it('states whose fault it is', () => {
    const made = requestHeader({ 'X-Request-ID': '1' })(
      answer({ transactionStatus: 'OKAY' })(by('a status')),
    );
    expect(checkRequest(v1, made).map(({ part }) => part)).toEqual(['request']);
    expect(new Set(checkAnswer(v1, made).map(({ part }) => part))).toEqual(new Set(['answer']));
  });

  it('judges under the prefix of the profile', () => {
    const made = { ...by('a status'), path: by('a status').path.replace('/v1', '/v136') };
    expect(checkExchange({ ...v136, prefix: '/v136' }, made)).toEqual([]);
    expect(checkExchange(v136, made)).not.toEqual([]);
  });

  it('has a reason for every waiver', () => {
    for (const { reason } of waivers) expect(reason.length).toBeGreaterThan(20);
  });
});

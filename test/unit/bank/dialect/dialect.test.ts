// What one setting of a description does to the bank inside, each by itself.
import { describe, expect, it } from 'vitest';
import type { BankSettings } from '../../../../src/settings/records/profile.ts';
import { headersOf } from '../../../../src/referee/request-headers.ts';
import { inOwnWords } from '../../../../src/bank/dialect/answers.ts';
import { checkDemands, checkBody } from '../../../../src/bank/dialect/demands.ts';
import { dialectOf } from '../../../../src/bank/dialect/dialect.ts';
import { hasProduct, ownHref, ownProduct, standardPlace } from '../../../../src/bank/dialect/paths.ts';
import { standardBody, standardHeaders } from '../../../../src/bank/dialect/requests.ts';
import { readJson } from '../../../../src/standard/xs2a/json.ts';
import { operation } from '../../../../src/standard/xs2a/operations.ts';
import type { OperationId } from '../../../../src/standard/xs2a/operations.ts';

const of = (settings: BankSettings) => dialectOf({ framework: '1.3.6', prefix: '/v1', ...settings });

/** The JSON and status of an answer in the words of the bank. */
function answered(settings: BankSettings, body: object, id?: OperationId, status = 200) {
  const about = { dialect: of(settings), operation: id, requestId: 'r-1', base: '', product: undefined };
  const reply = inOwnWords({ status, body }, about);
  const text =
    reply.content && 'bytes' in reply.content ? Buffer.from(reply.content.bytes).toString() : undefined;
  return { ...reply, text: text ?? JSON.stringify(reply.body) };
}

describe('an answer in a dialect', () => {
  const start = {
    scaStatus: 'scaMethodSelected',
    authorisationId: 'a',
    chosenScaMethod: { authenticationType: 'PUSH_OTP', authenticationMethodId: 'm' },
    challengeData: { data: ['1', '2'], otpMaxLength: 6 },
    _links: { authoriseTransaction: { href: '/v1/consents/c/authorisations/a' } },
  };
  it.each<[string, BankSettings, string]>([
    [
      'links.aliases',
      { links: { aliases: { next: 'authoriseTransaction' } } },
      '"next":{"href":"/v1/consents',
    ],
    ['links.shape', { links: { shape: 'string' } }, '"authoriseTransaction":"/v1/consents'],
    ['links.shape', { links: { shape: 'list' } }, '[{"rel":"authoriseTransaction","href":"/v1/consents'],
    ['links.host', { links: { host: 'ignore' } }, '"href":"https://gateway.invalid/v1/consents'],
    ['sca.statusAliases', { sca: { statusAliases: { WAIT: 'scaMethodSelected' } } }, '"scaStatus":"WAIT"'],
    [
      'sca.authTypeAliases',
      { sca: { authTypeAliases: { PUSH_DEC: 'PUSH_OTP' } } },
      '"authenticationType":"PUSH_DEC"',
    ],
    ['sca.challengeData', { sca: { challengeData: 'text' } }, '"data":"1 2"'],
    ['decode.otpAsString', { decode: { otpAsString: true } }, '"otpMaxLength":"6"'],
    ['decode.nulls', { decode: { nulls: true } }, '"psuMessage":null'],
  ])('is changed by %s: %j', (_name, settings, part) => {
    expect(answered({}, start).text).not.toContain(part);
    expect(answered(settings, start).text).toContain(part);
  });

  it('leaves the authorisation id to the link with sca.authorisationIdFrom', () => {
    expect(answered({ sca: { authorisationIdFrom: 'link' } }, start).text).not.toContain('authorisationId');
  });

  const report = {
    transactions: {
      booked: [
        { transactionAmount: { currency: 'EUR', amount: '-12.50' }, remittanceInformationUnstructured: 'x' },
      ],
    },
    balances: [{ lastChangeDateTime: '2026-07-01T10:00:00.000Z' }],
  };
  it.each<[BankSettings, string]>([
    [{ decode: { numberAmounts: true } }, '"amount":-12.50'],
    [{ decode: { naiveZone: 'Europe/Berlin' } }, '"lastChangeDateTime":"2026-07-01T12:00:00"'],
    [{ decode: { remittanceObject: true } }, '"remittanceInformationUnstructured":{"reference":"x"}'],
    [{ ais: { wrappers: { getTransactionList: '/data/report' } } }, '{"data":{"report":{"transactions"'],
  ])('is changed by %j', (settings, part) => {
    expect(answered(settings, report, 'getTransactionList').text).toContain(part);
  });

  const refusal = { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: 'no' }] };
  it('has the shapes of OAuth and HTML with errors.shapes', () => {
    expect(answered({ errors: { shapes: ['oauth'] } }, refusal, undefined, 400).text).toBe(
      '{"error":"format_error","error_description":"no"}',
    );
    const page = answered({ errors: { shapes: ['html'] } }, refusal, undefined, 400);
    expect(page.content?.type).toBe('text/html');
    expect(page.text).toContain('<h1>FORMAT_ERROR</h1>');
    expect(of({ errors: { shapes: ['problem'] } }).pins).toEqual({ errors: 'problem' });
  });

  it('follows consent.deleteStatus and errors.traceHeaders', () => {
    const dialect = of({ consent: { deleteStatus: [202] }, errors: { traceHeaders: ['X-Trace'] } });
    const about = {
      dialect,
      operation: 'deleteConsent' as const,
      requestId: 'r-1',
      base: '',
      product: undefined,
    };
    expect(inOwnWords({ status: 204 }, about)).toEqual({ status: 202, headers: { 'X-Trace': 'trace-r-1' } });
  });

  it('has with ais.paging.params same a link with the place of the page only', () => {
    const links = { _links: { next: { href: '/v1/accounts/a/transactions?bookingStatus=booked&cursor=c' } } };
    const same = answered({ ais: { paging: { params: 'same' } } }, links, 'getTransactionList');
    expect(same.text).toContain('"/v1/accounts/a/transactions?cursor=c"');
  });
});

describe('a path in a dialect', () => {
  const moved = of({
    spec: {
      operations: { getAccountList: { path: '/v3/accounts' }, getBalances: { path: '/v3/b/{account-id}' } },
    },
  });

  it("is the bank's own with spec.operations, and no longer the one given up", () => {
    expect(standardPlace(moved, { method: 'GET', path: '/v3/accounts' })).toEqual({
      method: 'GET',
      path: '/v1/accounts',
    });
    expect(standardPlace(moved, { method: 'GET', path: '/v3/b/x' }).path).toBe('/v1/accounts/x/balances');
    expect(standardPlace(moved, { method: 'GET', path: '/v1/accounts' }).path).toBe('/v1/gone');
    expect(moved.isInterface('/v3/b/x')).toBe(true);
    expect(moved.isInterface('/sandbox/people')).toBe(false);
    expect(ownHref(moved, 'balances', '/v1/accounts/x/balances', '')).toBe('/v3/b/x');
    expect(of({ spec: { operations: { getBalances: { supported: false } } } }).without).toEqual([
      'getBalances',
    ]);
  });

  it("is the bank's own products with payments.matrix, and none but those named", () => {
    const dialect = of({ payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } });
    const path = '/v1/payments/domestic-transfers/p/status';
    expect(standardPlace(dialect, { method: 'GET', path }).path).toBe(
      '/v1/payments/sepa-credit-transfers/p/status',
    );
    expect(ownProduct(dialect, path)).toEqual({ own: 'domestic-transfers', core: 'sepa-credit-transfers' });
    expect(hasProduct(dialect, 'payments', 'target-2-payments')).toBe(false);
  });
});

describe('a demand of a dialect', () => {
  const ask =
    (settings: BankSettings, id: OperationId, headers: string[] = [], query = '') =>
    () => {
      checkDemands(of(settings), {
        operation: operation(id),
        params: {},
        headers: headersOf({ rawHeaders: headers }),
        query: new URLSearchParams(query),
        target: '',
        now: new Date('2026-02-02T10:00:00Z'),
      });
    };
  it.each<[BankSettings, OperationId, string[], string, string]>([
    [
      { headers: { rules: [{ name: 'PSU-ID', action: 'forbid' }] } },
      'createConsent',
      ['PSU-ID', 'a'],
      '',
      'must not be sent',
    ],
    [
      { headers: { rules: [{ name: 'X-Key', action: 'require' }] } },
      'createConsent',
      [],
      '',
      'X-Key is missing',
    ],
    [
      { headers: { rules: [{ name: 'X-Key', action: 'require', when: 'withoutToken' }] } },
      'createConsent',
      [],
      '',
      'X-Key',
    ],
    [
      { headers: { rules: [{ name: 'PSU-ID-Type', action: 'dropIfBlank' }] } },
      'createConsent',
      ['PSU-ID-Type', ''],
      '',
      'blank',
    ],
    [{ headers: { psuIdType: { values: ['A'] } } }, 'createConsent', ['PSU-ID-Type', 'B'], '', 'one of A'],
    [
      { headers: { accept: { getAccountList: 'application/json' } } },
      'getAccountList',
      ['Accept', '*/*'],
      '',
      'Only application/json',
    ],
    [
      { ais: { params: { getAccountList: { allow: [] } } } },
      'getAccountList',
      [],
      'withBalance=true',
      'no parameter',
    ],
    [{ ais: { params: { getAccountList: { add: { x: '1' } } } } }, 'getAccountList', [], '', 'x is missing'],
    [{ ais: { withBalance: false } }, 'getAccountList', [], 'withBalance=true', 'not supported'],
    [
      { ais: { history: { windowDays: 14 } } },
      'getTransactionList',
      [],
      'dateFrom=2026-01-01&dateTo=2026-02-01',
      '14 days',
    ],
  ])('is checked: %j', (settings, id, headers, query, why) => {
    expect(ask({}, id, headers, query)).not.toThrow();
    expect(ask(settings, id, headers, query)).toThrow(why);
  });

  it('is checked, for a rule on the token, only for calls with one or for those without', () => {
    const rule: BankSettings = {
      headers: { rules: [{ name: 'X-Key', action: 'require', when: 'withToken' }] },
    };
    expect(ask(rule, 'createConsent')).not.toThrow();
    expect(ask(rule, 'createConsent', ['Authorization', 'Bearer t'])).toThrow('X-Key');
  });

  const body = (settings: BankSettings, id: OperationId, json: object) => () => {
    const asked = {
      operation: operation(id),
      params: {},
      headers: headersOf({ rawHeaders: [] }),
      query: new URLSearchParams(),
    };
    checkBody(of(settings), asked, readJson(Buffer.from(JSON.stringify(json))));
  };
  it.each<[BankSettings, OperationId, object, string]>([
    [
      { payments: { requiredFields: [{ field: '/creditorAddress/country' }] } },
      'initiatePayment',
      {},
      'creditorAddress/country is missing',
    ],
    [
      { payments: { limits: { remittance: 3 } } },
      'initiatePayment',
      { remittanceInformationUnstructured: 'four' },
      '3 characters',
    ],
    [{ consent: { recurringOnly: true } }, 'createConsent', { recurringIndicator: false }, 'recurring'],
    [
      { consent: { types: ['global'] } },
      'createConsent',
      { access: { availableAccounts: 'allAccounts' } },
      'kinds global',
    ],
  ])('is checked in the body: %j', (settings, id, json, why) => {
    expect(body({}, id, json)).not.toThrow();
    expect(body(settings, id, json)).toThrow(why);
  });
});

describe('a request in a dialect', () => {
  it('is translated into the standard and back with payments.rename and payments.enums', () => {
    const dialect = of({
      payments: {
        rename: { '/creditorName': 'beneficiary' },
        enums: { '/chargeBearer': { SLEV: 'shared' } },
      },
    });
    const sent = { beneficiary: 'Shop', chargeBearer: 'shared', payments: [{ beneficiary: 'A' }] };
    const standard = { creditorName: 'Shop', chargeBearer: 'SLEV', payments: [{ creditorName: 'A' }] };
    expect(
      JSON.parse(Buffer.from(standardBody(dialect, Buffer.from(JSON.stringify(sent)))).toString()),
    ).toEqual(standard);
    const back = inOwnWords(
      { status: 200, body: standard },
      { dialect, operation: 'getPaymentInformation', requestId: null, base: '', product: undefined },
    );
    expect(
      back.content && 'bytes' in back.content && JSON.parse(Buffer.from(back.content.bytes).toString()),
    ).toEqual(sent);
  });

  it('has signature and token where this bank has them, with signing.carrier and auth.tokenHeader', () => {
    const dialect = of({
      signing: { carrier: 'Authorization' },
      auth: { tokenHeader: 'PSD2-AUTHORIZATION' },
    });
    const headers = standardHeaders(dialect, [
      'Authorization',
      'Signature keyId="x"',
      'PSD2-AUTHORIZATION',
      'Bearer t',
    ]);
    expect([headers.get('signature'), headers.get('authorization')]).toEqual(['keyId="x"', 'Bearer t']);
  });

  it('is left to the switches of the bank where they cover it', () => {
    expect(
      of({
        signing: { preset: 'wso2' },
        consent: { validDays: 90, maxFrequency: 2 },
        ais: { transactionFormats: ['camt.052', 'mt940'], bookingStatus: ['booked'] },
        payments: { statusFormat: 'pain.002', cancel: { needsSca: true } },
        sca: { approaches: ['redirect'] },
        limits: { rate: '90' },
        requestIdSemantics: 'replay',
      }).pins,
    ).toEqual({
      signature: 'required',
      signatureProfile: 'wso2',
      validUntil: '90-days',
      frequencyPerDay: 'up-to-2',
      reportFormats: 'camt.052,text',
      bookingStatuses: 'booked',
      statusFormat: 'xml',
      cancellation: 'always-sca',
      approach: 'redirect',
      rateLimit: '90-per-minute',
      requestId: 'replay',
    });
  });
});

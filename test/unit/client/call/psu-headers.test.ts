import { describe, expect, it } from 'vitest';
import { chooseAuthorisation } from '../../../../src/client/authorisations/other-authorisations.ts';
import { call } from '../../../../src/client/call/call.ts';
import { beginConversation } from '../../../../src/client/resources/saved-resource.ts';
import { readAnswer } from '../../../../src/standard/xs2a/answer.ts';
import { operation } from '../../../../src/standard/xs2a/operations.ts';
import type { OperationId } from '../../../../src/standard/xs2a/operations.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { finalised, list, one, payment, reopened, resume, run, secret, settled, started } from '../payer.ts';

const corporate = { id: 'anna', idType: 'EBICS', corporateId: 'acme-gmbh', corporateIdType: 'HRB' };
const headers = {
  'PSU-ID': 'anna',
  'PSU-ID-Type': 'EBICS',
  'PSU-Corporate-ID': 'acme-gmbh',
  'PSU-Corporate-ID-Type': 'HRB',
};

describe('the headers that name a PSU', () => {
  const begun = async () => {
    const there = await world({ run: { psu: corporate } });
    const body = Buffer.from(
      JSON.stringify({
        transactionStatus: 'RCVD',
        paymentId: 'pay-1',
        _links: { startAuthorisationWithPsuAuthentication: { href: list } },
      }),
    );
    const raw = { status: 201, headers: [['Content-Type', 'application/json']] as const, body };
    const answer = readAnswer(operation('initiatePayment'), presets.v1, raw);
    await there.store.resources.saveConversation('acme', beginConversation(there.target, payment, answer));
    return there;
  };
  const password = () => fakePerson({ present: false }).answer('psu-password', secret);

  it.each(['with its PSU-ID', 'without'])('go with the steps of a later run, %s', async (named) => {
    const there = await begun();
    const psu = named === 'without' ? {} : { psu: { id: 'anna' } };
    const later = await reopened(there, { person: password(), run: psu });
    later.http
      .expect('POST', list, { status: 201, body: { ...finalised.body, authorisationId: 'auth-1' } })
      .expect('GET', `${one}/status`, settled);
    await resume(later);
    for (const [name, value] of Object.entries(headers))
      expect(later.http.requests[0]?.header(name)).toBe(value);
  });

  it('are not used for another PSU', async () => {
    const there = await begun();
    const later = await reopened(there, { person: password(), run: { psu: { id: 'bert' } } });
    later.http
      .expect('GET', list, { body: { authorisationIds: [] } })
      .expect('POST', list, { status: 201, body: { ...finalised.body, authorisationId: 'auth-1' } })
      .expect('GET', `${one}/status`, settled);
    const { conversation } = await chooseAuthorisation(later.target, payment, false);
    await run(later, conversation);
    const [, start] = later.http.requests;
    expect(start?.header('PSU-ID')).toBe('bert');
    expect(start?.header('PSU-Corporate-ID')).toBeUndefined();
    expect(start?.header('PSU-ID-Type')).toBeUndefined();
  });

  it('come from the flags together where one was typed', async () => {
    const { id: _, ...rest } = corporate;
    const there = await world({ person: fakePerson().answer('psu-id', 'anna'), run: { psu: rest } });
    there.http
      .expect('POST', list, {
        status: 201,
        body: {
          scaStatus: 'psuIdentified',
          authorisationId: 'auth-1',
          _links: { scaRedirect: { href: 'https://bank.example/sca' } },
        },
      })
      .expect('GET', /auth-1$/, finalised)
      .expect('GET', `${one}/status`, settled);
    const done = await run(there, started({ links: { startAuthorisationWithPsuIdentification: list } }));
    expect(done.conversation).toMatchObject({ psuId: 'anna', psu: { corporateId: 'acme-gmbh' } });
    expect(there.http.requests[0]?.header('PSU-Corporate-ID')).toBe('acme-gmbh');
  });
});

describe('--psu-ip', () => {
  const params = {
    'payment-service': 'payments',
    'payment-product': 'sepa-credit-transfers',
    paymentId: 'pay-1',
    consentId: 'cons-1',
    basketId: 'bask-1',
    authorisationId: 'auth-1',
    'account-id': 'acc-1',
  };
  const sentBy = async (id: OperationId, run: object, profile: object = {}) => {
    const there = await world({ run, profile: { surface: 'framework', psu: {}, ...profile } });
    const { method } = operation(id);
    there.http.expect(method, /./, { status: 500 });
    await call(there.target, { operation: id, params }).catch(() => undefined);
    return there.http.requests[0]?.header('PSU-IP-Address');
  };
  const given = { psu: { ipAddress: '192.0.2.9' } };

  it.each<OperationId>([
    'getPaymentInformation',
    'getPaymentInitiationStatus',
    'getPaymentInitiationAuthorisation',
    'getPaymentInitiationScaStatus',
    'cancelPayment',
    'getConsentInformation',
    'getConsentStatus',
    'deleteConsent',
    'getConsentAuthorisation',
    'getSigningBasket',
    'getSigningBasketStatus',
    'deleteSigningBasket',
  ])('is sent with %s', async (id) => {
    expect(await sentBy(id, given)).toBe('192.0.2.9');
    expect(await sentBy(id, {})).toBeUndefined();
  });

  it.each<OperationId>(['getAccountList', 'getBalances', 'getTransactionList'])(
    'shows with %s that the PSU is present, so --psu-present only sends the header',
    async (id) => {
      expect(await sentBy(id, given)).toBeUndefined();
    },
  );
});

import { describe, expect, it } from 'vitest';
import type { Conversation, Parent } from '../../../../src/standard/sca/state.ts';
import { errorDocument } from '../../../../src/cli/render/error.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { atOtp, auth, list, one, payment, run, secret, started, stillOpen, wrong } from '../payer.ts';

const script = () => fakePerson({ present: false });
const coded = (code: string, status = 401) => ({
  status,
  body: { tppMessages: [{ category: 'ERROR', code, text: 'The words of the bank; attempts left: 4.' }] },
});
const authorise = 'obk payment authorise pay-1';

describe('a refusal of an authorisation step', () => {
  it.each<
    [string, Conversation, ReturnType<typeof script>, 'POST' | 'PUT', object, string, string | null, string]
  >([
    [
      'a one-time password',
      ...[atOtp(), script().answer('otp', '000000'), 'PUT' as const, wrong({ authoriseTransaction: auth })],
      ...['The bank did not accept the one-time password; the payment is still open.', 'secret', authorise],
    ],
    [
      'a one-time password, with another code',
      ...[atOtp(), script().answer('otp', '000000'), 'PUT' as const],
      {
        ...coded('FORMAT_ERROR', 400),
        body: { ...coded('FORMAT_ERROR').body, _links: { authoriseTransaction: { href: auth } } },
      },
      ...['The bank did not accept the one-time password; the payment is still open.', 'secret', authorise],
    ],
    [
      'a password',
      started({ authorisationId: 'auth-1', links: { updatePsuAuthentication: auth } }),
      ...[script().answer('psu-password', secret), 'PUT' as const, coded('PSU_CREDENTIALS_INVALID')],
      ...['The bank did not accept the password; the payment is still open.', 'secret', authorise],
    ],
    [
      'an additional password',
      started({ authorisationId: 'auth-1', links: { updateAdditionalPsuAuthentication: auth } }),
      ...[
        script().answer('psu-additional-password', secret),
        'PUT' as const,
        coded('PSU_CREDENTIALS_INVALID'),
      ],
      ...['The bank did not accept the additional password; the payment is still open.', 'secret', authorise],
    ],
    [
      'a PSU-ID',
      started({ links: { startAuthorisationWithPsuIdentification: list } }),
      ...[script().answer('psu-id', 'nobody'), 'POST' as const, coded('PSU_CREDENTIALS_INVALID')],
      'The bank did not accept the customer (PSU-ID); the payment is still open.',
      ...['psu', 'obk payment status pay-1'],
    ],
    [
      'a method',
      started({
        authorisationId: 'auth-1',
        links: { selectAuthenticationMethod: auth },
        scaMethods: ['sms', 'chip'].map((id) => ({
          authenticationType: 'SMS_OTP',
          authenticationMethodId: id,
        })),
      }),
      ...[script().answer('sca-method', 'sms'), 'PUT' as const],
      {
        ...coded('SCA_METHOD_UNKNOWN', 400),
        body: {
          ...coded('SCA_METHOD_UNKNOWN').body,
          _links: { selectAuthenticationMethod: { href: auth } },
        },
      },
      ...['The bank did not accept the SCA method; the payment is still open.', null, authorise],
    ],
    [
      'a customer who is blocked',
      ...[atOtp(), script().answer('otp', '000000'), 'PUT' as const, coded('SERVICE_BLOCKED', 403)],
      'The bank has blocked this service for the customer; the payment is still open.',
      ...['psu', authorise],
    ],
    [
      'the company of a customer',
      ...[atOtp(), script().answer('otp', '000000'), 'PUT' as const, coded('CORPORATE_ID_INVALID')],
      'The bank did not accept the company of the customer; the payment is still open.',
      ...['psu', authorise],
    ],
    [
      'an authorisation that has failed',
      ...[atOtp(), script().answer('otp', '000000'), 'PUT' as const, coded('SCA_INVALID', 400)],
      'The authorisation of the payment has failed; the payment is still open.',
      ...['payment', `${authorise} --new`],
    ],
  ] as never)('is explained for %s', async (_, from, person, method, answer, title, refused, next) => {
    const there = await world({ person });
    there.http
      .expect(method, method === 'POST' ? list : auth, answer)
      .expect('GET', `${one}/status`, stillOpen);
    const { error } = errorDocument(await failedWith(run(there, from)));
    expect(error).toMatchObject({ code: 'DECLINED', exitCode: 9, title, refused });
    expect(error.next).toContain(next);
    expect(error.tppMessages[0]?.text).toMatch(/attempts left: 4|Wrong/);
    there.verify();
  });

  it.each<[string, Parent['kind'], string, string]>([
    ['a payment that has ended', 'payment', 'RJCT', 'the payment is RJCT'],
    ['a cancellation', 'cancellation', 'ACTC', 'the payment is not cancelled'],
    ['a payment that is cancelled', 'cancellation', 'CANC', 'the payment is CANC'],
  ])('is of the secret, and states the outcome, for %s', async (_, kind, transactionStatus, stands) => {
    const there = await world({ person: script().answer('otp', '000000') });
    const href = kind === 'payment' ? auth : auth.replace('authorisations', 'cancellation-authorisations');
    there.http
      .expect('PUT', href, coded('PSU_CREDENTIALS_INVALID'))
      .expect('GET', `${one}/status`, { body: { transactionStatus } });
    const from = atOtp();
    const steering = { authoriseTransaction: href };
    const failure = await failedWith(run(there, { ...from, steering, parent: { ...from.parent, kind } }));
    const title = `The bank did not accept the one-time password; ${stands}.`;
    expect(failure).toMatchObject({ refused: 'secret', title, resource: { transactionStatus } });
  });

  it('is explained without a state that cannot be read', async () => {
    const there = await world({ person: script().answer('otp', '000000') });
    there.http
      .expect('PUT', auth, coded('PSU_CREDENTIALS_INVALID'))
      .expect('GET', `${one}/status`, coded('RESOURCE_UNKNOWN', 404));
    const failure = await failedWith(run(there, atOtp(), {}, payment));
    expect(failure).toMatchObject({
      ...{ refused: 'secret', title: 'The bank did not accept the one-time password.' },
      bankCode: 'PSU_CREDENTIALS_INVALID',
    });
  });
});

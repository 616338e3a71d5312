import { describe, expect, it } from 'vitest';
import { dueStep, onlyStep } from '../../../../src/client/sca/one-step.ts';
import type { StepVerb } from '../../../../src/client/sca/one-step.ts';
import { nextStep } from '../../../../src/standard/sca/next-step.ts';
import type { Conversation } from '../../../../src/standard/sca/state.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { atOtp, auth, decoupled, finalised, one, run, settled, started, wrong } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const at = (link: string, more: Partial<Conversation> = {}): Conversation => ({
  ...started({ authorisationId: 'auth-1', links: { [link]: auth } }),
  ...more,
});
const method = { authenticationType: 'SMS_OTP', authenticationMethodId: 'sms' };

describe('the step that is due', () => {
  it.each<[string, Conversation, StepVerb | undefined, string]>([
    ['a password', at('updatePsuAuthentication'), 'submit', 'obk sca submit auth-1 --psu-password-from REF'],
    [
      'an encrypted one',
      at('updateEncryptedPsuAuthentication'),
      'submit',
      'obk sca submit auth-1 --psu-password-from REF',
    ],
    [
      'a second one',
      at('updateAdditionalPsuAuthentication'),
      'submit',
      'obk sca submit auth-1 --psu-additional-password-from REF',
    ],
    ['an OTP', atOtp(), 'submit', 'obk sca submit auth-1 --otp-from REF'],
    ['a PSU-ID', at('updatePsuIdentification'), 'submit', 'obk sca submit auth-1 --psu-id ID'],
    ['a start', started({ links: { startAuthorisation: auth } }), 'submit', 'obk sca submit pay-1'],
    ['a method', at('selectAuthenticationMethod'), 'select', 'obk sca select auth-1 --sca-method ID'],
    [
      'the one method',
      at('selectAuthenticationMethod', { scaMethods: [method] }),
      'select',
      'obk sca select auth-1 --sca-method sms',
    ],
    ['a page', at('scaRedirect'), 'open', 'obk sca open auth-1 --wait'],
    ['OAuth', at('scaOAuth'), 'open', 'obk sca open auth-1 --wait'],
    [
      'a code',
      at('scaStatus', { scaStatus: 'unconfirmed', standing: { confirmation: auth } }),
      'open',
      'obk sca open auth-1 --return-url-from REF',
    ],
    ['the phone', decoupled(), undefined, 'obk sca status auth-1 --watch'],
    ['nothing', { ...atOtp(), scaStatus: 'failed' }, undefined, 'obk payment status pay-1'],
    [
      'a riddle',
      started({ approach: 'EMBEDDED', unknownLinks: ['pigeon'] }),
      undefined,
      'obk log show @last -vvv',
    ],
  ])('is %s', (_, conversation, verb, command) => {
    expect(dueStep(conversation)).toMatchObject({ verb, command });
    for (const other of ['select', 'submit', 'open'] as const) {
      const ask = () => {
        onlyStep(other)(conversation, nextStep(conversation));
      };
      if (other === verb) expect(ask).not.toThrow();
      else
        expect(ask).toThrow(expect.objectContaining({ code: 'STEP_NOT_ALLOWED', exit: 2, hint: [command] }));
    }
  });

  it('is not answered by any flag', () => {
    const only =
      (...given: string[]) =>
      () => {
        onlyStep('submit', given)(atOtp(), nextStep(atOtp()));
      };
    expect(only('--otp-from')).not.toThrow();
    expect(only('--psu-password-from', '--otp-from')).not.toThrow();
    expect(only('--psu-password-from')).toThrow(
      '--psu-password-from does not answer what is due now: the one-time password.',
    );
  });
});

describe('a single step', () => {
  const submit = { only: onlyStep('submit'), wait: false };

  it('is one request only', async () => {
    const there = await world({ person: fakePerson().answer('psu-password', 'geheim') });
    there.http.expect('PUT', auth, {
      body: { scaStatus: 'scaMethodSelected', _links: { authoriseTransaction: { href: auth } } },
    });
    await expect(run(there, at('updatePsuAuthentication'), submit)).resolves.toMatchObject({
      success: undefined,
      timedOut: false,
      conversation: { scaStatus: 'scaMethodSelected' },
    });
    there.verify();
  });

  it('may be the last one', async () => {
    const there = await world({ person: fakePerson().answer('otp', '739184') });
    there.http.expect('PUT', auth, finalised).expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp(), submit)).resolves.toMatchObject({ success: true });
    there.verify();
  });

  it('is asked again of a person after a wrong secret, and ends where the bank has ended it', async () => {
    const there = await world({ person: fakePerson().answer('otp', '000000', '111111') });
    there.http
      .expect('PUT', auth, wrong({ authoriseTransaction: auth }))
      .expect('PUT', auth, wrong({ scaStatus: auth }))
      .expect('GET', auth, { body: { scaStatus: 'failed' } })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'RJCT' } });
    await expect(run(there, atOtp(), submit)).resolves.toMatchObject({ success: false });
    there.verify();
  });

  it('sends nothing where it is not due', async () => {
    const there = await world();
    const error = await failedWith(run(there, atOtp(), { ...submit, only: onlyStep('select') }));
    expect(error).toMatchObject({ code: 'STEP_NOT_ALLOWED', resource: { authorisationId: 'auth-1' } });
    expect(there.http.requests).toEqual([]);
  });
});

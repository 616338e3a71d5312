// Whoever is asked for a secret is told what it confirms, and a cancellation that waits does not look like a payment that waits.
import { expect, it } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import { fakePerson } from '../../../../helpers/fakes/index.ts';
import { accountBank } from '../account-bank.ts';

const pay =
  'payment init --product sepa-credit-transfers --debtor DE89370400440532013000 --creditor-account DE02120300000000202051 --creditor-name G --amount 7.00 -y --json';
const one = '/v1/payments/sepa-credit-transfers/p-1';
const own = `${one}/cancellation-authorisations`;
const created = { status: 201, body: { transactionStatus: 'ACTC', paymentId: 'p-1', _links: {} } };
const asked = {
  status: 202,
  body: { _links: { startAuthorisationWithPsuAuthentication: { href: own } } },
};
const atOtp = {
  status: 201,
  body: {
    ...{ scaStatus: 'scaMethodSelected', authorisationId: 'a-1' },
    _links: { authoriseTransaction: { href: `${own}/a-1` } },
  },
};

it('each prompt for a secret of a cancellation says so', async () => {
  const person = fakePerson()
    .answer('yes', true, true)
    .answer('psu-password', 'geheim')
    .answer('otp', '123456');
  const there = await accountBank({ consent: 'none', surface: 'framework', person });
  there.http
    .expect('POST', '/v1/payments/sepa-credit-transfers', created)
    .expect('DELETE', one, asked)
    .expect('POST', own, atOtp)
    .expect('PUT', `${own}/a-1`, { body: { scaStatus: 'finalised' } })
    .expect('GET', `${one}/status`, { body: { transactionStatus: 'CANC' } });
  const first = await there.run(`${pay} --authorise-later`);
  expect(first.code, first.stderr).toBe(0);
  const cancelled = await there.run('payment cancel p-1 -y');
  expect(cancelled.code, cancelled.stderr).toBe(0);
  const secrets = person.asked.filter(({ kind }) => kind === 'askSecret');
  expect(secrets.map((one) => 'confirms' in one && one.confirms)).toEqual([
    'Confirms: cancellation of 7.00 EUR to G at acme',
    'Confirms: cancellation of 7.00 EUR to G at acme',
  ]);
});

it('what is left of one that was interrupted says so as well, in the hint, the list and the next document', async () => {
  const stopped = new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' });
  const person = fakePerson().answer('yes', true, true).answer('psu-password', stopped);
  const there = await accountBank({ consent: 'none', surface: 'framework', person });
  there.http.expect('POST', '/v1/payments/sepa-credit-transfers', created).expect('DELETE', one, asked);
  const first = await there.run(`${pay} --authorise-later`);
  expect(first.code, first.stderr).toBe(0);
  const cancelled = await there.run('payment cancel p-1 -y');
  expect(cancelled.code).toBe(130);
  expect(cancelled.stderr).toContain('Not confirmed yet: cancellation of 7.00 EUR to G.');
  expect(cancelled.stderr).toContain('# goes on with the cancellation');
  const { stdout } = await there.run('pending list --json');
  expect(JSON.parse(stdout)).toMatchObject([
    { of: 'cancellation', what: 'authorisation of a cancellation is open' },
  ]);
  expect((await there.run('pending show p-1')).stdout).toContain('cancellation');
});

it('a link to the page of the bank says what is approved there, where that is an end', async () => {
  const there = await accountBank({ consent: 'none', surface: 'framework' });
  const links = { scaRedirect: { href: 'https://login.bank.example/c' }, scaStatus: { href: `${own}/a-1` } };
  there.http
    .expect('POST', '/v1/payments/sepa-credit-transfers', created)
    .expect('DELETE', one, { status: 202, body: { _links: { startAuthorisation: { href: own } } } })
    .expect('POST', own, {
      status: 201,
      body: { scaStatus: 'received', authorisationId: 'a-1', _links: links },
    })
    .expect('GET', `${own}/a-1`, { body: { scaStatus: 'finalised' } })
    .expect('GET', `${one}/status`, { body: { transactionStatus: 'CANC' } });
  expect((await there.run(`${pay} --authorise-later`)).code).toBe(0);
  const cancelled = await there.run('payment cancel p-1 -y --wait --browser never');
  expect(cancelled.code, cancelled.stderr).toBe(0);
  expect(cancelled.notices.said).toContain('Confirms: cancellation of 7.00 EUR to G at acme');
});

it('a cancellation whose answer was lost is pending as one', async () => {
  const there = await accountBank({ consent: 'none', surface: 'framework' });
  there.http
    .expect('POST', '/v1/payments/sepa-credit-transfers', created)
    .expectFailure('DELETE', one, { sent: true, reason: 'reset' })
    .expect('GET', `${one}/status`, { status: 500, body: {} });
  expect((await there.run(`${pay} --authorise-later`)).code).toBe(0);
  expect((await there.run('payment cancel p-1 -y')).code).toBe(12);
  const { stdout } = await there.run('pending list --json');
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'unknown', of: 'cancellation' }]);
});

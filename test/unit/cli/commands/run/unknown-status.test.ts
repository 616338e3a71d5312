// A status that no framework knows, wherever the bank says it: obk takes no step by itself and shows no link (exit 8), and what the
// bank has is one command away. A link that nobody knows stops nothing where another leads on.
import { describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/index.ts';
import { accountBank } from '../account-bank.ts';

const pay =
  'payment init --product sepa-credit-transfers --debtor DE89370400440532013000 --creditor-account DE02120300000000202051 --creditor-name Shop --amount 1.00 --allow-duplicate -y --json';
const one = '/v1/payments/sepa-credit-transfers/p-1';
const page = 'https://login.bank.example/p-1';
const secrets = '--psu-password-from env:PW --otp-from env:OTP';
const env = { PW: 'geheim-geheim', OTP: '123456' };
const link = (href: string) => ({ href });

const script = () => fakePerson({ present: false });
const bank = (person = script().answer('psu-password', env.PW).answer('otp', env.OTP)) =>
  accountBank({ consent: 'none', surface: 'framework', person });
type Bank = Awaited<ReturnType<typeof bank>>;

/** What every stop looks like: the document, and nobody is sent anywhere. */
function expectStopped(
  { code, stdout, notices }: Awaited<ReturnType<Bank['run']>>,
  noun: 'payment' | 'consent' | 'basket',
  status: string,
) {
  const id = { payment: 'p-1', consent: 'c-1', basket: 'b-1' }[noun];
  expect(code, stdout).toBe(8);
  const document = JSON.parse(stdout) as Record<string, unknown>;
  expect(document).toMatchObject({
    [`${noun}Id`]: id,
    [noun === 'consent' ? 'consentStatus' : 'transactionStatus']: status,
    next: `obk ${noun} get ${id}`,
  });
  expect(stdout + notices.said.join()).not.toContain('login.bank.example');
  return document;
}

const made = (transactionStatus: string, links: Record<string, string>) => ({
  status: 201,
  body: {
    ...{ transactionStatus, paymentId: 'p-1' },
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, link(href)])),
  },
});

describe('in the answer that made it', () => {
  const ways = ['', '--wait', '--authorise-later', secrets, `${secrets} --wait`];
  const links: readonly Record<string, string>[] = [
    { startAuthorisation: `${one}/authorisations`, creditorNameConfirmation: `${one}/confirmation` },
    { scaRedirect: page, creditorNameConfirmation: `${one}/confirmation` },
    { updatePsuAuthentication: `${one}/authorisations/a-1`, creditorNameConfirmation: `${one}/confirmation` },
  ];
  it.each(['RVCM', 'RVNC', 'RCVC', 'ACXX'].flatMap((status) => ways.map((way) => [status, way] as const)))(
    'of a payment: %s stops %s',
    async (status, way) => {
      for (const _links of links) {
        const there = await bank();
        there.http.expect('POST', '/v1/payments/sepa-credit-transfers', made(status, _links));
        const document = expectStopped(await there.run(`${pay} ${way}`, env), 'payment', status);
        expect(document['unknownLinks']).toEqual(['creditorNameConfirmation']);
        there.http.verify();
      }
    },
  );

  it.each(['', '--wait', '--authorise-later'])('of a consent %s', async (way) => {
    const there = await bank();
    const _links = { scaRedirect: link('https://login.bank.example/c-1'), bankForm: link('/v1/form') };
    const body = { consentStatus: 'underReview', consentId: 'c-1', _links };
    there.http.expect('POST', '/v1/consents', { status: 201, body });
    const ran = await there.run(`consent create --all-psd2 -y --json ${way}`);
    expect(expectStopped(ran, 'consent', 'underReview')['unknownLinks']).toEqual(['bankForm']);
    there.http.verify();
  });

  it.each(['', '--wait'])('of a signing basket %s', async (way) => {
    const there = await bank();
    there.http
      .expect('POST', '/v1/payments/sepa-credit-transfers', made('RCVD', {}))
      .expect('POST', '/v1/signing-baskets', {
        status: 201,
        body: { transactionStatus: 'RVNC', basketId: 'b-1', _links: { scaRedirect: link(page) } },
      });
    await there.run(`${pay} --authorise-later`);
    expectStopped(await there.run(`basket create --payment p-1 -y --json ${way}`), 'basket', 'RVNC');
    there.http.verify();
  });

  it('of a cancellation', async () => {
    const there = await bank();
    const _links = { startAuthorisation: link(`${one}/cancellation-authorisations`) };
    there.http
      .expect('POST', '/v1/payments/sepa-credit-transfers', made('ACTC', {}))
      .expect('DELETE', one, { status: 202, body: { transactionStatus: 'CNCL', _links } });
    await there.run(`${pay} --authorise-later`);
    expectStopped(await there.run('payment cancel p-1 -y --wait --json'), 'payment', 'CNCL');
    there.http.verify();
  });
});

describe('later', () => {
  const authorisations = `${one}/authorisations`;
  const started = made('RCVD', { startAuthorisationWithPsuAuthentication: authorisations });
  const status = (transactionStatus: string) => ({ body: { transactionStatus } });
  const answer = (part: object, links: Record<string, string> = {}) => ({
    status: 201,
    body: {
      ...{ authorisationId: 'a-1', scaStatus: 'scaMethodSelected', ...part },
      _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, link(href)])),
    },
  });

  it.each(['', '--wait'])('in an answer of its authorisation %s', async (way) => {
    const there = await bank();
    const leadOn = { authoriseTransaction: `${authorisations}/a-1`, payeeCheck: `${one}/payee` };
    there.http
      .expect('POST', '/v1/payments/sepa-credit-transfers', started)
      .expect('POST', authorisations, answer({ transactionStatus: 'RVCM' }, leadOn));
    const ran = await there.run(`${pay} ${secrets} ${way}`, env);
    expect(expectStopped(ran, 'payment', 'RVCM')['unknownLinks']).toEqual(['payeeCheck']);
    there.http.verify();
  });

  it('in a read of its scaStatus, while it waits', async () => {
    const there = await bank();
    there.http
      .expect(
        'POST',
        '/v1/payments/sepa-credit-transfers',
        made('RCVD', { startAuthorisation: authorisations }),
      )
      .expect('POST', authorisations, {
        ...answer({ scaStatus: 'started' }),
        headers: { 'ASPSP-SCA-Approach': 'DECOUPLED' },
      })
      .expect('GET', `${authorisations}/a-1`, { body: { scaStatus: 'started', transactionStatus: 'RVCM' } });
    expectStopped(await there.run(`${pay} --wait`), 'payment', 'RVCM');
    there.http.verify();
  });

  it('in the read after its authorisation, once', async () => {
    const there = await bank();
    there.http
      .expect('POST', '/v1/payments/sepa-credit-transfers', started)
      .expect('POST', authorisations, answer({ scaStatus: 'finalised' }))
      .expect('GET', `${one}/status`, {
        body: { ...status('RVCM').body, _links: { payeeCheck: link(`${one}/payee`) } },
      });
    const ran = await there.run(`${pay} ${secrets} --wait`, env);
    expect(expectStopped(ran, 'payment', 'RVCM')['unknownLinks']).toEqual(['payeeCheck']);
    there.http.verify();
  });

  it.each([
    'payment authorise p-1 --wait',
    `payment authorise p-1 ${secrets}`,
    'payment authorise p-1 --psu-id berta',
    'sca open p-1 --wait',
    'sca submit p-1 --otp-from env:OTP',
    'pending resume p-1 --wait',
    `${pay.replace('--allow-duplicate', '')} --intent-key order-1 --wait`,
  ])('for every command that would go on: %s', async (line) => {
    const there = await bank();
    there.http.expect('POST', '/v1/payments/sepa-credit-transfers', made('RVCM', { scaRedirect: page }));
    await there.run(`${pay.replace('--allow-duplicate', '')} --intent-key order-1`);
    if (line.includes('berta')) there.http.expect('GET', authorisations, { body: { authorisationIds: [] } });
    there.http.expect('GET', `${one}/status`, status('RVCM'));
    expectStopped(await there.run(line.includes('--json') ? line : `${line} --json`, env), 'payment', 'RVCM');
    there.http.verify();
  });

  it('until the bank says one that is known', async () => {
    const there = await bank();
    there.http
      .expect(
        'POST',
        '/v1/payments/sepa-credit-transfers',
        made('RVNC', { startAuthorisationWithPsuAuthentication: authorisations }),
      )
      .expect('GET', `${one}/status`, status('RCVD'))
      .expect('POST', authorisations, answer({ scaStatus: 'finalised' }))
      .expect('GET', `${one}/status`, status('ACSC'));
    await there.run(pay);
    const ran = await there.run(`payment authorise p-1 ${secrets} --json`, env);
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([0, { transactionStatus: 'ACSC' }]);
    there.http.verify();
  });

  it('reading stays 0, and the list of what is pending names what shows more', async () => {
    const there = await bank();
    there.http
      .expect('POST', '/v1/payments/sepa-credit-transfers', made('RVCM', { scaRedirect: page }))
      .expect('GET', `${one}/status`, status('RVCM'))
      .expect('GET', one, status('RVCM'));
    await there.run(pay);
    expect((await there.run('payment status p-1 --json')).code).toBe(0);
    expect((await there.run('payment get p-1 --json')).code).toBe(0);
    const { stdout } = await there.run('pending list --json');
    expect(JSON.parse(stdout)).toMatchObject([{ transactionStatus: 'RVCM', next: 'obk payment get p-1' }]);
  });
});

it('a link that nobody knows stops nothing where a known one leads on, and is listed', async () => {
  const there = await bank();
  there.http.expect(
    'POST',
    '/v1/payments/sepa-credit-transfers',
    made('RCVD', { vendorThing: `${one}/thing`, scaRedirect: page, status: `${one}/status` }),
  );
  const { code, stdout } = await there.run(pay);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { sca: { url: page }, unknownLinks: ['vendorThing'] },
  ]);
});

it.each(['', 'EMBEDDED', 'REDIRECT'])(
  'where only such links stand obk stops and shows them: %s',
  async (approach) => {
    for (const [way, exit] of [
      ['', 0],
      ['--wait', 8],
      // They are of no use where the PSU is sent to the bank.
      [secrets, approach === 'REDIRECT' ? 0 : 8],
    ] as const) {
      const person = fakePerson({ present: false });
      if (way === secrets) person.answer('psu-password', env.PW);
      const there = await accountBank({ consent: 'none', surface: 'framework', person });
      there.http.expect('POST', '/v1/payments/sepa-credit-transfers', {
        ...made('RCVD', { vendorThing: `${one}/thing`, status: `${one}/status` }),
        ...(approach !== '' && { headers: { 'ASPSP-SCA-Approach': approach } }),
      });
      const { code, stdout } = await there.run(`${pay} ${way}`, env);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        exit,
        { unknownLinks: ['vendorThing'], next: 'obk payment get p-1' },
      ]);
      there.http.verify();
    }
  },
);

import type { Oddity } from '../../../helpers/bank-settings.ts';
import { pathOf } from '../../../helpers/bank-settings.ts';
import type { TypedBank } from '../../../helpers/typed-bank.ts';

const consent = ['consent', 'create', '--all-psd2', '--psu-id', 'anna'];
const read = ['api', 'getBalances', '-f', 'account-id=a', '-H', 'Consent-ID: c', '-v'];
const always =
  (body: unknown, status = 200, headers = {}): TypedBank =>
  () => [status, body, headers];
const page = 'https://login.bank.example/c';
const status = ['api', 'getConsentScaStatus', '-f', 'consentId=c', '-f', 'authorisationId=x', '-v'];

const authorisation = '/v1/consents/c-1/authorisations/x';

export const shapes: readonly Oddity[] = [
  // a bank whose answers have another shape
  {
    bank: always({ scaStatus: 'started', challengeData: { data: '12345678' } }),
    settings: { sca: { challengeData: 'text' } },
    run: [status],
    without: /data of the challenge are a text/,
  },
  {
    about: 'string',
    bank: always({ consentStatus: 'received', consentId: 'c-1', _links: { scaRedirect: page } }, 201),
    settings: { links: { shape: 'string' } },
    run: [[...consent, '-v']],
    without: /links are texts|departs from the standard/,
  },
  {
    about: 'list',
    bank: always(
      { consentStatus: 'received', consentId: 'c-1', _links: [{ rel: 'scaRedirect', href: page }] },
      201,
    ),
    settings: { links: { shape: 'list' } },
    run: [[...consent, '-v']],
    without: /links stand in a list/,
  },
  {
    bank: always({
      scaStatus: 'started',
      scaMethods: [{ authenticationType: 'SMTP_OTP', authenticationMethodId: '1' }],
    }),
    settings: { spec: { validateAgainst: '1.3.8' } },
    run: [status],
    without: /SMTP_OTP is not part of 1\.3\.2/,
  },
  {
    about: 'oauth',
    bank: always({ error: 'invalid_token', error_description: 'it has ended' }, 400),
    settings: { errors: { shapes: ['oauth'] } },
    run: [read],
    without: 5,
    code: 4,
  },
  {
    about: 'html',
    bank: always('<html><body>Closed today</body></html>', 403, { 'Content-Type': 'text/html' }),
    settings: { errors: { shapes: ['html'] } },
    run: [read],
    without: /written as html|gateway or a web server/,
    code: 5,
    tells: /Closed today/,
  },
  {
    about: 'problem',
    bank: always({ type: 'about:blank', title: 'Closed', detail: 'today' }, 403),
    settings: { errors: { shapes: ['problem'] } },
    run: [read],
    without: /written as problem/,
    code: 5,
    tells: /Closed: today/,
  },
  // a bank that waits for the PSU otherwise
  {
    bank: (asked) =>
      asked.method === 'POST'
        ? [
            201,
            {
              consentStatus: 'received',
              consentId: 'c-1',
              authorisationId: 'x',
              _links: { scaRedirect: { href: page }, scaStatus: { href: authorisation } },
            },
          ]
        : [200, pathOf(asked) === authorisation ? { scaStatus: 'started' } : { consentStatus: 'received' }],
    settings: { sca: { redirectLifetimeS: 1 } },
    run: [[...consent, '--wait', '--timeout', '2s']],
    code: 8,
    without: /^(?![^]*the PSU for 1 s)[^]*$/,
    tells: /for the PSU for 1 s \(sca\.redirectLifetimeS\)/,
  },
  {
    bank: (asked) =>
      asked.method === 'POST'
        ? [
            201,
            {
              consentStatus: 'received',
              consentId: 'c-1',
              authorisationId: 'x',
              _links: { scaStatus: { href: authorisation } },
            },
            { 'ASPSP-SCA-Approach': 'DECOUPLED' },
          ]
        : [200, pathOf(asked) === authorisation ? { scaStatus: 'started' } : { consentStatus: 'received' }],
    settings: { sca: { poll: { timeoutS: 1 } } },
    run: [[...consent, '--wait', '--timeout', '2s']],
    code: 8,
    without: /^(?![^]*the PSU for 1 s)[^]*$/,
    tells: /for the PSU for 1 s \(sca\.poll\.timeoutS\)/,
  },
  // a bank whose answer says nothing of a code to confirm with
  {
    bank: always(
      { consentStatus: 'received', consentId: 'c-1', _links: { scaRedirect: { href: page } } },
      201,
    ),
    settings: { sca: { confirmationCode: true } },
    flags: ['--redirect-uri', 'https://tpp.example/back', '--redirect-state', 'none'],
    run: [[...consent, '--json']],
    // The code is taken from the browser that has the state, and from no other.
    without: /^(?![^]*[?&]state=)[^]*$/,
    gives: /login\.bank\.example\/c\?state=/,
  },
];

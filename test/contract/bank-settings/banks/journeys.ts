import type { Journey, Oddity } from '../../../helpers/bank-settings.ts';
import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { pathOf, queryOf, refused } from '../../../helpers/bank-settings.ts';
import { payShop } from '../../../helpers/obk.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

const pay = [...payShop, '--psu-id', 'anna', '--allow-duplicate'];
const consent = ['consent', 'create', '--all-psd2', '--psu-id', 'anna'];
const payment = '/v1/payments/sepa-credit-transfers/p-1';
const redirect = { scaRedirect: { href: 'https://login.bank.example/c' } };
const validConsent = {
  ...{ access: { allPsd2: 'allAccounts' }, recurringIndicator: true, validUntil: '2999-12-31' },
  ...{ frequencyPerDay: 4, lastActionDate: '2026-11-01', consentStatus: 'valid' },
};

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const part = (text = '') => Buffer.from(text, 'base64url');

/** The password in a JWE, as the bank reads it (RFC 7516). */
function decrypted(jwe: unknown): string {
  const [head, key, iv, text, tag] = String(jwe).split('.');
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  if ((JSON.parse(part(head).toString()) as { alg: string }).alg !== 'RSA-OAEP-256') return '';
  const cek = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, part(key));
  const cipher = createDecipheriv('aes-256-gcm', cek, part(iv));
  cipher.setAAD(Buffer.from(head ?? '', 'ascii')).setAuthTag(part(tag));
  return Buffer.concat([cipher.update(part(text)), cipher.final()]).toString('utf8');
}

/** A bank that takes a password only as a JWE for the key that its answer links to, or that stands somewhere. */
const encrypting =
  (certificate: string | undefined = '/certificates/psu.pem', isLinked = true): TypedBank =>
  (asked) => {
    const start = `${payment}/authorisations`;
    if (pathOf(asked) === '/certificates/psu.pem')
      return [
        200,
        publicKey.export({ type: 'spki', format: 'pem' }),
        { 'Content-Type': 'application/x-pem-file' },
      ];
    if (asked.path === start) {
      const { psuData } = JSON.parse(asked.body) as { psuData?: { encryptedPassword?: string } };
      return psuData?.encryptedPassword !== undefined && decrypted(psuData.encryptedPassword) === 'p4ss'
        ? [201, { scaStatus: 'finalised', authorisationId: 'x', _links: {} }]
        : refused(400, 'FORMAT_ERROR');
    }
    if (asked.method === 'GET') return [200, { transactionStatus: 'ACSC' }];
    const _links = {
      startAuthorisationWithEncryptedPsuAuthentication: { href: start },
      ...(isLinked && { psuCertificate: { href: certificate } }),
    };
    return [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links }];
  };
const withPassword = [...pay, '--psu-password-from', 'env:PASSWORD', '--wait'];

/** A payment that is cancelled with 202; what the PSU does then is in the status. */
const cancelling =
  (right: (asked: Asked) => boolean = () => true): TypedBank =>
  (asked) => {
    if (asked.method === 'DELETE')
      return right(asked) ? [202, { transactionStatus: 'RCVD' }] : refused(400, 'FORMAT_ERROR');
    if (asked.path === `${payment}/cancellation-authorisations`)
      return [201, { scaStatus: 'received', authorisationId: 'y', _links: redirect }];
    if (asked.method === 'POST')
      return [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: redirect }];
    return [200, { transactionStatus: 'RCVD' }];
  };

/** Accounts under a consent; `list` answers what asks for transactions. */
const listing =
  (list: TypedBank): TypedBank =>
  (asked) => {
    if (asked.method === 'POST') return [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }];
    return asked.path === '/v1/consents/c-1' ? [200, validConsent] : list(asked);
  };
const entry = (id: string) => ({
  ...{ transactionId: id, bookingDate: '2026-11-01', creditorName: 'Shop' },
  transactionAmount: { currency: 'EUR', amount: '-1.00' },
});
const second = '/v1/accounts/a/transactions?page=2';

/** A payment that one PSU has authorised, of several who may have to, with what becomes of it. */
const partlyPaid =
  (status: string): TypedBank =>
  (asked) => {
    if (asked.path === '/v1/payments/sepa-credit-transfers')
      return [
        201,
        {
          ...{ transactionStatus: 'RCVD', paymentId: 'p-1', authorisationId: 'x' },
          _links: { updatePsuAuthentication: { href: `${payment}/authorisations/x` } },
        },
      ];
    if (asked.method === 'PUT') return [200, { scaStatus: 'finalised' }];
    if (asked.path === `${payment}/authorisations`) return [200, { authorisationIds: ['x', 'y'] }];
    if (asked.path.includes('/authorisations/'))
      return [200, { scaStatus: asked.path.endsWith('y') ? 'received' : 'finalised' }];
    return [200, { transactionStatus: status }];
  };

/** How often obk has counted the authorisations of a payment. */
const counted: Journey = async (obk, bank) => {
  await obk([...withPassword, '--timeout', '2s', '--json']);
  const calls = bank.asked.filter(({ path }) => path === `${payment}/authorisations`);
  return { code: 0, stdout: `counted ${String(calls.length)} times`, stderr: '' };
};

export const journeys: readonly Oddity[] = [
  // a bank whose journeys are otherwise
  {
    bank: encrypting(),
    settings: { sca: { passwordEncryption: { certificateLink: 'psuCertificate' } } },
    run: [withPassword],
    env: { PASSWORD: 'p4ss' },
    without: /^(?![^]*ACSC)[^]*$/,
    gives: /ACSC/,
    never: /p4ss/,
  },
  {
    bank: encrypting(undefined, false),
    settings: { sca: { passwordEncryption: { certificatePath: '/certificates/psu.pem' } } },
    run: [withPassword],
    env: { PASSWORD: 'p4ss' },
    without: /^(?![^]*ACSC)[^]*$/,
    gives: /ACSC/,
    never: /p4ss/,
  },
  {
    bank: encrypting(),
    always: { sca: { passwordEncryption: { certificateLink: 'psuCertificate', kind: 'RSA-OAEP' } } },
    settings: { sca: { passwordEncryption: { kind: 'RSA-OAEP-256' } } },
    run: [withPassword],
    env: { PASSWORD: 'p4ss' },
    without: /^(?![^]*ACSC)[^]*$/,
    gives: /ACSC/,
  },
  {
    about: 'elsewhere',
    bank: encrypting('https://evil.example/psu.pem'),
    settings: { sca: { passwordEncryption: { certificateLink: 'psuCertificate' } } },
    run: [withPassword],
    env: { PASSWORD: 'p4ss' },
    without: /^(?![^]*comes from the bank alone)[^]*$/,
    code: 5,
    tells: /comes from the bank alone/,
  },
  {
    bank: () => [201, { consentStatus: 'received', consentId: 'c-1', _links: redirect }],
    settings: { sca: { approaches: ['redirect'] } },
    run: [[...consent, '--psu-password-from', 'env:PASSWORD', '--redirect', 'no']],
    env: { PASSWORD: 'p4ss' },
    without: /^(?![^]*redirect alone)[^]*$/,
    tells: /--redirect no: the bank has redirect alone[^]*--psu-password-from is not used/,
  },
  {
    about: 'true',
    bank: cancelling(),
    settings: { payments: { cancel: { needsSca: true } } },
    run: [pay, ['payment', 'cancel', 'p-1', '--yes', '--json']],
    without: /^(?![^]*login\.bank)[^]*$/,
    gives: /login\.bank\.example/,
  },
  {
    about: 'false',
    bank: cancelling((asked) => asked.headers['tpp-redirect-uri'] === undefined),
    always: { framework: '1.3.6' },
    settings: { payments: { cancel: { needsSca: false } } },
    flags: ['--redirect-uri', 'https://tpp.example/back'],
    run: [pay, ['payment', 'cancel', 'p-1', '--yes']],
    without: 5,
    code: 8,
  },
  {
    bank: listing((asked) =>
      asked.path.includes('page=2')
        ? queryOf(asked).get('bookingStatus') === 'booked' && queryOf(asked).has('dateFrom')
          ? [200, { transactions: { booked: [entry('t-2')] } }]
          : refused(400, 'FORMAT_ERROR')
        : [200, { transactions: { booked: [entry('t-1')], _links: { next: { href: second } } } }],
    ),
    settings: { ais: { paging: { params: 'same' } } },
    run: [consent, ['transactions', 'list', '--account', 'a', '--all', '--json']],
    gives: /t-2/,
  },
  {
    bank: listing(() => refused(404, 'RESOURCE_UNKNOWN')),
    settings: { decode: { ids: 'unstable' } },
    run: [consent, ['transactions', 'get', 't-1', '--account', 'a']],
    code: 5,
    without: /^(?![^]*another transactionId)[^]*$/,
    tells: /another transactionId with each list \(decode\.ids\)/,
  },
  {
    bank: ({ path }) =>
      path.startsWith('/v1/accounts') ? refused(401, 'CERTIFICATE_MISSING') : refused(400, 'FORMAT_ERROR'),
    settings: { registration: { kind: 'firstCall', operation: 'getAccountList', successStatus: [401] } },
    run: [['doctor', '--json']],
    without: 10,
    gives: /knows the TPP now/,
  },
  {
    bank: ({ path }) =>
      path.startsWith('/v1/accounts') ? [200, { accounts: [] }] : refused(401, 'CERTIFICATE_MISSING'),
    always: { registration: { kind: 'firstCall' } },
    settings: { registration: { operation: 'getAccountList' } },
    run: [['doctor', '--json']],
    without: /CERTIFICATE_MISSING/,
    gives: /knows the TPP now/,
  },
  {
    bank: () => refused(401, 'CERTIFICATE_MISSING'),
    always: { registration: { kind: 'portal' } },
    settings: { registration: { portal: 'https://portal.bank.example' } },
    run: [['doctor', '--json']],
    without: /^(?![^]*portal\.bank\.example)[^]*$/,
    code: 10,
    gives: /registers TPPs at https:\/\/portal\.bank\.example/,
  },
  {
    about: 'where a payment is left as it was',
    bank: partlyPaid('RCVD'),
    settings: { sca: { multilevel: true } },
    run: counted,
    env: { PASSWORD: 'p4ss' },
    without: /counted 0/,
    gives: /counted 1/,
  },
  {
    about: 'where one PSU is always enough',
    bank: partlyPaid('PATC'),
    settings: { sca: { multilevel: false } },
    run: counted,
    env: { PASSWORD: 'p4ss' },
    without: /counted 1/,
    gives: /counted 0/,
  },
];

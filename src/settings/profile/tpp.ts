import type { HeaderName } from '../../standard/xs2a/header-rows.ts';
import { by, choice, group, isReference, map, path, reference, text, url, yesNo } from './row.ts';
import { plainName, variableValue } from './bank-texts.ts';
import {
  contextHeader,
  currency,
  headerValue,
  iban,
  ipAddress,
  partyName,
  returnAddress,
  signer,
} from './texts.ts';

const filled = (given: string) => (given === '' ? 'It must not be empty.' : undefined);
const word = (name?: HeaderName) => text({ wrong: filled, ...(name && { header: name }) });
const backAddress = (name: HeaderName) => url(returnAddress(name), { header: name });

/** Read before anything is asked, in every run. */
const unasked = reference({
  wrong: (given) =>
    given === 'prompt'
      ? 'It is read in every run, so it cannot be asked for.'
      : isReference(given)
        ? undefined
        : 'It must be a reference, never the secret itself (obk help references).',
});

/** Where the state is, of a profile or of all. */
export const stateRow = group({
  store: choice(['files', 'postgres']),
  urlFrom: unasked,
  keyFrom: unasked,
  oldKeyFrom: unasked,
  schema: text({
    wrong: (given) =>
      /^[a-z_][a-z0-9_]{0,62}$/.test(given)
        ? undefined
        : 'It must be a plain name: a-z, 0-9 and _, at most 63.',
  }),
});

/** A text that is the value of a header, and a yes or no that is. */
const header = (name: HeaderName) => ({ ...text({ wrong: headerValue(name) }), header: name });
const preferred = (name: HeaderName, variable: string) => ({ ...yesNo({ variable }), header: name });

/**
 * What a TPP may prefer where it makes or starts something, each the value of a header. The name of one in a run and in what is
 * kept is that of its flag: notificationUri.
 */
const prefer = {
  redirect: by(
    '--redirect <YES|NO>',
    'TPP-Redirect-Preferred (OBK_REDIRECT)',
    preferred('TPP-Redirect-Preferred', 'OBK_REDIRECT'),
  ),
  decoupled: by(
    '--decoupled <YES|NO>',
    'TPP-Decoupled-Preferred (1.3.9 on; OBK_DECOUPLED)',
    preferred('TPP-Decoupled-Preferred', 'OBK_DECOUPLED'),
  ),
  explicit: by(
    '--explicit <YES|NO>',
    'TPP-Explicit-Authorisation-Preferred (OBK_EXPLICIT)',
    preferred('TPP-Explicit-Authorisation-Preferred', 'OBK_EXPLICIT'),
  ),
  rejectNoFunds: by(
    '--reject-no-funds [YES|NO]',
    'TPP-Rejection-NoFunds-Preferred (OBK_REJECT_NO_FUNDS)',
    preferred('TPP-Rejection-NoFunds-Preferred', 'OBK_REJECT_NO_FUNDS'),
  ),
};
const notification = {
  uri: by('--notification-uri <URL>', 'address for status notifications of the bank', {
    ...url(headerValue('TPP-Notification-URI')),
    header: 'TPP-Notification-URI' as const,
  }),
  content: by(
    '--notification-content <LIST>',
    'which notifications: status=SCA,PROCESS,LAST',
    header('TPP-Notification-Content-Preferred'),
  ),
};
const further = {
  brandLogging: by(
    '--brand-logging <TEXT>',
    'TPP-Brand-Logging-Information (1.3.6)',
    header('TPP-Brand-Logging-Information'),
  ),
};

/** The rows of preferences by their names. */
export const preferenceRows = {
  ...prefer,
  notificationUri: notification.uri,
  notificationContent: notification.content,
  ...further,
};

/** The TPP's own settings; a bank file must not hold them. */
export const tppRows = {
  environment: by(
    '--environment <E>',
    'sandbox, test or production; needed where the bank is not on this machine',
    choice(['sandbox', 'test', 'production']),
  ),
  allowHttp: by(
    '--allow-http <YES|NO>',
    'plain http off this machine; never with a token, password or OTP',
    yesNo(),
  ),
  certificate: by('--certificate <FILE>', 'QSealC that signs (PEM)', path),
  key: by('--key <FILE>', 'its private key (PEM)', path),
  keyPassphraseFrom: by(
    '--key-passphrase-from <REF>',
    'passphrase of the key (obk help references)',
    reference(),
  ),
  signer: by(
    '--signer <CMD>',
    'program that signs in place of a key: cmd:/absolute/path args',
    text({ wrong: signer }),
  ),
  tlsCertificate: by('--tls-certificate <FILE>', 'QWAC for mutual TLS (PEM)', path),
  tlsKey: by('--tls-key <FILE>', 'its private key (PEM)', path),
  tlsKeyPassphraseFrom: by('--tls-key-passphrase-from <REF>', 'passphrase of the TLS key', reference()),
  caCertificates: by('--ca <FILE>', 'further CA certificates (PEM)', path),
  redirectUri: by('--redirect-uri <URL>', 'TPP-Redirect-URI', backAddress('TPP-Redirect-URI')),
  nokRedirectUri: by('--nok-redirect-uri <URL>', 'TPP-Nok-Redirect-URI', backAddress('TPP-Nok-Redirect-URI')),
  redirect: group({
    state: by(
      '--redirect-state <WHERE>',
      'query: each transaction adds a state of its own to these addresses; none',
      choice(['query', 'none']),
    ),
  }),
  prefer: group(prefer),
  notification: group(notification),
  ...further,
  lint: group({
    charset: by(
      '--lint-charset <LEVEL>',
      'warn or error: characters that not every bank takes, in SEPA payments',
      choice(['warn', 'error'], { otherwise: 'warn' }),
    ),
  }),
  psu: group({
    id: by('--psu-id <ID>', 'PSU-ID', word('PSU-ID')),
    idType: by('--psu-id-type <TYPE>', 'PSU-ID-Type', word('PSU-ID-Type')),
    corporateId: by('--psu-corporate-id <ID>', 'PSU-Corporate-ID', word('PSU-Corporate-ID')),
    corporateIdType: by(
      '--psu-corporate-id-type <TYPE>',
      'PSU-Corporate-ID-Type',
      word('PSU-Corporate-ID-Type'),
    ),
    ipAddress: by('--psu-ip <ADDRESS>', 'PSU-IP-Address', {
      ...text({ wrong: ipAddress }),
      header: 'PSU-IP-Address',
    }),
    context: map(contextHeader, text()),
    passwordFrom: by('--psu-password-from <REF>', 'password of the PSU (obk help references)', reference()),
    otpFrom: by('--otp-from <REF>', 'one-time password (obk help references)', reference()),
    scaMethod: by('--sca-method <ID>', 'SCA method to choose', word()),
  }),
  passwordEncryption: group(
    {
      key: by('--psu-password-key <FILE>', 'key of the bank that encrypts passwords (PEM, JWK)', path),
      algorithm: by(
        '--psu-password-algorithm <A>',
        'RSA-OAEP-256 (if not given), or RSA-OAEP',
        choice(['RSA-OAEP-256', 'RSA-OAEP']),
      ),
    },
    ['key'],
  ),
  debtor: by('--debtor <IBAN>', 'account that payments are made from', text({ wrong: iban })),
  debtorName: by('--debtor-name <NAME>', 'name of its holder, in pain.001', text({ wrong: partyName(70) })),
  initiatingParty: by(
    '--initiating-party <NAME>',
    'name of the party that starts payments, in pain.001',
    text({ wrong: partyName(140) }),
  ),
  tokenStore: choice(['file', 'keyring'], { otherwise: 'file' }),
  state: stateRow,
  answers: group({ digest: choice(['verify', 'warn', 'off']) }),
  currency: text({ wrong: currency }),
  bankVars: map(plainName, text({ wrong: variableValue })),
};

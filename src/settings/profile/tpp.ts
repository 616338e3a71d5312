import { choice, group, isReference, map, path, reference, text, url, yesNo } from './row.ts';
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
const word = (flag: string) => text({ wrong: filled, flag });

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

/** The TPP's own settings; a bank file must not hold them. */
export const tppRows = {
  environment: choice(['sandbox', 'test', 'production'], { flag: '--environment' }),
  allowHttp: yesNo({ flag: '--allow-http' }),
  certificate: path('--certificate'),
  key: path('--key'),
  keyPassphraseFrom: reference({ flag: '--key-passphrase-from' }),
  signer: text({ wrong: signer, flag: '--signer' }),
  tlsCertificate: path('--tls-certificate'),
  tlsKey: path('--tls-key'),
  tlsKeyPassphraseFrom: reference({ flag: '--tls-key-passphrase-from' }),
  caCertificates: path('--ca'),
  redirectUri: url(returnAddress('TPP-Redirect-URI'), { flag: '--redirect-uri' }),
  nokRedirectUri: url(returnAddress('TPP-Nok-Redirect-URI'), { flag: '--nok-redirect-uri' }),
  redirect: group({ state: choice(['query', 'none'], { flag: '--redirect-state' }) }),
  prefer: group({
    redirect: yesNo({ flag: '--redirect' }),
    decoupled: yesNo({ flag: '--decoupled' }),
    explicit: yesNo({ flag: '--explicit' }),
    rejectNoFunds: yesNo({ flag: '--reject-no-funds' }),
  }),
  notification: group({
    uri: url(headerValue('TPP-Notification-URI'), { flag: '--notification-uri' }),
    content: text({
      wrong: headerValue('TPP-Notification-Content-Preferred'),
      flag: '--notification-content',
    }),
  }),
  brandLogging: text({ wrong: headerValue('TPP-Brand-Logging-Information'), flag: '--brand-logging' }),
  lint: group({
    charset: choice(['warn', 'error'], { flag: '--lint-charset', otherwise: 'warn' }),
  }),
  psu: group({
    id: word('--psu-id'),
    idType: word('--psu-id-type'),
    corporateId: word('--psu-corporate-id'),
    corporateIdType: word('--psu-corporate-id-type'),
    ipAddress: text({ wrong: ipAddress, flag: '--psu-ip' }),
    context: map(contextHeader, text()),
    passwordFrom: reference({ flag: '--psu-password-from' }),
    otpFrom: reference({ flag: '--otp-from' }),
    scaMethod: word('--sca-method'),
  }),
  passwordEncryption: group(
    {
      key: path('--psu-password-key'),
      algorithm: choice(['RSA-OAEP-256', 'RSA-OAEP'], { flag: '--psu-password-algorithm' }),
    },
    ['key'],
  ),
  debtor: text({ wrong: iban, flag: '--debtor' }),
  debtorName: text({ wrong: partyName(70), flag: '--debtor-name' }),
  initiatingParty: text({ wrong: partyName(140), flag: '--initiating-party' }),
  tokenStore: choice(['file', 'keyring'], { otherwise: 'file' }),
  state: stateRow,
  answers: group({ digest: choice(['verify', 'warn', 'off']) }),
  currency: text({ wrong: currency }),
  bankVars: map(plainName, text({ wrong: variableValue })),
};

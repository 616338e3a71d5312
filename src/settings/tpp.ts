import type { Profile } from '../records/profile.ts';
import type { bankRows } from './bank.ts';
import { choice, group, map, path, reference, text, url, yesNo } from './row.ts';
import type { RowsOf } from './row.ts';
import { plainName, variableValue } from './bank-texts.ts';
import { contextHeader, currency, headerValue, iban, ipAddress, signer } from './texts.ts';

type Group<Key extends keyof Profile> = NonNullable<Profile[Key]>;

const filled = (given: string) => (given === '' ? 'It must not be empty.' : undefined);
const word = (flag: string) => text({ wrong: filled, flag });

/** The TPP's own settings; a bank file must not hold them. */
export const tppRows: RowsOf<Omit<Profile, keyof typeof bankRows>> = {
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
  redirectUri: url(headerValue('TPP-Redirect-URI'), { flag: '--redirect-uri' }),
  nokRedirectUri: url(headerValue('TPP-Nok-Redirect-URI'), { flag: '--nok-redirect-uri' }),
  redirect: group<Group<'redirect'>>({ state: choice(['query', 'none'], { flag: '--redirect-state' }) }),
  prefer: group<Group<'prefer'>>({
    redirect: yesNo({ flag: '--redirect' }),
    decoupled: yesNo({ flag: '--decoupled' }),
    explicit: yesNo({ flag: '--explicit' }),
    rejectNoFunds: yesNo({ flag: '--reject-no-funds' }),
  }),
  notification: group<Group<'notification'>>({
    uri: url(headerValue('TPP-Notification-URI'), { flag: '--notification-uri' }),
    content: text({
      wrong: headerValue('TPP-Notification-Content-Preferred'),
      flag: '--notification-content',
    }),
  }),
  brandLogging: text({ wrong: headerValue('TPP-Brand-Logging-Information'), flag: '--brand-logging' }),
  lint: group<Group<'lint'>>({
    charset: choice(['warn', 'error'], { flag: '--lint-charset', otherwise: 'warn' }),
  }),
  psu: group<Group<'psu'>>({
    id: word('--psu-id'),
    idType: word('--psu-id-type'),
    corporateId: word('--psu-corporate-id'),
    corporateIdType: word('--psu-corporate-id-type'),
    ipAddress: text({ wrong: ipAddress, flag: '--psu-ip' }),
    context: map<NonNullable<Group<'psu'>['context']>>(contextHeader, text()),
    passwordFrom: reference({ flag: '--psu-password-from' }),
    otpFrom: reference({ flag: '--otp-from' }),
    scaMethod: word('--sca-method'),
  }),
  passwordEncryption: group<Group<'passwordEncryption'>>(
    {
      key: path('--psu-password-key'),
      algorithm: choice(['RSA-OAEP-256', 'RSA-OAEP'], { flag: '--psu-password-algorithm' }),
    },
    ['key'],
  ),
  debtor: text({ wrong: iban, flag: '--debtor' }),
  tokenStore: choice(['file', 'keyring'], { otherwise: 'file' }),
  answers: group<Group<'answers'>>({ digest: choice(['verify', 'warn', 'off']) }),
  currency: text({ wrong: currency }),
  bankVars: map<Group<'bankVars'>>(plainName, text({ wrong: variableValue })),
};

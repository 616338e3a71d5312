import type { Register, Run } from '../../command.ts';
import { bankVariables } from '../../../settings/doors/bank-variables.ts';
import { doorKeys, doors, doorVariable } from '../../../settings/doors/table.ts';
import { definitions } from '../../render/wrap.ts';
import { presetNames } from '../../../standard/xs2a/variants.ts';

/** The doors of the bank inside, one variable for each, and its other flags. */
const sandboxVariables = [
  ...doorKeys.map((key) => [doorVariable(key), `as ${doors[key].flag} of sandbox start`] as const),
  ...Object.entries(bankVariables).map(([flag, name]) => [name, `as --${flag} of sandbox start`] as const),
];

/** Every variable that obk reads, with what it does. */
export const variables: readonly (readonly [name: string, meaning: string])[] = [
  ['OBK_PROFILE', 'profile, as --profile'],
  ['OBK_BASE_URL', 'address of the bank instead of the one in the profile'],
  ['OBK_VERSION', `${presetNames.join(' or ')} instead of the one in the profile`],
  ['OBK_CERT, OBK_KEY', 'certificate and key to sign with (files)'],
  ['OBK_TLS_CERT, OBK_TLS_KEY', 'certificate and key for mutual TLS (files)'],
  ['OBK_CACERT', 'further CA certificates (file)'],
  ['OBK_TRUST_BANK', 'yes, as --trust-bank'],
  ['OBK_TOKEN', 'access token instead of the stored one'],
  ['OBK_TOKEN_STORE', 'file or keyring: where tokens are kept from now on'],
  ['OBK_KEY_PASSPHRASE_FROM', 'reference to the passphrase of the key'],
  ['OBK_TLS_KEY_PASSPHRASE_FROM', 'the same of the TLS key'],
  ['OBK_PASSPHRASE_FROM', 'reference to the passphrase of a PKCS#12 file'],
  ['OBK_PSU_ID', 'PSU-ID, as --psu-id'],
  ['OBK_PSU_ID_TYPE', 'as --psu-id-type'],
  ['OBK_PSU_CORPORATE_ID', 'as --psu-corporate-id'],
  ['OBK_PSU_CORPORATE_ID_TYPE', 'as --psu-corporate-id-type'],
  ['OBK_PSU_IP', 'PSU-IP-Address, as --psu-ip'],
  ['OBK_REDIRECT, OBK_EXPLICIT', 'yes or no, as --redirect and --explicit'],
  ['OBK_DECOUPLED', 'yes or no, as --decoupled'],
  ['OBK_REJECT_NO_FUNDS', 'yes or no, as --reject-no-funds'],
  ['OBK_PRODUCT, OBK_DEBTOR', 'as --product and --debtor of payment init'],
  ['OBK_DEBTOR_NAME', 'as --debtor-name'],
  ['OBK_INITIATING_PARTY', 'as --initiating-party'],
  ['OBK_CREDITOR_NAME', 'as --creditor-name'],
  ['OBK_CREDITOR_ACCOUNT', 'as --creditor-account'],
  ['OBK_CREDITOR_AGENT', 'as --creditor-agent'],
  ['OBK_CREDITOR_ADDRESS', 'as --creditor-address'],
  ['OBK_CHARGE_BEARER', 'as --charge-bearer'],
  ['OBK_START_DATE, OBK_FREQUENCY', 'as --start-date and --frequency'],
  ['OBK_AMOUNT, OBK_REMITTANCE', 'as --amount and --remittance'],
  ['OBK_IBAN, OBK_RECURRING', 'as --iban and --recurring of consent create'],
  ['OBK_CONSENT_ID', 'consent to read accounts with, as --consent'],
  ['OBK_OVER_BUDGET', 'as --over-budget'],
  ['OBK_TRUST_REFERENCES', 'as --trust-references'],
  ['OBK_ENVIRONMENT', 'answer of profile create, edit and import: sandbox, test or production'],
  ['OBK_YES, OBK_CONFIRM', 'as --yes and --confirm'],
  ['OBK_PSU_PASSWORD_FROM', 'reference to the password of the PSU'],
  ['OBK_PSU_ADDITIONAL_PASSWORD_FROM', 'reference to the second password'],
  ['OBK_PSU_ENCRYPTED_PASSWORD_FROM', 'reference to a password encrypted already'],
  ['OBK_PSU_ADDITIONAL_ENCRYPTED_PASSWORD_FROM', 'the same of the second password'],
  ['OBK_OTP_FROM', 'reference to the one-time password'],
  ['OBK_RETURN_URL_FROM', 'reference to the address that the browser ended at'],
  ['OBK_SCA_METHOD', 'id or name of the SCA method'],
  ['OBK_NO_INPUT', 'never ask'],
  ['OBK_ACCESSIBLE', 'numbered questions on plain lines, no spinner'],
  ['OBK_BROWSER', 'auto, always, never, or the program that opens links'],
  ['OBK_PAGER, PAGER', 'program for long texts on a terminal (less); cat for none'],
  ['OBK_FORCE_TTY', 'print as for a terminal of so many columns'],
  ['OBK_ALLOW_SHARED_FOLDERS', 'use folders of settings and state that other users may write'],
  [
    'OBK_SANDBOX',
    'name or URL of the bank inside that is meant, where several run; the profile sandbox is its own',
  ],
  ['OBK_SANDBOX_TENANT', 'tenant of the bank inside that is meant, where it has tenants'],
  ['OBK_SANDBOX_TOKEN_FROM', 'reference to the token of a bank inside that runs elsewhere'],
  ['OBK_SANDBOX_CA', 'CA certificates (file) of a bank inside that runs elsewhere at https'],
  [
    'OBK_SANDBOX_IDLE',
    'after how long without a call a bank ends that a command has started for itself (60s)',
  ],
  ...sandboxVariables,
  ['OBK_STATE_URL_FROM', 'reference to the URL of a PostgreSQL with the state, shared by machines'],
  ['OBK_STATE_KEY_FROM', 'reference to the key that seals what goes there'],
  ['OBK_STATE_OLD_KEY_FROM', 'the same of the key before, where it was changed'],
  ['OBK_STATE_SCHEMA', 'schema of that database (obk)'],
  ['OBK_NO_LOG', 'keep no record of reads; writes are always recorded'],
  ['OBK_DEBUG', 'show the stack of an unexpected error'],
  ['OBK_CONFIG_DIR', 'folder of settings (else $XDG_CONFIG_HOME/obk)'],
  ['OBK_STATE_DIR', 'folder of journal and payments (else $XDG_STATE_HOME/obk)'],
  [
    'XDG_CACHE_HOME',
    'obk/ in it: compiled code, so that the next run starts sooner, and the ids that a TAB offers (else ~/.cache/obk)',
  ],
  ['NODE_COMPILE_CACHE', 'another folder for compiled code; NODE_DISABLE_COMPILE_CACHE=1 keeps none'],
  ['HTTPS_PROXY, HTTP_PROXY', 'http proxy on the way to banks (CONNECT); not for this machine'],
  ['NO_PROXY', 'hosts, domains and networks that no proxy is used for'],
  ['NO_COLOR, FORCE_COLOR', 'no colours, colours; also CLICOLOR, CLICOLOR_FORCE'],
  ['CI, TERM=dumb', 'nobody is there to ask; no colours'],
];

const text = [
  'The variables that obk reads. A flag goes before a variable, a variable before',
  'the project file (.obk.json, see obk help config trust), that before the',
  'active profile.',
  '',
  'ENVIRONMENT',
  ...definitions(variables, { indent: 2, width: 80, column: 30 }),
  '',
].join('\n');

export const register: Register = (command, start) => start(command, { examples: [], text }, run);

const run: Run<object> = () =>
  Promise.resolve({
    kind: 'data',
    data: variables.map(([name, meaning]) => ({ name, meaning })),
    text: () => text,
  });

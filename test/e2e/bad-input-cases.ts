import { shop } from '../helpers/obk.ts';

/** A wrong call and what must be said of it. */
export interface Case {
  args: readonly string[];
  exit: number;
  code: string;
  /** What the person must be told, in title, detail or hints. */
  says: (string | RegExp)[];
  env?: NodeJS.ProcessEnv;
  input?: string;
}

/** A payment whose amount is still to be given, with the profile whose bank nobody runs. */
export const pay = (...more: string[]) => ['payment', 'init', '--profile', 'bank', ...shop, ...more];
const amount = (value: string, ...says: (string | RegExp)[]): Case => ({
  args: pay('--amount', value),
  exit: 2,
  code: 'INPUT_INVALID',
  says: ['--amount', JSON.stringify(value), ...says],
});
const without = (flag: string, ...more: string[]) => {
  const args = pay('--amount', '1.00');
  args.splice(args.indexOf(flag), 2);
  return [...args, ...more];
};
const file = (name: string) => [
  ...['payment', 'init', '--profile', 'bank', '--product', 'sepa-credit-transfers', '--input', name],
];
export const profileFlags = [
  '--base-url',
  'https://bank.example',
  '--certificate',
  'good.pem',
  '--key',
  'good.key',
];

/** By what is wrong with them; the profiles and files are those of the test. */
export const cases: Record<string, Case> = {
  'a product that nearly exists': {
    args: without('--product', '--product', 'sepa-credit-transfer'),
    exit: 2,
    code: 'USAGE',
    says: ['sepa-credit-transfer', '--product sepa-credit-transfers'],
  },
  'a product that nobody knows': {
    args: without('--product', '--product', 'wire'),
    exit: 2,
    code: 'USAGE',
    says: ['wire', 'instant-sepa-credit-transfers'],
  },
  'an IBAN with a wrong check digit': {
    args: without('--creditor-account', '--creditor-account', 'DE88370400440532013000'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['--creditor-account', /check/],
  },
  'an amount with a comma': amount('1,00', /1\.00|dot/),
  'an amount with an exponent': amount('1e3'),
  'a negative amount': amount('-5'),
  'an amount of three decimals': amount('1.005', 'EUR'),
  'an amount of nothing': amount('0.00'),
  'two faults at once': {
    args: pay('--amount', '1,00', '--debtor', 'DE00'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['--amount', '--debtor'],
  },
  'every flag missing': {
    args: ['payment', 'init', '--profile', 'bank'],
    exit: 2,
    code: 'USAGE',
    says: ['--product', '--creditor-name', '--creditor-account', '--amount'],
  },
  'a key file that is not there': {
    args: ['payment', 'init', '--profile', 'no-key', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'KEY_FILE',
    says: ['missing.key'],
  },
  'a certificate file that is not there': {
    args: ['payment', 'init', '--profile', 'no-certificate', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'CERTIFICATE_FILE',
    says: ['missing.pem'],
  },
  'a certificate that is none': {
    args: ['payment', 'init', '--profile', 'not-pem', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'CERTIFICATE_FILE',
    says: ['text.pem'],
  },
  'a key that belongs to another certificate': {
    args: ['payment', 'init', '--profile', 'mismatch', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'KEY_MISMATCH',
    says: [/key/],
  },
  'an expired certificate': {
    args: ['payment', 'init', '--profile', 'expired', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'CERTIFICATE_EXPIRED',
    says: ['old.pem', new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)],
  },
  'a bank that is down': { args: pay('--amount', '1.00'), exit: 7, code: 'NOT_SENT', says: ['safe to run'] },
  'a new profile named ..': {
    args: ['profile', 'create', '../x', ...profileFlags],
    exit: 2,
    code: 'USAGE',
    says: ['../x', 'a-z'],
  },
  'a profile flag with ..': {
    args: ['payment', 'list', '--profile', '../x'],
    exit: 3,
    code: 'PROFILE_UNKNOWN',
    says: ['../x'],
  },
  'a profile variable with ..': {
    args: ['payment', 'list'],
    env: { OBK_PROFILE: '../../etc' },
    exit: 3,
    code: 'PROFILE_UNKNOWN',
    says: ['../../etc'],
  },
  'a profile that nearly exists': {
    args: ['profile', 'show', 'expird'],
    exit: 3,
    code: 'PROFILE_UNKNOWN',
    says: ['expired'],
  },
  'a base URL that is none': {
    args: ['profile', 'create', 'x', ...profileFlags, '--base-url', 'bank.example'],
    exit: 2,
    code: 'USAGE',
    says: ['--base-url', 'bank.example'],
  },
  'a base URL of another scheme': {
    args: ['payment', 'status', 'abcdef-1', '--profile', 'bank', '--base-url', 'ftp://bank.example'],
    exit: 3,
    code: 'PROFILE_INVALID',
    says: ['ftp://bank.example'],
  },
  'plain http to another machine': {
    args: pay('--amount', '1.00', '--base-url', 'http://bank.example'),
    exit: 3,
    code: 'CONNECTION_INSECURE',
    says: ['bank.example', 'https://bank.example'],
  },
  'a body that is no JSON': {
    args: file('broken.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['broken.json', /JSON/],
  },
  'a body that is no object': { args: file('list.json'), exit: 2, code: 'INPUT_INVALID', says: [/object/] },
  'a body with a member twice': {
    args: file('twice.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['creditorName'],
  },
  'a body whose amount is a number': {
    args: file('number.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['instructedAmount', /string/],
  },
  'a body whose amount has a comma': {
    args: file('comma.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['1,50'],
  },
  'a body that is not there': {
    args: file('none.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['none.json'],
  },
  'a body that is a folder': { args: file('.'), exit: 2, code: 'INPUT_INVALID', says: ['.'] },
  'a body on stdin that is empty': {
    args: file('-'),
    input: '',
    exit: 2,
    code: 'INPUT_INVALID',
    says: [/empty|JSON/],
  },
  'a body and flags': {
    args: [...file('good.json'), '--amount', '1.00'],
    exit: 2,
    code: 'USAGE',
    says: ['--input', '--amount'],
  },
  'an unknown @last': {
    args: ['payment', 'status', '@last', '--profile', 'expired'],
    exit: 2,
    code: 'RESOURCE_NOT_SAVED',
    says: ['expired', 'payment init'],
  },
  'a @last too far back': {
    args: ['payment', 'status', '@last-7', '--profile', 'bank'],
    exit: 2,
    code: 'RESOURCE_NOT_SAVED',
    says: ['payment list'],
  },
  'a prefix of two ids': {
    args: ['payment', 'status', 'abcdef', '--profile', 'bank'],
    exit: 2,
    code: 'ID_AMBIGUOUS',
    says: ['abcdef-1', 'abcdef-2'],
  },
  'an id with a dot segment': {
    args: ['payment', 'status', '%2e%2e', '--profile', 'bank', '--product', 'sepa-credit-transfers'],
    exit: 2,
    code: 'USAGE',
    says: [/dot segment/],
  },
  'a command that nearly exists': {
    args: ['payment', 'initt'],
    exit: 2,
    code: 'USAGE',
    says: ['initt', 'obk payment init'],
  },
  'a flag that nearly exists': {
    args: pay('--amout', '1.00'),
    exit: 2,
    code: 'USAGE',
    says: ['--amout', '--amount'],
  },
  'a flag without its value': { args: pay('--amount'), exit: 2, code: 'USAGE', says: ['--amount'] },
  'a second id': {
    args: ['payment', 'status', 'one', 'two'],
    exit: 2,
    code: 'USAGE',
    says: [/one|two|argument/],
  },
  'a duration that is none': {
    args: pay('--amount', '1.00', '--timeout', 'soon'),
    exit: 2,
    code: 'USAGE',
    says: ['--timeout', 'soon'],
  },
  'an X-Request-ID that is no UUID': {
    args: pay('--amount', '1.00', '--request-id', 'x'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: [/UUID/i],
  },
  'an address of the PSU that is none': {
    args: pay('--amount', '1.00', '--psu-ip', 'home'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['PSU-IP-Address', 'home'],
  },
  'a header that smuggles another': {
    args: pay('--amount', '1.00', '--psu-id', 'x\r\nConsent-ID: y'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['PSU-ID'],
  },
  'another environment than required': {
    args: pay('--amount', '1.00', '--require-environment', 'production'),
    exit: 3,
    code: 'ENVIRONMENT_REQUIRED',
    says: ['production', 'test'],
  },
  'an unknown pending entry': {
    args: ['pending', 'show', 'abcdef012345', '--profile', 'bank'],
    exit: 2,
    code: 'RESOURCE_NOT_SAVED',
    says: ['abcdef012345'],
  },
};

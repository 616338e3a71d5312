import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import type { BankDescriptor, HeaderAction } from '../../records/bank-descriptor.ts';
import type { Profile } from '../../records/profile.ts';
import { signingOptions } from '../../signing/options.ts';
import { parseUrl } from '../../url.ts';
import { checkHeaderValue } from '../../xs2a/headers.ts';
import { linkFacts } from '../../xs2a/links.ts';
import { isOperationId } from '../../xs2a/operations.ts';
import { frameworkNames } from '../../xs2a/origin.ts';
import { paymentMembers } from '../../xs2a/products.ts';
import { readRate } from './rate-setting.ts';
import { weakWords } from './weak-ciphers.ts';

/** What is not as it should be in the settings of a bank; `setting` is its dotted key. */
export interface DescriptorFinding {
  setting: string;
  severity: 'error' | 'warning';
  text: string;
}

type Check = (value: unknown, at: string) => readonly DescriptorFinding[];

const wrong = (setting: string, text: string): readonly DescriptorFinding[] => [
  { setting, severity: 'error', text },
];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that a function finds nothing wrong with. */
const textThat =
  (why: (text: string) => string | undefined): Check =>
  (value, at) => {
    const bad = typeof value === 'string' ? why(value) : 'It must be text.';
    return bad === undefined ? [] : wrong(at, bad);
  };
const text = textThat(() => undefined);
const word = (...allowed: readonly string[]): Check =>
  textThat((given) => (allowed.includes(given) ? undefined : `It must be one of: ${allowed.join(', ')}.`));

/** An object with these members and no other. */
const group =
  (members: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    if (!isObject(value)) return wrong(at, 'It must be an object.');
    return Object.entries(value).flatMap(([name, inner]) => {
      const path = at === '' ? name : `${at}.${name}`;
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (check !== undefined) return check(inner, path);
      return wrong(path, `There is no such setting; there are: ${Object.keys(members).join(', ')}.`);
    });
  };

/** An object whose names are free but for one check. */
const mapOf =
  (why: (name: string) => string | undefined, check: Check): Check =>
  (value, at) => {
    if (!isObject(value)) return wrong(at, 'It must be an object.');
    return Object.entries(value).flatMap(([name, inner]) => {
      const bad = why(name);
      return bad === undefined ? check(inner, `${at}.${name}`) : wrong(`${at}.${name}`, bad);
    });
  };

const trueOrFalse: Check = (value, at) =>
  typeof value === 'boolean' ? [] : wrong(at, 'It must be true or false.');

const listOf =
  (check: Check): Check =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((inner, index) => check(inner, `${at}[${String(index)}]`))
      : wrong(at, 'It must be a list.');

const operationName = (name: string) =>
  isOperationId(name) ? undefined : `${JSON.stringify(name)} is no operation of the interface.`;

/** The address of a service: as that of the bank, without user, query and fragment. */
const address = textThat((given) => {
  const url = parseUrl(given);
  const good =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.search === '' &&
    url.hash === '';
  return good ? undefined : 'It must be an https address without user, query and fragment.';
});

const mediaTypes = textThat((given) => {
  const checked = checkHeaderValue('Accept', given);
  return checked.ok && /^[\w.+*-]+\/[\w.+*-]+(\s*[;,].*)?$/.test(given)
    ? undefined
    : 'It must be a media type such as application/xml.';
});

const rateText = textThat((given) =>
  readRate(given) === undefined
    ? 'It must be calls a minute (90), calls per time (10/1s), or off.'
    : undefined,
);

/** From one day to a leap year. */
const dayCount: Check = (value, at) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 366
    ? []
    : wrong(at, 'It must be a number of days, 1 to 366.');

/** What obk makes itself, and only the settings named here may change. */
const ownHeaders: Readonly<Record<string, string>> = {
  'x-request-id': 'every request has its own',
  'content-type': 'it follows from the body',
  'content-length': 'it follows from the body',
  host: 'it follows from the address',
  connection: 'it belongs to the connection',
  'transfer-encoding': 'it belongs to the connection',
  authorization: 'it follows from the token (obk help auth)',
  digest: 'signing.mode and signing.digest say it',
  signature: 'signing.mode says it',
  'tpp-signature-certificate': 'signing.certificateHeader says it',
  accept: 'headers.accept says it',
};
const actions = ['require', 'forbid', 'default', 'dropIfBlank'] as const satisfies readonly HeaderAction[];

const headerName = textThat((name) => {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `${JSON.stringify(name)} is no name of a header.`;
  const own = ownHeaders[name.toLowerCase()];
  return own === undefined ? undefined : `No rule can change ${name}: ${own}.`;
});

const ruleMembers = group({
  name: headerName,
  action: word(...actions),
  operations: listOf(textThat(operationName)),
  value: text,
  valueFrom: textThat((given) =>
    // What is put where a reference belongs may be the secret itself, so it is not repeated.
    /^(env|file|cmd|keyring):.+$/s.test(given) ? undefined : 'It must be a reference (obk help references).',
  ),
  why: text,
});

const rule: Check = (value, at) => {
  const found = ruleMembers(value, at);
  if (found.length > 0 || !isObject(value)) return found;
  const { name, action, value: given, valueFrom } = value;
  if (typeof name !== 'string') return wrong(at, 'It has no name.');
  if (typeof action !== 'string') return wrong(at, 'It has no action.');
  const values = [given, valueFrom].filter((one) => one !== undefined).length;
  if (action !== 'default') {
    return values === 0 ? [] : wrong(at, `Only a default has a value; ${action} has none.`);
  }
  if (values !== 1) return wrong(at, 'A default needs either value or valueFrom.');
  const checked = typeof given === 'string' ? checkHeaderValue(name, given) : { ok: true as const };
  return checked.ok ? [] : wrong(`${at}.value`, `${checked.why}.`);
};

const steering = linkFacts.filter(({ kind }) => kind !== 'data').map(({ name }) => name);

const signing: Check = (value, at) => {
  try {
    signingOptions(value);
    return [];
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return wrong(at, `${error.title} ${error.detail ?? ''}`);
  }
};

const anything: Check = () => [];

const descriptorMembers = {
  meta: group({
    name: text,
    verifiedOn: textThat((day) =>
      /^\d{4}-\d{2}-\d{2}$/.test(day) ? undefined : 'It must be a day, YYYY-MM-DD.',
    ),
    sources: listOf(text),
  }),
  urls: group({ perService: group({ pis: address, ais: address, piis: address, sbs: address }) }),
  headers: group({ rules: listOf(rule), accept: mapOf(operationName, mediaTypes) }),
  links: group({
    host: word('strict', 'ignore'),
    // A dot would part the key under which it is set.
    aliases: mapOf(
      (name) => (/^[^.\s]+$/.test(name) ? undefined : 'It must be a name without dots and blanks.'),
      word(...steering),
    ),
  }),
  consent: group({ withBalances: word('file', 'plural', 'singular'), validDays: dayCount }),
  payments: group({
    members: listOf(word(...paymentMembers)),
    remittanceStructured: word('object', 'string'),
    redirectOnCancel: trueOrFalse,
    plainText: trueOrFalse,
  }),
  reports: group({ paging: word('links', 'index') }),
  limits: group({ rate: rateText, perOperation: mapOf(operationName, rateText) }),
} satisfies Record<keyof BankDescriptor, Check>;

/** The other settings that say how a bank is: part of what a file of a bank may hold. */
const bankMembers = {
  ...descriptorMembers,
  baseUrl: address,
  framework: word(...frameworkNames),
  prefix: textThat((path) =>
    /^(\/[A-Za-z0-9._~-]+)*$/.test(path) ? undefined : 'It must be a path such as /v1.',
  ),
  surface: word('service', 'framework'),
  origins: listOf(address),
  auth: group({ consent: word('header', 'token', 'both') }),
  oauth: group({ clientId: text, scope: text, metadata: text, issuer: text, preStepScope: text }),
  tls: group({ ciphers: textThat(weakWords), serverName: text }),
  signing,
  requestIdSemantics: word('unknown', 'none', 'replay', 'reject-duplicate'),
  timeoutMs: anything,
} satisfies Partial<Record<keyof Profile, Check>>;

const profileMembers: Record<keyof Profile, Check> = {
  ...bankMembers,
  environment: word('sandbox', 'test', 'production'),
  certificate: anything,
  key: anything,
  keyPassphraseFrom: anything,
  signer: anything,
  tlsCertificate: anything,
  tlsKey: anything,
  tlsKeyPassphraseFrom: anything,
  caCertificates: anything,
  allowHttp: anything,
  psu: anything,
  passwordEncryption: anything,
  redirectUri: anything,
  nokRedirectUri: anything,
  redirect: group({ state: word('query', 'none') }),
  prefer: anything,
  notification: anything,
  brandLogging: anything,
  debtor: anything,
  currency: anything,
  lint: anything,
  answers: group({ digest: word('verify', 'warn', 'off') }),
  tokenStore: anything,
};

/** The settings that a file of a bank may hold; the rest of a profile is the TPP's. */
export const bankSettings: readonly string[] = Object.keys(bankMembers);

const bank = group(bankMembers);
const whole = group(profileMembers);

/** What is wrong with the settings of a profile, or with those of a bank alone; unknown names are errors. */
export function checkDescriptor(settings: unknown, of: 'profile' | 'bank'): readonly DescriptorFinding[] {
  return (of === 'bank' ? bank : whole)(settings, '');
}

/** Throws PROFILE_INVALID for the first wrong setting of a profile: a rule that nobody reads is worse than none. */
export function needDescriptor(profile: Profile, name: string): void {
  const [first] = whole(profile, '');
  if (first === undefined) return;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: `The setting ${first.setting} of the profile ${name} is not valid.`,
    detail: first.text,
    hint: [line`obk bank lint ${name}`],
  });
}

import type { BankDescriptor } from '../records/bank-descriptor.ts';
import type { Profile } from '../records/profile.ts';
import { linkFacts } from '../xs2a/link-names.ts';
import { frameworkNames } from '../xs2a/origin.ts';
import { paymentMembers } from '../xs2a/products.ts';
import { weakWords } from './ciphers.ts';
import { headerRule } from './header-rule.ts';
import { choice, days, duration, group, list, map, text, url, yesNo } from './row.ts';
import type { RowsOf } from './row.ts';
import { signing } from './signing.ts';
import { day, mediaType, operationName, rate, serviceAddress, versionPath, webAddress } from './texts.ts';

type Group<Key extends keyof BankDescriptor> = NonNullable<BankDescriptor[Key]>;
type Inner<Key extends keyof BankDescriptor, Name extends keyof Group<Key>> = NonNullable<Group<Key>[Name]>;

const steering = linkFacts.filter(({ kind }) => kind !== 'data').map(({ name }) => name);
const service = url(serviceAddress);
// A dot in the name would split its key in `config set`.
const linkName = (name: string) =>
  /^[^.\s]+$/.test(name) ? undefined : 'It must be a name without dots and blanks.';

/** The rows for a bank's departures from the standard. */
const descriptorRows: RowsOf<BankDescriptor> = {
  meta: group<Group<'meta'>>({ name: text(), verifiedOn: text({ wrong: day }), sources: list(text()) }),
  urls: group<Group<'urls'>>({
    perService: group<Inner<'urls', 'perService'>>({
      pis: service,
      ais: service,
      piis: service,
      sbs: service,
    }),
  }),
  headers: group<Group<'headers'>>({
    rules: list(headerRule),
    accept: map<Inner<'headers', 'accept'>>(operationName, text({ wrong: mediaType })),
  }),
  links: group<Group<'links'>>({
    host: choice(['strict', 'ignore'], { otherwise: 'strict' }),
    aliases: map<Inner<'links', 'aliases'>>(linkName, choice(steering)),
  }),
  consent: group<Group<'consent'>>({
    withBalances: choice(['file', 'plural', 'singular']),
    // From one day to the days of a leap year.
    validDays: days(1, 366),
  }),
  payments: group<Group<'payments'>>({
    members: list(choice(paymentMembers)),
    remittanceStructured: choice(['object', 'string']),
    redirectOnCancel: yesNo(),
    plainText: yesNo(),
  }),
  reports: group<Group<'reports'>>({ paging: choice(['links', 'index']) }),
  limits: group<Group<'limits'>>({
    rate: text({ wrong: rate }),
    perOperation: map<Inner<'limits', 'perOperation'>>(operationName, text({ wrong: rate })),
  }),
};

/** The settings that describe a bank; a bank file may hold them. */
export const bankRows = {
  ...descriptorRows,
  baseUrl: url(serviceAddress, { flag: '--base-url' }),
  framework: choice(frameworkNames, { flag: '--framework' }),
  prefix: text({ wrong: versionPath, flag: '--prefix' }),
  surface: choice(['service', 'framework'], { flag: '--surface' }),
  origins: list(service, { flag: '--origin' }),
  auth: group<NonNullable<Profile['auth']>>({
    consent: choice(['header', 'token', 'both'], { flag: '--auth-consent', otherwise: 'both' }),
  }),
  oauth: group<NonNullable<Profile['oauth']>>({
    clientId: text({ flag: '--oauth-client-id' }),
    scope: text({ flag: '--oauth-scope' }),
    metadata: url(webAddress, { flag: '--oauth-metadata' }),
    issuer: url(webAddress, { flag: '--oauth-issuer' }),
    preStepScope: text({ flag: '--oauth-pre-step-scope' }),
  }),
  tls: group<NonNullable<Profile['tls']>>({
    ciphers: text({ wrong: weakWords, flag: '--tls-ciphers' }),
    serverName: text({ flag: '--tls-server-name' }),
  }),
  signing,
  requestIdSemantics: choice(['unknown', 'none', 'replay', 'reject-duplicate']),
  timeoutMs: duration({ flag: '--timeout', otherwise: 60_000 }),
} satisfies Partial<RowsOf<Profile>>;

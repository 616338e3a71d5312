// What four OpenAPI files declare of requests, typed by hand from the files and from nothing of obk: two of the framework, and two
// that one vendor has edited. A bank that goes by one of them refuses all else.

/** A file that a bank goes by to the letter. */
export type Edition = '1.3.3' | '1.3.6' | 'adorsys-1.3.3' | 'adorsys-1.3.6';

/** A request as it arrived: header names in lower case. */
export interface Asked {
  method: string;
  /** Without the prefix of the version. */
  path: string;
  query: ReadonlyMap<string, string>;
  headers: ReadonlyMap<string, string>;
  body: string;
}

const sets: Readonly<Record<string, readonly string[]>> = {
  s: ['X-Request-ID', 'Digest', 'Signature', 'TPP-Signature-Certificate'],
  ctx: [
    ...['PSU-IP-Port', 'PSU-Accept', 'PSU-Accept-Charset', 'PSU-Accept-Encoding', 'PSU-Accept-Language'],
    ...['PSU-User-Agent', 'PSU-Http-Method', 'PSU-Device-ID', 'PSU-Geo-Location'],
  ],
  psu: ['PSU-ID', 'PSU-ID-Type', 'PSU-Corporate-ID', 'PSU-Corporate-ID-Type'],
  red: ['TPP-Redirect-Preferred', 'TPP-Redirect-URI', 'TPP-Nok-Redirect-URI'],
  not: ['TPP-Notification-URI', 'TPP-Notification-Content-Preferred'],
  ip: ['PSU-IP-Address'],
  consent: ['Consent-ID'],
  explicit: ['TPP-Explicit-Authorisation-Preferred'],
  funds: ['TPP-Rejection-NoFunds-Preferred'],
  brand: ['TPP-Brand-Logging-Information'],
};

/** What a file has of one request; a header set with an exclamation mark is required, and so is X-Request-ID. */
interface Row {
  headers: string;
  query?: string;
  body?: 'payment' | 'sca' | 'consent' | 'funds' | 'basket';
}

const read = { headers: 's ctx ip' };
const readAccount = { headers: 's ctx consent! ip' };
const start: Row = { headers: 's ctx psu red not ip', body: 'sca' };
const update: Row = { headers: 's ctx psu ip', body: 'sca' };
const report = {
  ...readAccount,
  query: 'dateFrom dateTo entryReferenceFrom bookingStatus! deltaList withBalance',
};

const authorisations = (path: string): Record<string, Row> => ({
  [`GET ${path}`]: read,
  [`POST ${path}`]: start,
  [`GET ${path}/*`]: read,
  [`PUT ${path}/*`]: update,
});

const rows133: Readonly<Record<string, Row>> = {
  'POST /*/*': { headers: 's ctx psu red not consent ip! explicit funds', body: 'payment' },
  'GET /*/*/*': read,
  'DELETE /*/*/*': read,
  'GET /*/*/*/status': read,
  ...authorisations('/*/*/*/authorisations'),
  ...authorisations('/*/*/*/cancellation-authorisations'),
  'POST /*/*/*/cancellation-authorisations': { headers: start.headers },
  'GET /accounts': { ...readAccount, query: 'withBalance' },
  'GET /accounts/*': { ...readAccount, query: 'withBalance' },
  'GET /accounts/*/balances': readAccount,
  'GET /accounts/*/transactions': report,
  'GET /accounts/*/transactions/*': readAccount,
  'GET /card-accounts': readAccount,
  'GET /card-accounts/*': readAccount,
  'GET /card-accounts/*/balances': readAccount,
  'GET /card-accounts/*/transactions': report,
  'POST /consents': { headers: 's ctx psu red not explicit ip', body: 'consent' },
  'GET /consents/*': read,
  'DELETE /consents/*': read,
  'GET /consents/*/status': read,
  ...authorisations('/consents/*/authorisations'),
  'POST /funds-confirmations': { headers: 's', body: 'funds' },
  'POST /signing-baskets': { headers: 's ctx psu red not consent ip! explicit', body: 'basket' },
  'GET /signing-baskets/*': read,
  'DELETE /signing-baskets/*': read,
  'GET /signing-baskets/*/status': { headers: 's ctx psu ip' },
  ...authorisations('/signing-baskets/*/authorisations'),
};

const rows136: Readonly<Record<string, Row>> = {
  ...rows133,
  'POST /*/*': { headers: 's ctx psu red not consent ip! explicit funds brand', body: 'payment' },
  'DELETE /*/*/*': { headers: 's ctx red explicit ip' },
  'POST /*/*/*/cancellation-authorisations': start,
  'POST /consents': { headers: 's ctx psu red not explicit brand ip!', body: 'consent' },
};

/** The requests of each file by method and path, `*` for a parameter. */
export const strictRows: Readonly<Record<Edition, Readonly<Record<string, Row>>>> = {
  '1.3.3': rows133,
  '1.3.6': rows136,
  'adorsys-1.3.3': { ...rows133, 'DELETE /*/*/*': { headers: 's ctx red ip' } },
  'adorsys-1.3.6': {
    ...rows136,
    'GET /accounts/*/transactions': { ...report, query: `${report.query} pageIndex itemsPerPage` },
    'POST /funds-confirmations': { headers: 's consent', body: 'funds' },
    'GET /trusted-beneficiaries': { headers: 'X-Request-ID ip consent!', query: 'account-id' },
  },
};

/** The names in such a text, and those of them that are required. */
export function namesIn(text = ''): { all: string[]; required: string[] } {
  const words = text.split(' ').filter((word) => word !== '');
  const spell = (word: string) => sets[word.replace('!', '')] ?? [word.replace('!', '')];
  return { all: words.flatMap(spell), required: words.filter((word) => word.endsWith('!')).flatMap(spell) };
}

/** The row of a request, undefined where the file has no such path and method. */
export function rowOf(edition: Edition, method: string, path: string): readonly [string, Row] | undefined {
  const segments = path.split('/');
  const fits = (line: string) => {
    const [verb = '', template = ''] = line.split(' ');
    const parts = template.split('/');
    if (verb !== method || parts.length !== segments.length) return false;
    const service = /^(payments|bulk-payments|periodic-payments)$/.test(segments[1] ?? '');
    return parts.every((part, at) => (part === '*' ? at !== 1 || service : part === segments[at]));
  };
  return Object.entries(strictRows[edition]).find(([line]) => fits(line));
}

// HTTP's own, and those that the files cannot declare: OpenAPI takes Accept, Content-Type and Authorization from elsewhere.
const everywhere =
  /^(host|connection|content-type|content-length|accept|accept-encoding|user-agent|authorization|date)$/;

/** Why a bank that goes by this file refuses a request; undefined where it does not. */
export function refusalOf(
  edition: Edition,
  { method, path, query, headers, body }: Asked,
): string | undefined {
  const row = rowOf(edition, method, path)?.[1];
  if (row === undefined) return 'no such operation';
  const { all, required } = namesIn(row.headers);
  const known = new Set(all.map((name) => name.toLowerCase()));
  const asked = namesIn(row.query);
  const strange = [...headers.keys()].find((name) => !known.has(name) && !everywhere.test(name));
  if (strange !== undefined) return `${strange} is not declared`;
  const missing = ['X-Request-ID', ...required].find((name) => !headers.has(name.toLowerCase()));
  if (missing !== undefined) return `${missing} is missing`;
  const more = [...query.keys()].find((name) => !asked.all.includes(name));
  if (more !== undefined) return `${more} is not declared`;
  const less = asked.required.find((name) => !query.has(name));
  if (less !== undefined) return `${less} is missing`;
  return bodyRefusal(edition, row.body, path, headers.get('content-type') ?? '', body);
}

type Json = Readonly<Record<string, unknown>>;

function bodyRefusal(
  edition: Edition,
  kind: Row['body'],
  path: string,
  type: string,
  body: string,
): string | undefined {
  if (kind === undefined) return body === '' ? undefined : 'a body is not declared';
  // Only two bodies are required by the files.
  if (body === '') return kind === 'payment' || kind === 'funds' ? 'the body is missing' : undefined;
  const media = type.split(';')[0] ?? '';
  const others = edition.startsWith('adorsys') ? /^(application\/xml|text\/plain)$/ : /^application\/xml$/;
  if (kind === 'payment' && (others.test(media) || media === 'multipart/form-data')) return undefined;
  if (media !== 'application/json') return `${media} is not declared`;
  const json = JSON.parse(body) as Json;
  if (kind === 'sca') return scaRefusal(edition, json);
  if (kind === 'consent')
    return membersRefusal(json, consentMembers) ?? accessRefusal(edition, json['access'] as Json);
  if (kind === 'funds') return membersRefusal(json, 'account! instructedAmount! cardNumber payee');
  if (kind === 'basket') return membersRefusal(json, 'paymentIds consentIds');
  return paymentRefusal(edition, path, json);
}

const consentMembers = 'access! recurringIndicator! validUntil! frequencyPerDay! combinedServiceIndicator!';

function membersRefusal(json: Json, members: string): string | undefined {
  const { all, required } = namesIn(members);
  const strange = Object.keys(json).find((name) => !all.includes(name));
  if (strange !== undefined) return `${strange} is not declared`;
  const missing = required.find((name) => json[name] === undefined);
  return missing === undefined ? undefined : `${missing} is missing`;
}

function scaRefusal(edition: Edition, json: Json): string | undefined {
  const bodies: Json = {
    psuData: true,
    authenticationMethodId: true,
    scaAuthenticationData: true,
    confirmationCode: edition.endsWith('1.3.6'),
  };
  const [name = '', ...more] = Object.keys(json);
  if (name === '') return undefined;
  if (more.length > 0 || bodies[name] !== true) return `{${Object.keys(json).join(', ')}} is no body`;
  if (name !== 'psuData') return undefined;
  const additional = edition === 'adorsys-1.3.3' ? '' : ' additionalPassword additionalEncryptedPassword';
  return membersRefusal(json['psuData'] as Json, `password encryptedPassword${additional}`);
}

/** The values of a form for all accounts. */
function accessRefusal(edition: Edition, access: Json): string | undefined {
  const owner = edition.endsWith('1.3.6') ? ['allAccountsWithOwnerName'] : [];
  const usual = ['allAccounts', ...owner];
  const forms: Readonly<Record<string, readonly string[]>> = {
    allPsd2: usual,
    availableAccounts: edition === '1.3.3' ? [...usual, 'allAccountsWithBalances'] : usual,
    ...(edition === 'adorsys-1.3.3' && { availableAccountsWithBalances: usual }),
    ...(edition.endsWith('1.3.6') && { availableAccountsWithBalance: usual }),
  };
  const lists = [
    'accounts',
    'balances',
    'transactions',
    ...(owner.length > 0 ? ['additionalInformation'] : []),
  ];
  for (const [name, value] of Object.entries(access)) {
    const allowed = forms[name];
    if (allowed === undefined && !lists.includes(name)) return `access.${name} is not declared`;
    if (allowed?.includes(String(value)) === false) return `access.${name} is not ${String(value)}`;
  }
  return undefined;
}

const order =
  'endToEndIdentification instructedAmount! creditorAccount! creditorAgent creditorName! creditorAddress remittanceInformationUnstructured';
const edited: Readonly<Record<Edition, string>> = {
  '1.3.3': '',
  '1.3.6': '',
  'adorsys-1.3.3': ' ultimateDebtor ultimateCreditor purposeCode remittanceInformationStructured',
  'adorsys-1.3.6':
    ' instructionIdentification debtorName ultimateDebtor creditorId ultimateCreditor purposeCode chargeBearer remittanceInformationStructured remittanceInformationStructuredArray',
};

function paymentRefusal(edition: Edition, path: string, json: Json): string | undefined {
  const one = `${order}${edited[edition]}`;
  if (path.startsWith('/bulk-payments/')) {
    const head =
      'batchBookingPreferred debtorAccount! requestedExecutionDate requestedExecutionTime payments!';
    const entries = (json['payments'] ?? []) as readonly Json[];
    const refused = entries.map((entry) => membersRefusal(entry, `${one} creditorAgentName`));
    return membersRefusal(json, head) ?? refused.find((why) => why !== undefined);
  }
  const months = edition.endsWith('1.3.6') ? ' monthsOfExecution' : '';
  const standing = `startDate! endDate executionRule frequency! dayOfExecution${months}`;
  if (path.startsWith('/periodic-payments/'))
    return membersRefusal(json, `debtorAccount! ${one} ${standing}`);
  const day = edition.startsWith('adorsys') ? ' requestedExecutionDate' : '';
  return membersRefusal(json, `debtorAccount! ${one}${day} creditorAgentName`);
}

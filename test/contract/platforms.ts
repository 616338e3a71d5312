/** The platforms that obk brings a template for, as a TPP meets them with and without it. */
/** A platform: who pays there, what obk does there without its template, and what is said then. */
export interface Platform {
  name: string;
  psuId?: string;
  /** What is given beside the template. */
  flags?: readonly string[];
  /** What fails without the template, at the right path. */
  fails: 'pay' | 'nobody' | 'reports' | 'told';
  code?: number;
  says: RegExp;
  /** What the platform does not have. */
  lacks?: readonly ('details' | 'cards' | 'baskets' | 'consents')[];
  /** The PSU logs in before all else. */
  logsIn?: true;
}

/** Each is tried both ways in `bank-dialects.test.ts`. */
export const platforms: readonly Platform[] = [
  { name: 'adorsys-modelbank', fails: 'pay', code: 3, says: /CERTIFICATE_INVALID/ },
  { name: 'wso2-open-banking', fails: 'pay', code: 3, says: /SIGNATURE_INVALID/ },
  { name: 'commerzbank-group', psuId: 'redirect', fails: 'pay', code: 5, says: /PSU-ID must not be sent/ },
  {
    name: 'consors',
    psuId: 'redirect',
    fails: 'pay',
    code: 5,
    says: /PSU-ID must not be sent/,
    lacks: ['baskets'],
  },
  { name: 'open-bank-project', fails: 'pay', code: 3, says: /SIGNATURE_MISSING/ },
  {
    name: 'ing',
    psuId: 'redirect',
    fails: 'pay',
    code: 3,
    says: /SIGNATURE_INVALID|lacks date/,
    lacks: ['details', 'cards', 'baskets', 'consents'],
  },
  { name: 'crealogix', fails: 'told', says: /remittance information is an object/ },
  {
    name: 'db-group',
    psuId: 'embedded-photo',
    fails: 'pay',
    code: 5,
    says: /PSU-ID-Type is missing/,
  },
  { name: 'fiducia', fails: 'nobody', code: 5, says: /PSU-ID is missing/ },
  { name: 'finanz-informatik', fails: 'reports', code: 5, says: /REQUESTED_FORMATS_INVALID/ },
  {
    name: 'unicredit-group',
    fails: 'pay',
    code: 5,
    says: /PSU-ID-Type is missing|TPP-Redirect-URI is missing/,
  },
  {
    name: 'santander-group',
    psuId: 'redirect',
    fails: 'pay',
    code: 5,
    says: /PSU-ID must not be sent/,
    lacks: ['details', 'cards'],
  },
  {
    name: 'bank-verlag',
    flags: ['--header-rule', 'default X-Gateway-Key from env:GATEWAY_KEY'],
    fails: 'pay',
    code: 5,
    says: /X-Gateway-Key is missing/,
  },
  {
    name: 'n26',
    psuId: 'decoupled',
    fails: 'pay',
    code: 4,
    says: /token_unknown/i,
    logsIn: true,
  },
  {
    name: 'swedbank',
    flags: ['--psu-context', 'User-Agent=obk/1'],
    fails: 'pay',
    code: 5,
    says: /PSU-User-Agent is missing/,
  },
  { name: 'intesa-group', fails: 'reports', code: 5, says: /PERIOD_INVALID/ },
];

/** What a payment of a kind needs beside its debtor. */
export function fieldsOf(service: string, product: string): readonly string[] {
  // A pain.001 names who pays.
  const payer = product.startsWith('pain.001') ? ['--debtor-name', 'Payer Ltd'] : [];
  if (service === 'bulk-payments') return [...payer, '--from-csv', 'payments.csv'];
  return [
    ...payer,
    ...['--creditor-name', 'Shop', '--creditor-account', 'DE89370400440532013000', '--amount', '1.00'],
    ...(product.includes('cross-border')
      ? ['--creditor-agent', 'BARCGB22', '--creditor-address', 'street=High Street;city=London;country=GB']
      : []),
    ...(service === 'periodic-payments'
      ? ['--start-date', '2099-01-01', '--frequency', 'Monthly', '--execution-rule', 'preceding']
      : []),
  ];
}

/** What a check of the bank has found, in the document that it prints. */
export const found = ({ document }: { document: Record<string, unknown> }): object[] =>
  (document['cases'] as { findings: object[] }[]).flatMap(({ findings }) => findings);

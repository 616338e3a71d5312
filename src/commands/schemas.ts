/** A JSON Schema (draft 2020-12), as far as it is needed here. */
export interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

const text: Schema = { type: 'string' };
const textOrNull: Schema = { type: ['string', 'null'] };
const number: Schema = { type: 'number' };
const truth: Schema = { type: 'boolean' };
const any: Schema = {};

type Members = Readonly<Record<string, Schema>>;

/** An object with these members; more may come with any release, and from any bank. */
function object(required: Members, optional: Members = {}, description?: string): Schema {
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: true,
  };
}

const list = (items: Schema, description?: string): Schema => ({
  ...(description === undefined ? {} : { description }),
  type: 'array',
  items,
});

const texts = (names: string): Members =>
  Object.fromEntries(names.split(' ').map((name) => [name, text] as const));

const money = object({ currency: text, amount: text });
const where = { profile: text, environment: { enum: ['sandbox', 'test', 'production'] } };
const summary = {
  ...texts('amount currency creditorName creditorAccount debtorAccount'),
  count: number,
  sums: list(money),
};
const sca: Schema = {
  anyOf: [
    { type: 'null' },
    object(
      { approach: textOrNull, scaStatus: textOrNull, authorisationId: textOrNull },
      {
        ...texts('url psuMessage'),
        urlAlive: truth,
        scaMethods: list(object({ authenticationMethodId: text })),
        chosenScaMethod: any,
        challengeData: any,
      },
    ),
  ],
};
const consentMembers = {
  access: { type: 'object' },
  recurringIndicator: truth,
  validUntil: text,
  frequencyPerDay: number,
};

const profile = object(
  {
    name: text,
    environment: where.environment,
    framework: { enum: ['1.3.2', '1.3.6'] },
    prefix: text,
    surface: { enum: ['service', 'framework'] },
  },
  texts('baseUrl certificate key signer tlsCertificate tlsKey caCertificates redirectUri debtor currency'),
  'A profile with its settings; secrets only as references.',
);

const bankMessage = object({ category: text, code: text }, texts('path text'));

/** The outputs of `--json` that scripts may rely on, by name. */
export const schemas = {
  payment: object(
    {
      ...where,
      paymentId: text,
      service: textOrNull,
      product: textOrNull,
      transactionStatus: textOrNull,
      requestId: textOrNull,
      sca,
      next: textOrNull,
    },
    summary,
    'A payment after a command that leads its authorisation.',
  ),
  paymentAtBank: {
    description: 'The answer of the bank, as it was sent; text where it is XML.',
    type: ['object', 'string'],
  },
  paymentStatus: object({}, { transactionStatus: text, fundsAvailable: truth, psuMessage: text }),
  payments: list(
    object(
      {
        ...where,
        paymentId: text,
        createdAt: text,
        transactionStatus: textOrNull,
        service: textOrNull,
        product: textOrNull,
      },
      summary,
    ),
    'Payments started from here, newest first.',
  ),
  consent: object(
    { ...where, consentId: text, consentStatus: textOrNull, requestId: textOrNull, sca, next: textOrNull },
    consentMembers,
    'A consent after a command that leads its authorisation.',
  ),
  consentAtBank: object(
    {},
    { ...consentMembers, consentStatus: text },
    'The answer of the bank, as it was sent.',
  ),
  consentStatus: object({ consentStatus: text }),
  consents: list(
    object(
      {
        ...where,
        consentId: text,
        createdAt: text,
        consentStatus: textOrNull,
        active: truth,
        daysLeft: { type: ['number', 'null'] },
        usesLeft: { type: ['number', 'null'] },
        psuId: textOrNull,
      },
      consentMembers,
    ),
    'Consents created from here, newest first.',
  ),
  accounts: list(
    object({ currency: text }, { ...texts('resourceId iban bban name product'), balances: list(any) }),
    'Accounts, each as the bank sent it.',
  ),
  transactions: list(
    object(
      { position: number },
      {
        ...texts('account bookingStatus bookingDate valueDate amount currency transactionId entryReference'),
        ...texts('counterpartyName counterpartyAccount remittanceInformationUnstructured endToEndId'),
        ...texts('mandateId creditorId bankTransactionCode balanceAfter details'),
        reversal: truth,
        marks: list(text),
      },
    ),
    'One row per transaction, whatever form the report of the bank had.',
  ),
  pending: list(
    object(
      { id: text, kind: text, at: text, what: text, payment: text, next: text },
      {
        ...summary,
        ...texts('paymentId consentId basketId operation requestId'),
        ...{ transactionStatus: textOrNull, consentStatus: textOrNull, scaStatus: textOrNull },
        ...{ authorisationId: textOrNull, psuId: textOrNull, intent: textOrNull, intentKey: textOrNull },
      },
    ),
    'What is unfinished or unknown, unknown first.',
  ),
  authorisations: list(
    object(
      { of: text, authorisationId: text, scaStatus: textOrNull },
      { psuId: textOrNull, approach: textOrNull, changedAt: textOrNull },
    ),
  ),
  profile,
  profiles: list(object({ active: truth, name: text, environment: where.environment, baseUrl: textOrNull })),
  explanations: list(
    object({ term: text, kind: text, meaning: text }, { ...texts('since who advice'), facts: any }),
  ),
  version: object({ version: text }),
  error: object(
    {
      error: object(
        {
          code: text,
          title: text,
          detail: textOrNull,
          hint: list(text),
          exitCode: number,
          httpStatus: { type: ['number', 'null'] },
          requestId: textOrNull,
          operation: textOrNull,
          tppMessages: list(bankMessage),
          advice: textOrNull,
          resource: { type: ['object', 'null'] },
          docs: text,
          next: textOrNull,
        },
        texts('intent retryAfter'),
      ),
    },
    {},
    'What a command that fails prints on stderr with --json.',
  ),
} as const satisfies Record<string, Schema>;

/** The schema of what a command prints with `--json`, where it is settled. */
export const outputs: Readonly<Record<string, keyof typeof schemas>> = {
  'payment init': 'payment',
  'payment authorise': 'payment',
  'payment cancel': 'payment',
  'payment get': 'paymentAtBank',
  'payment status': 'paymentStatus',
  'payment list': 'payments',
  'consent create': 'consent',
  'consent authorise': 'consent',
  'consent get': 'consentAtBank',
  'consent status': 'consentStatus',
  'consent list': 'consents',
  'accounts list': 'accounts',
  'transactions list': 'transactions',
  'transactions read': 'transactions',
  'pending list': 'pending',
  'sca status': 'authorisations',
  'profile show': 'profile',
  'profile create': 'profile',
  'profile edit': 'profile',
  'profile list': 'profiles',
  explain: 'explanations',
  version: 'version',
};

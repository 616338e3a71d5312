import type { Named } from '../../../base/fields.ts';
import { payments } from './payments.ts';
import type { Outputs } from './schema.ts';
import { setup } from './setup.ts';
import { support } from './support.ts';
import { rowSchema } from '../../../base/fields.ts';
import {
  any,
  each,
  foreign,
  list,
  map,
  number,
  object,
  text,
  textOrNull,
  truth,
  numberOrNull,
  oneOf,
  orNull,
} from '../../../base/schema.ts';
import { transactionFields } from '../../../standard/formats/rows/transaction-row.ts';
import { printedBy } from './schema.ts';
import { sideFinding, requestFinding } from '../output/shapes.ts';
import type { Schema } from '../../../base/schema.ts';

const account = foreign(
  { currency: text },
  { ...each(text, 'resourceId iban bban maskedPan name product'), balances: list(any) },
);
const rows = list(
  rowSchema(transactionFields),
  'One row per transaction, whatever form the report of the bank had.',
);
const balance = object(each(text, 'balanceType amount currency'), {
  ...each(text, 'account referenceDate referenceDateTime lastChangeDateTime'),
  marks: list(text),
});
const report = object(
  { transactions: rows, balances: list(balance), nextPage: textOrNull },
  {
    calls: number,
    notes: list(object({ text }, { account: text })),
    statements: list(object({ values: map(text) }, { account: text })),
    problems: list(object({ code: text, detail: text })),
    tolerated: list(object({ code: text }, { position: number, detail: text })),
    _obk: any,
  },
  'The same with --meta: a document that also says what came with the rows.',
);

const accounts = {
  accounts: printedBy(['accounts list', 'cards list'], list(account, 'Accounts, each as the bank sent it.')),
  account: printedBy(['accounts get', 'cards get'], {
    ...account,
    description: 'An account, as the bank sent it.',
  }),
  balances: printedBy(
    ['accounts balances', 'cards balances'],
    list(
      foreign({ balanceType: text, balanceAmount: foreign({ currency: text, amount: text }) }),
      'Balances, each as the bank sent it.',
    ),
  ),
  transactions: printedBy(['transactions list', 'transactions read', 'cards transactions'], {
    anyOf: [rows, report],
  }),
  transactionAtBank: printedBy(
    'transactions get',
    foreign(
      { transactionAmount: foreign({ currency: text, amount: text }) },
      {},
      'A transaction, as the bank sent it.',
    ),
  ),
  funds: printedBy('funds check', foreign({ fundsAvailable: truth }, {}, 'The answer of the bank.')),
} as const satisfies Outputs;

const verdict = oneOf('pass', 'fail', 'waived', 'not applicable', 'not tested', 'inconclusive');

const waiver = { ...each(text, 'rule reason') };
const aboutWaiver = { ...each(text, 'operation pointer since until issue owner'), status: number };
const waivers = list(
  object({ ...waiver, verdict: oneOf('used', 'obsolete', 'expired', 'not tested') }, aboutWaiver),
);

const judged: Schema = object(
  {
    ...each(number, 'must should may'),
    warnings: list(text),
    exchanges: list(
      object({
        entry: number,
        ...each(text, 'method target framework'),
        status: numberOrNull,
        operation: textOrNull,
        findings: list(object(sideFinding, { waived: text })),
        ...each(list(text), 'notTested notes'),
      }),
    ),
    waivers,
  },
  {},
  'Both sides of calls that were made.',
);

const checkRun: Schema = object(
  {
    ...each(text, 'run profile environment framework at'),
    complete: truth,
    verdict: oneOf('pass', 'fail', 'inconclusive'),
    warnings: list(text),
    areas: list(object({ area: text, verdict, findings: number })),
    cases: list(
      object(
        {
          ...each(text, 'case about area operation'),
          verdict,
          findings: list(object(sideFinding, { waived: text })),
          calls: list(
            object(
              { ...each(text, 'method url operation requestId'), status: numberOrNull },
              { exchange: foreign({}, {}, 'As --print HBhb shows it.') },
            ),
          ),
        },
        { why: text },
      ),
    ),
    waivers,
  },
  {},
  'A bank as the suite found it; the exchange stands with the calls of a case that failed.',
);

const plan = list(
  object({
    ...each(text, 'case operation about'),
    kind: oneOf('read', 'write', 'wrong'),
    uses: number,
    needs: textOrNull,
  }),
  'With --plan: what would be tried.',
);
const printed = list(
  object(waiver, { ...aboutWaiver, since: text, status: number }),
  'With --print-waivers.',
);

const check = {
  check: printedBy('check', {
    description: 'A check of a bank, or what is said of calls that were made.',
    anyOf: [checkRun, judged, plan, printed],
  }),
} as const satisfies Outputs;

const choices = orNull(list(text));
const flags = list(
  object({
    name: text,
    short: textOrNull,
    value: textOrNull,
    valueRequired: truth,
    choices,
    repeatable: truth,
    description: text,
  }),
);
const argument = object({ name: text, required: truth, repeatable: truth, choices, description: text });
const exitCodes = list(object({ code: number, name: text, meaning: text }));
const topic = object({ text });

const help = {
  commands: printedBy(
    'commands',
    object({
      version: text,
      nouns: list(object({ noun: text, summary: text, verb: textOrNull })),
      commands: list(
        object({
          ...each(text, 'command summary about'),
          arguments: list(argument),
          flags,
          exitCodes: list(number),
          examples: list(text),
          questions: list(object(each(text, 'id flag variable'))),
          output: textOrNull,
        }),
      ),
      globalFlags: flags,
      exitCodes,
      schemas: map({ type: 'object' }),
    }),
  ),
  version: printedBy('version', object({ version: text })),
  page: printedBy('help', object({ command: text, text })),
  exitCodes: printedBy('help exit-codes', exitCodes),
  errorCodes: printedBy('help errors', list(object({ code: text, exit: number, meaning: text }))),
  flags: printedBy('help flags', list(object(each(text, 'flags meaning')))),
  environment: printedBy('help environment', list(object(each(text, 'name meaning')))),
  references: printedBy('help references', list(object(each(text, 'form meaning')))),
  topic: printedBy(['help json', 'help scripting'], topic),
} as const satisfies Outputs;

const moneyBox = each(text, 'currency balance');
const person = {
  required: {
    ...each(text, 'psuId description approach password otp'),
    start: oneOf('implicit', 'explicit'),
    accounts: list(object(moneyBox, each(text, 'iban bban msisdn'))),
    cards: list(object({ pan: text, maskedPan: text, ...moneyBox })),
  },
  optional: {
    ...each(text, 'additionalPassword encryptedPassword additionalEncryptedPassword'),
    locked: truth,
  },
};
const methods = list(object(each(text, 'id type name')));
const decided = object(
  { id: text, decision: oneOf('approve', 'refuse'), authorisationId: text, scaStatus: text },
  { redirectedTo: text },
);
const bankPush = object({
  number,
  ...each(text, 'at resourceId uri requestId'),
  body: orNull(map(any)),
  ...each(numberOrNull, 'status resendOf'),
  ...each(textOrNull, 'failure fault'),
});
const bankSwitch = {
  ...each(text, 'name about value'),
  values: list(object(each(text, 'value meaning'))),
};
const openForm = { open: object(each(text, 'form takes')) };
const switches = list(object({ ...bankSwitch, meaning: text, others: list(text) }, openForm));

const sandbox = {
  relay: printedBy('sandbox record', object({ ...each(text, 'baseUrl to file'), httpsBaseUrl: textOrNull })),
  bankAddress: printedBy(
    ['sandbox start', 'sandbox replay'],
    object(
      {
        ...each(text, 'name baseUrl controlUrl tokenFile windowUrl database'),
        ...each(text, 'certificatePath keyPath tlsCertificatePath tlsKeyPath caPath'),
        pid: number,
        embedded: truth,
        ...each(list(text), 'formerOrigins furtherUrls'),
      },
      {
        httpsBaseUrl: text,
        accessKeyFile: text,
        tenants: text,
        rsa: object(each(text, 'certificatePath keyPath tlsCertificatePath tlsKeyPath')),
        open: object(
          {
            elsewhere: truth,
            off: list(oneOf('signature', 'clientCertificate', 'rate')),
            ...each(text, 'password otp additionalPassword'),
          },
          { withKey: truth },
        ),
      },
      'Where the bank inside answers, and the files that a TPP needs.',
    ),
  ),
  people: printedBy('sandbox people', {
    description: 'The customers of the bank inside; of one named its whole, or with --field that one value.',
    anyOf: [
      list(
        object({ ...person.required, methods: text }, { ...person.optional, ...each(text, 'iban balance') }),
      ),
      object({ ...person.required, methods }, person.optional),
      object({ psuId: text }, { ...each(text, 'password otp iban approach'), ...person.optional }),
    ],
  }),
  seeded: printedBy(
    'sandbox seed',
    object({ ...each(text, 'psuId iban currency balance'), ...each(number, 'transactions entries') }),
  ),
  decided: printedBy(['sandbox psu approve', 'sandbox psu refuse'], decided),
  revoked: printedBy('sandbox psu revoke', object(each(text, 'consentId consentStatus'))),
  cleared: printedBy('sandbox fault clear', object({ cleared: oneOf(true) })),
  switches: printedBy('sandbox scenario list', switches),
  switch: printedBy('sandbox scenario get', object(bankSwitch, openForm)),
  scenario: printedBy('sandbox scenario', {
    description: 'All switches, or the one that is named.',
    anyOf: [switches, object(bankSwitch, openForm)],
  }),
  switchSet: printedBy('sandbox scenario set', object(each(text, 'name value before'))),
  clock: printedBy('sandbox clock', object({ now: text, movedMs: number })),
  bankLog: printedBy('sandbox log', {
    description:
      'Requests that reached the bank inside, with --findings the mistakes in them, or with --notifications what it pushed; oldest first.',
    anyOf: [
      list(
        object({
          number,
          ...each(text, 'at method path'),
          ...each(textOrNull, 'operation requestId tpp code rule digest signingString'),
          status: numberOrNull,
          verdict: oneOf('accepted', 'refused', 'limited', 'fault'),
          findings: list(object(requestFinding)),
        }),
      ),
      list(
        object({
          number,
          ...each(text, 'at method path'),
          ...each(textOrNull, 'operation requestId tpp'),
          ...requestFinding,
        }),
      ),
      list(bankPush),
    ],
  }),
  resent: printedBy('sandbox resend', object({ resent: number })),
  bankProcess: printedBy(
    'sandbox status',
    object(
      {
        running: truth,
        ...each(textOrNull, 'name baseUrl'),
        pid: numberOrNull,
        idleMs: numberOrNull,
        banks: list(
          object(
            {
              ...each(text, 'name baseUrl controlUrl tokenFile database'),
              pid: number,
              idleMs: numberOrNull,
            },
            { httpsBaseUrl: text, tenants: text },
          ),
        ),
      },
      {},
      'The banks inside that run; name, baseUrl, pid and idleMs are of the only one, and null where several run.',
    ),
  ),
  bankStopped: printedBy('sandbox stop', object({ stopped: truth, name: textOrNull, pid: numberOrNull })),
  bankFile: printedBy('sandbox export', object({ config: text }, {}, "The bank's file, which is YAML.")),
  bankSchema: printedBy('sandbox schema', {
    description: "The JSON Schema (draft 2020-12) of a bank's file.",
    ...object({
      ...each(text, '$schema title description type'),
      properties: any,
      additionalProperties: truth,
    }),
  }),
  reset: printedBy('sandbox reset', object({ reset: oneOf(true) })),
} as const satisfies Outputs;

/** The documents that `--json` prints and scripts may rely on, by name, less the rows that a command says itself. */
export const documents: Outputs = {
  ...payments,
  ...accounts,
  ...support,
  ...check,
  ...setup,
  ...sandbox,
  ...help,
};

/** What a command prints of them. */
export function documentOf(command: string): Named | undefined {
  const [name, printed] = Object.entries(documents).find(([, { by }]) => by.includes(command)) ?? [];
  return name === undefined || printed === undefined ? undefined : { name, schema: printed.schema };
}

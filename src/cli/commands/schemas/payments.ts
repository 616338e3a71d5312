import {
  any,
  each,
  foreign,
  list,
  number,
  object,
  oneOf,
  orNull,
  text,
  textOrNull,
  truth,
} from '../../../base/schema.ts';
import type { Schema } from '../../../base/schema.ts';
import { bankMessage, money, summary, where } from '../output/shapes.ts';
import { printedBy } from './schema.ts';
import type { Outputs } from './schema.ts';

const method = foreign({ authenticationMethodId: text });
const sca = object({
  of: oneOf('payment', 'cancellation', 'consent', 'deletion', 'basket'),
  ...each(textOrNull, 'approach scaStatus authorisationId url urlRefused psuMessage'),
  urlAlive: orNull(truth),
  scaMethods: orNull(list(method)),
  chosenScaMethod: orNull(method),
  challengeData: { type: ['object', 'null'] },
});
const reason = object({ additional: list(text) }, each(text, 'code proprietary originator'));
const partOfReport = {
  ...each(text, 'endToEndIdentification instructionIdentification uetr paymentInformationId'),
  instructedAmount: money,
  batch: truth,
  ...each(text, 'statusId acceptedAt settlementDate bankReference clearingReference confirmedDate'),
  ...each(text, 'requestedExecutionDate creditorName creditorAccount remittance'),
  confirmedAmount: money,
  charges: list(object({ currency: text, amount: text }, { agent: text })),
};
const partly = {
  reasons: list(reason),
  rejected: list(object({ reasons: list(reason) }, partOfReport)),
  explained: list(object({ reasons: list(reason) }, { ...partOfReport, status: text })),
  counts: list(object({ status: text }, each(text, 'number sum'))),
  contradictions: list(text),
};
/** The bank's fees. */
const fees = object(
  {},
  {
    transactionFeeIndicator: truth,
    transactionFees: money,
    currencyConversionFees: money,
    estimatedTotalAmount: money,
    estimatedInterbankSettlementAmount: money,
  },
);
/** The bank's words at the end, besides the status. */
const said = { psuMessage: text, tppMessages: list(bankMessage), fundsAvailable: truth, ...partly };

/** How far the PSUs are, where several must authorise. */
const authorisations = object(each(number, 'done open listed'));
const consentMembers = {
  access: { type: 'object' },
  recurringIndicator: truth,
  validUntil: text,
  frequencyPerDay: number,
};
const members = list(object({}, each(textOrNull, 'paymentId consentId transactionStatus consentStatus')));
const basketMembers = { paymentIds: list(text), consentIds: list(text) };

const orNulls = (of: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(of).map(([name, schema]) => [name, orNull(schema)]));

/** The document of a noun after a command that leads its authorisation: every member at every exit, null where it is absent. */
const led = (name: string, own: Readonly<Record<string, Schema>>, description: string, more = {}) =>
  object(
    {
      ...where,
      [name]: textOrNull,
      ...each(textOrNull, 'requestId intent code next'),
      ...orNulls({ ...own, ...said, fees, authorisations }),
      sca,
      unknownLinks: list(text),
    },
    more,
    `${description} after a command that leads its authorisation, at the exits 0, 8, 9 and 12.`,
  );
const payment = led(
  'paymentId',
  { ...summary, ...each(text, 'service product transactionStatus') },
  'A payment',
);
const consent = led('consentId', { ...consentMembers, consentStatus: text }, 'A consent', { active: truth });
const basket = led('basketId', { ...basketMembers, members, transactionStatus: text }, 'A signing basket');
const settled = object(
  { id: text, operation: text, status: text, resource: { type: 'object' }, next: textOrNull },
  {},
  'What the bank says of a call of which nobody knew.',
);
const ofAnyNoun = (description: string, ...more: readonly Schema[]): Schema => ({
  description,
  anyOf: [payment, consent, basket, ...more],
});

const eachChange = '; with --watch each change is one on a line of its own.';

export const payments = {
  payment: printedBy([], payment),
  paymentAtBank: printedBy('payment get', {
    description: 'The answer of the bank, as it was sent; text where it is XML.',
    type: ['object', 'string'],
  }),
  paymentStatus: printedBy(
    'payment status',
    foreign(
      {},
      { transactionStatus: text, fundsAvailable: truth, psuMessage: text, ...partly },
      `The answer of the bank${eachChange}`,
    ),
  ),
  paymentLint: printedBy(
    'payment lint',
    object(
      {
        file: text,
        format: oneOf('json', 'pain.001', 'multipart'),
        payments: number,
        sums: list(money),
        ...each(number, 'errors warnings'),
        findings: list(
          object(
            { path: text, rule: text, text, severity: oneOf('error', 'warning') },
            { line: number, column: number },
          ),
        ),
      },
      {},
      'What was found in a payment file; `errors` and `warnings` count all, `findings` has the first of them.',
    ),
  ),
  consent: printedBy('consent use', consent),
  consentAtBank: printedBy(
    'consent get',
    foreign(
      {},
      { ...consentMembers, consentStatus: text },
      'The answer of the bank; what it writes as text although it is a number or a boolean is read as that.',
    ),
  ),
  consentStatus: printedBy(
    'consent status',
    foreign({ consentStatus: text }, {}, `The answer of the bank${eachChange}`),
  ),
  basket: printedBy('basket delete', basket),
  basketAtBank: printedBy(
    'basket get',
    foreign(
      { transactionStatus: text },
      { payments: list(any), consents: list(any) },
      'The answer of the bank, as it was sent.',
    ),
  ),
  basketStatus: printedBy(
    'basket status',
    foreign({ transactionStatus: text }, {}, `The answer of the bank${eachChange}`),
  ),
  authorisations: printedBy(
    ['payment authorisations', 'sca status'],
    list(
      object(
        { of: text, authorisationId: text, scaStatus: textOrNull },
        each(textOrNull, 'psuId approach changedAt'),
      ),
      'Authorisations of one resource; what only a saved one knows is null for those of elsewhere. With --watch, one on each line.',
    ),
  ),
  resource: printedBy(
    [
      'payment init',
      'payment authorise',
      'payment cancel',
      'consent create',
      'consent authorise',
      'consent renew',
      'consent delete',
      'basket create',
      'basket authorise',
      'sca select',
      'sca submit',
      'sca open',
    ],
    ofAnyNoun('A payment, consent or signing basket after a command that leads its authorisation.'),
  ),
  resumed: printedBy(
    'pending resume',
    ofAnyNoun('What was gone on with, or what the bank says of an unknown call.', settled),
  ),
  scaMethods: printedBy(
    'sca methods',
    list(
      foreign(
        { authenticationMethodId: text, chosen: truth },
        each(textOrNull, 'authenticationType name explanation'),
      ),
      'The SCA methods that the bank offered.',
    ),
  ),
  csvTemplate: printedBy(
    'payment csv-template',
    object(
      {
        columns: list(object({ name: text, needed: truth, text, example: text }, {})),
        csv: text,
      },
      {},
      'The columns of a CSV file of payments, and its header.',
    ),
  ),
  resolution: printedBy(
    'pending resolve',
    object(
      {
        id: text,
        resolution: oneOf('created', 'not-created'),
        paymentId: textOrNull,
        next: textOrNull,
        dryRun: truth,
      },
      each(text, 'consentId basketId'),
      'How an unknown entry was settled.',
    ),
  ),
} as const satisfies Outputs;

import {
  any,
  each,
  list,
  map,
  number,
  numberOrNull,
  object,
  oneOf,
  orNull,
  text,
  textOrNull,
  truth,
} from '../../../base/schema.ts';
import { requestFinding } from '../output/shapes.ts';
import { printedBy } from './schema.ts';
import type { Outputs } from './schema.ts';

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

export const sandbox = {
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

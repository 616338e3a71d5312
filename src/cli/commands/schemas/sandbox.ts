import { faultKinds } from '../../../settings/records/fault-kinds.ts';
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
  requestFinding,
  text,
  textOrNull,
  truth,
} from './schema.ts';
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
const fault = object(
  {
    operation: text,
    kind: oneOf(...faultKinds),
    count: number,
  },
  { status: number, delayMs: number, raw: truth, edit: text },
);
const bankPush = object({
  number,
  ...each(text, 'at resourceId uri requestId'),
  body: orNull(map(any)),
  ...each(numberOrNull, 'status resendOf'),
  ...each(textOrNull, 'failure fault'),
});
const bankClient = object({ clientId: text, redirectUris: list(text) });
const snapshot = object(each(text, 'name savedAt'));
const tenant = object(each(text, 'name path'));
const bankSwitch = {
  ...each(text, 'name about value'),
  values: list(object(each(text, 'value meaning'))),
};
const openForm = { open: object(each(text, 'form takes')) };
const switches = list(object({ ...bankSwitch, meaning: text, others: list(text) }, openForm));

export const sandbox = {
  schemas: {
    relay: object({ ...each(text, 'baseUrl to file'), httpsBaseUrl: textOrNull }),
    bankAddress: object(
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
    people: {
      description:
        'The customers of the bank inside; of one named its whole, or with --field that one value.',
      anyOf: [
        list(
          object(
            { ...person.required, methods: text },
            { ...person.optional, ...each(text, 'iban balance') },
          ),
        ),
        object({ ...person.required, methods }, person.optional),
        object({ psuId: text }, { ...each(text, 'password otp iban approach'), ...person.optional }),
      ],
    },
    seeded: object({ ...each(text, 'psuId iban currency balance'), ...each(number, 'transactions entries') }),
    decided,
    revoked: object(each(text, 'consentId consentStatus')),
    fault,
    faults: list(fault),
    bankClient,
    bankClients: list(bankClient),
    cleared: object({ cleared: oneOf(true) }),
    switches,
    switch: object(bankSwitch, openForm),
    scenario: {
      description: 'All switches, or the one that is named.',
      anyOf: [switches, object(bankSwitch, openForm)],
    },
    switchSet: object(each(text, 'name value before')),
    clock: object({ now: text, movedMs: number }),
    bankLog: {
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
    },
    resent: object({ resent: number }),
    bankProcess: object(
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
    bankStopped: object({ stopped: truth, name: textOrNull, pid: numberOrNull }),
    bankFile: object({ config: text }, {}, "The bank's file, which is YAML."),
    bankSchema: {
      description: "The JSON Schema (draft 2020-12) of a bank's file.",
      ...object({
        ...each(text, '$schema title description type'),
        properties: any,
        additionalProperties: truth,
      }),
    },
    snapshot,
    snapshots: list(snapshot),
    tenant,
    tenants: list(tenant),
    reset: object({ reset: oneOf(true) }),
  },
  outputs: {
    'sandbox record': 'relay',
    'sandbox start': 'bankAddress',
    'sandbox replay': 'bankAddress',
    'sandbox status': 'bankProcess',
    'sandbox stop': 'bankStopped',
    'sandbox people': 'people',
    'sandbox seed': 'seeded',
    'sandbox psu approve': 'decided',
    'sandbox psu refuse': 'decided',
    'sandbox psu revoke': 'revoked',
    'sandbox fault add': 'fault',
    'sandbox fault list': 'faults',
    'sandbox fault clear': 'cleared',
    'sandbox client add': 'bankClient',
    'sandbox client list': 'bankClients',
    'sandbox scenario': 'scenario',
    'sandbox scenario list': 'switches',
    'sandbox scenario get': 'switch',
    'sandbox scenario set': 'switchSet',
    'sandbox clock': 'clock',
    'sandbox log': 'bankLog',
    'sandbox resend': 'resent',
    'sandbox export': 'bankFile',
    'sandbox schema': 'bankSchema',
    'sandbox snapshot save': 'snapshot',
    'sandbox snapshot list': 'snapshots',
    'sandbox snapshot restore': 'snapshot',
    'sandbox snapshot delete': 'snapshot',
    'sandbox tenant list': 'tenants',
    'sandbox tenant create': 'tenant',
    'sandbox tenant delete': 'tenant',
    'sandbox reset': 'reset',
  },
} as const satisfies Outputs;

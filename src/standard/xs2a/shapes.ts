/** The least that an answer must be made of, as data; tolerant where known banks are. */
import { JsonNumber, isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { consentStatuses, scaStatuses, transactionStatuses } from './codes.ts';
import type { AnswerKind } from './operations.ts';
import { noId } from './request.ts';
import type { Tolerate } from './tolerated.ts';

/** One deviation: where (JSON pointer), which rule, and in words. */
export interface AnswerDeviation {
  readonly pointer: string;
  readonly rule: string;
  readonly text: string;
}

/** A deviation of an answer; an essential one makes the answer useless. */
export interface ShapeFinding extends AnswerDeviation {
  readonly essential: boolean;
}

type FieldType = 'string' | 'boolean' | 'integer' | 'object' | 'array' | 'amount' | 'any';

/** A member of an answer: `essential` (nothing works without it), `required` (by the contract) or optional. */
interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly need: 'essential' | 'required' | 'optional';
}

const essential = (name: string, type: FieldType = 'string'): Field => ({ name, type, need: 'essential' });
const required = (name: string, type: FieldType = 'string'): Field => ({ name, type, need: 'required' });
const optional = (name: string, type: FieldType = 'string'): Field => ({ name, type, need: 'optional' });

const scaData: readonly Field[] = [
  optional('scaMethods', 'array'),
  optional('chosenScaMethod', 'object'),
  optional('challengeData', 'object'),
  optional('psuMessage'),
  optional('tppMessages', 'array'),
];
const links = required('_links', 'object');

/** The members of each answer; kinds whose body may be wrapped or is another format have none. Source: official files. */
const answerShapes: Readonly<Record<AnswerKind, readonly Field[]>> = {
  none: [],
  'payment-initiation': [
    essential('paymentId'),
    essential('transactionStatus'),
    optional('transactionFees', 'amount'),
    optional('transactionFeeIndicator', 'boolean'),
    ...scaData,
    links,
  ],
  payment: [optional('transactionStatus')],
  'payment-status': [essential('transactionStatus'), optional('fundsAvailable', 'boolean')],
  cancel: [required('transactionStatus'), ...scaData, optional('_links', 'object')],
  'authorisation-start': [essential('scaStatus'), required('authorisationId'), ...scaData, links],
  'authorisation-update': [required('scaStatus'), ...scaData, optional('_links', 'object')],
  'authorisation-list': [],
  'sca-status': [essential('scaStatus')],
  'account-list': [essential('accounts', 'array')],
  account: [],
  balances: [essential('balances', 'array')],
  transactions: [optional('transactions', 'object'), optional('balances', 'array')],
  transaction: [],
  'card-account-list': [essential('cardAccounts', 'array')],
  'card-account': [],
  'card-balances': [essential('balances', 'array')],
  'card-transactions': [optional('cardTransactions', 'object')],
  'consent-creation': [essential('consentId'), essential('consentStatus'), ...scaData, links],
  consent: [
    required('access', 'object'),
    required('recurringIndicator', 'boolean'),
    required('validUntil'),
    required('frequencyPerDay', 'integer'),
    required('lastActionDate'),
    essential('consentStatus'),
  ],
  'consent-status': [essential('consentStatus')],
  'funds-confirmation': [essential('fundsAvailable', 'boolean')],
  'basket-creation': [essential('basketId'), essential('transactionStatus'), ...scaData, links],
  basket: [essential('transactionStatus')],
  'basket-status': [essential('transactionStatus')],
};

/**
 * Checks the members of a JSON answer; null counts as absent, unknown members are legal. Returns every deviation, never
 * throws. Whether a value follows its pattern is the matter of a strict check, not of this one.
 */
export function checkShape(kind: AnswerKind, json: JsonValue): readonly ShapeFinding[] {
  if (kind === 'none') return [];
  // The file of 1.3.3 has the ids of cancellations as the whole answer; guidelines and later files have them below a name.
  if (kind === 'authorisation-list' && isIdList(json)) return [];
  if (!isJsonObject(json)) {
    return [{ pointer: '', rule: 'type', text: 'the answer is not a JSON object', essential: true }];
  }
  const findings = answerShapes[kind].flatMap((field) => {
    const value = json[field.name] ?? undefined;
    const pointer = `/${field.name}`;
    if (value === undefined) {
      if (field.need === 'optional') return [];
      return [
        {
          pointer,
          rule: 'required',
          text: `${field.name} is missing`,
          essential: field.need === 'essential',
        },
      ];
    }
    const wrong = wrongType(field.type, value);
    if (wrong === undefined) {
      const bad = isId(field) && typeof value === 'string' ? noId(value) : undefined;
      return bad === undefined
        ? []
        : [
            {
              pointer,
              rule: 'id',
              text: `${field.name} is no id: ${bad}`,
              essential: field.need === 'essential',
            },
          ];
    }
    const useless = field.need === 'essential' && meant(field.type, value) === undefined;
    return [{ pointer, rule: 'type', text: `${field.name} ${wrong}`, essential: useless }];
  });
  if (kind === 'authorisation-list' && !isIdList(json['authorisationIds'] ?? json['cancellationIds'])) {
    findings.push({
      pointer: '/authorisationIds',
      rule: 'required',
      text: 'neither authorisationIds nor cancellationIds is a list of strings',
      essential: true,
    });
  }
  return findings;
}

/** Whether a member names what a path will lead to: what no path can lead to is as good as not there. */
const isId = ({ name }: Field): boolean => ['paymentId', 'consentId', 'basketId'].includes(name);

/**
 * Returns the one meaning that a value of the wrong type can have (the official examples write booleans and numbers as
 * text), else undefined.
 */
function meant(type: FieldType, value: JsonValue): JsonValue | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toLowerCase();
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return type === 'integer' && /^[0-9]{1,9}$/.test(text) ? new JsonNumber(String(Number(text))) : undefined;
}

/** The members of requests that are no texts; amounts, dates and codes all are. Source: the OpenAPI files. */
const requestTypes: Readonly<Record<string, FieldType>> = {
  recurringIndicator: 'boolean',
  combinedServiceIndicator: 'boolean',
  batchBookingPreferred: 'boolean',
  frequencyPerDay: 'integer',
};

/** The value of a member of a request that was written as a text: of the type that the contract has, else the text. */
export function requestMember(name: string, text: string): JsonValue {
  const type = Object.hasOwn(requestTypes, name) ? requestTypes[name] : undefined;
  return (type === undefined ? undefined : meant(type, text)) ?? text;
}

/** The codes that decide what happens next, by the member that holds them. */
const statuses: Readonly<Record<string, readonly { readonly code: string }[]>> = {
  transactionStatus: transactionStatuses,
  scaStatus: scaStatuses,
  consentStatus: consentStatuses,
};

/**
 * Returns an answer with its members in the types of the contract, where what was sent can mean nothing else: booleans and
 * numbers that came as text, statuses in another spelling; notes these. All else stays as it is.
 */
export function asContracted(kind: AnswerKind, json: JsonValue, tolerate?: Tolerate): JsonValue {
  if (!isJsonObject(json)) return json;
  const types = new Map(answerShapes[kind].map(({ name, type }) => [name, type]));
  const read = Object.create(null) as JsonObject;
  for (const [name, value] of Object.entries(json)) {
    const type = types.get(name) ?? 'any';
    const right = wrongType(type, value) === undefined ? undefined : meant(type, value);
    if (right !== undefined) tolerate?.(`/${name}`, `${name} is a text and not a ${type}`);
    const kept = right ?? value;
    const isStatus = Object.hasOwn(statuses, name) && typeof kept === 'string';
    read[name] = isStatus ? statusMeant(name, kept, tolerate) : kept;
  }
  return read;
}

/** The status that a word means: its case does not count, and `finalized` is American for finalised; else the word itself. */
function statusMeant(name: string, word: string, tolerate?: Tolerate): string {
  const wished = word.toLowerCase();
  const usual = name === 'scaStatus' && wished === 'finalized' ? 'finalised' : wished;
  const code = statuses[name]?.find((one) => one.code.toLowerCase() === usual)?.code ?? word;
  if (code !== word) tolerate?.(`/${name}`, `${name} ${word} means ${code}`);
  return code;
}

const isIdList = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function wrongType(type: FieldType, value: JsonValue): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'is not a string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'is not a boolean';
    case 'integer':
      return value instanceof JsonNumber ? undefined : 'is not a number';
    case 'object':
      return isJsonObject(value) ? undefined : 'is not an object';
    case 'array':
      return Array.isArray(value) ? undefined : 'is not an array';
    case 'amount':
      return wrongAmount(value);
    case 'any':
      return undefined;
  }
}

function wrongAmount(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return 'is not an amount';
  if (typeof value['currency'] !== 'string') return 'has no currency';
  if (value['amount'] instanceof JsonNumber) return 'has a number where a string is due';
  return typeof value['amount'] === 'string' ? undefined : 'has no amount';
}

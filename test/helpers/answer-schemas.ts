// The official files as the rows of `src/standard/xs2a/answer-objects.ts`: what each object of an answer has, by the names of the file.
import type { Framework } from '../../src/standard/xs2a/variants.ts';
import { flat } from './contract-schema.ts';
import { official } from './official.ts';
import type { Official, Schema } from './official.ts';

/** An object as a file has it: the type of each member, with a star where it must be there. */
export type FileObjects = Record<string, Record<string, string>>;
/** A text as a file has it: its bounds, in the words of `values.ts`. */
export type FileValues = Record<string, string>;

/** Later files spell or call some schemas otherwise. */
const renamed: Readonly<Record<string, string>> = {
  'paymentInitationRequestResponse-201': 'paymentInitiationRequestResponse-201',
  updatePsuIdenticationResponse: 'updatePsuIdentificationResponse',
  transactionDetails: 'transactions',
  // The errors of all services and statuses differ in their codes alone, which have a table of their own.
  tppMessage400_PIS: 'tppMessage',
  Error400_PIS: 'problem',
};

const nameOf = (ref: string): string => {
  const name = ref.replace('#/components/schemas/', '');
  return renamed[name] ?? name;
};

/** Lists that ISO 20022 keeps by itself and enlarges each quarter: a file has those of its day. */
const externalLists = new Set(['purposeCode']);

/** The schemas from which an answer is read, besides those that the file writes into the operation itself. */
const roots = [
  'paymentInitiationRequestResponse-201',
  'paymentInitiationWithStatusResponse',
  'periodicPaymentInitiationWithStatusResponse',
  'bulkPaymentInitiationWithStatusResponse',
  'paymentInitiationCancelResponse-202',
  'paymentInitiationStatusResponse-200_json',
  'authorisations',
  'cancellationList',
  'startScaprocessResponse',
  'scaStatusResponse',
  'updatePsuIdentificationResponse',
  'updatePsuAuthenticationResponse',
  'selectPsuAuthenticationMethodResponse',
  'authorisationConfirmationResponse',
  'accountList',
  'accountDetails',
  'readAccountBalanceResponse-200',
  'transactionsResponse-200_json',
  'transactions',
  'cardAccountList',
  'cardAccountDetails',
  'readCardAccountBalanceResponse-200',
  'cardAccountsTransactionsResponse200',
  'consentsResponse-201',
  'consentInformationResponse-200_json',
  'consentStatusResponse-200',
  'signingBasketResponse-201',
  'signingBasketResponse-200',
  'signingBasketStatusResponse-200',
  'tppMessage',
  'problem',
];

/** Every object and text that an answer of 2xx is made of, in a framework. */
export function answerSchemas(framework: Framework): { objects: FileObjects; values: FileValues } {
  const file = official(framework);
  const objects: FileObjects = {};
  const values: FileValues = {};
  const byName = new Map(Object.entries(file.schemas).map(([name, schema]) => [nameOf(name), schema]));
  const wanted = roots.filter((name) => byName.has(name));
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    if (objects[name] !== undefined) continue;
    const schema = flat(file, byName.get(name) ?? {});
    const members: Record<string, string> = {};
    objects[name] = members;
    for (const [member, own] of Object.entries(schema.properties ?? {})) {
      const type = typeOf(file, own, `${name}.${member}`, values, wanted);
      members[member] = type + (schema.required?.includes(member) === true ? '*' : '');
    }
  }
  return { objects, values };
}

function typeOf(file: Official, schema: Schema, at: string, values: FileValues, wanted: string[]): string {
  const own = flat(file, schema);
  const name = refOf(schema);
  if (name?.startsWith('_links') === true) return ['links', ...(own.required ?? [])].join(' ');
  if (name?.startsWith('MessageCode') === true) return 'text';
  if (name !== undefined && externalLists.has(name)) return 'text:4';
  if (own.type === 'array') return `[${typeOf(file, own.items ?? {}, at, values, wanted)}]`;
  if (own.type === 'boolean') return 'boolean';
  if (own.type === 'integer') return 'integer';
  if (own.properties !== undefined && name !== undefined) {
    wanted.push(name);
    return name;
  }
  // What a file writes in place of a name it has: an amount.
  if (own.properties !== undefined)
    return 'amountValue' === refOf(own.properties['amount'] ?? {}) ? 'amount' : inlineOf(own.properties);
  if (own.type === 'string' || own.enum !== undefined) {
    const bounds = boundsOf(own);
    if (name === undefined) return bounds;
    values[name] = bounds;
    return name;
  }
  return own.type === 'object' || own.additionalProperties !== undefined ? 'object' : 'any';
}

function refOf(schema: Schema): string | undefined {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  return schema.allOf?.length === 1 ? refOf(schema.allOf[0] ?? {}) : undefined;
}

/** `text`, `text:35`, `date`, `one of A B`, `pattern …`. */
function boundsOf({ maxLength, pattern, format, enum: codes }: Schema): string {
  if (codes !== undefined) return `one of ${codes.join(' ')}`;
  if (format === 'date' || format === 'date-time') return format;
  if (pattern !== undefined) return `pattern ${pattern.replaceAll('\\-', '-')}`;
  return maxLength === undefined ? 'text' : `text:${String(maxLength)}`;
}

const inlineOf = (properties: Record<string, Schema>): string =>
  Object.keys(properties).sort().join() === 'code,detail,title' ? 'additionalError' : 'object';

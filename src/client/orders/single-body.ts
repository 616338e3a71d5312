import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import { checkBic } from '../../standard/xs2a/check.ts';
import { readCreditorReference } from '../../standard/xs2a/creditor-reference.ts';
import { chargeBearers, executionRules, frequencies, valuesIn } from '../../standard/xs2a/code-lists.ts';
import { readJson, writeJson } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import {
  allowsEndToEndIdentification,
  fieldsOf,
  isJsonProduct,
  isXmlProduct,
} from '../../standard/xs2a/products.ts';
import { presets } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { PaymentInitiation, StructuredRemittance, StandingOrder } from '../../standard/xs2a/wire.ts';
import { addressOf, linesOf } from './field-parts.ts';
import { painFields } from './pain-fields.ts';
import { readOrder } from './read-order.ts';
import type { PaymentKind, PaymentOrder } from './read-order.ts';
import {
  accountOf,
  canonicalAmount,
  canonicalIban,
  checkFields,
  codeIn,
  fieldFlags,
  neededFields,
  notSendable,
  mandatoryStanding,
  monthsOf,
} from './payment-fields.ts';
import type { FieldName, PaymentFields } from './payment-fields.ts';

/** Facts needed for a body besides its fields. */
export interface BodyTerms {
  framework?: Framework;
  /** Supplies the endToEndIdentification if the product allows one and none was given. */
  intentHash: string;
  /** The products that the bank has opened, and the spelling it wants. */
  forms?: BankDescriptor['payments'];
  /** Further members by name, each a text in JSON; they win over what the fields say. */
  set?: readonly string[];
}

/**
 * Builds the JSON body of a single payment or a standing order, and reports every fault of the fields together. The payment has
 * an endToEndIdentification where its product allows one, so that it can be found again.
 */
export function buildPayment(
  kind: PaymentKind,
  fields: PaymentFields,
  { framework = presets.v1.framework, intentHash, forms = {}, set = [] }: BodyTerms,
): PaymentOrder {
  const { service, product } = kind;
  if (service === 'bulk-payments' || isXmlProduct(product)) {
    throw new ObkError({
      code: 'USAGE',
      title: `A payment of ${service}/${product} cannot be built from single fields.`,
      hint: ['--input FILE   # the whole payment'],
    });
  }
  checkFields(fields, neededFields(service));
  checkMatrix(product, fields, forms.members);
  needPainOf(product, fields);
  const endToEndId =
    fields.endToEndId ?? (allowsEndToEndIdentification(product) ? madeId(intentHash) : undefined);
  const body = {
    ...singleBody({ ...fields, ...defined({ endToEndId }) }, framework),
    ...referenceOf(fields, forms),
    ...(service === 'periodic-payments' ? standingOrderOf(fields, framework) : {}),
    ...Object.fromEntries(set.map(readSet)),
  };
  return readOrder(kind, Buffer.from(writeJson(body), 'utf8'));
}

/** An identification of at most 35 characters that the intent has for good. */
export function madeId(intentHash: string): string {
  return `OBK${intentHash.slice(0, 29).toUpperCase()}`;
}

/** The members of a single payment, from checked fields. */
export function singleBody(
  fields: PaymentFields,
  framework: Framework,
): Omit<PaymentInitiation, 'remittanceInformationStructured'> {
  const currency = (fields.currency ?? 'EUR').toUpperCase();
  const { endToEndId, creditorAgent, creditorAddress, chargeBearer, remittance, executionDate } = fields;
  const agent = creditorAgent === undefined ? undefined : checkBic(creditorAgent);
  const address = creditorAddress === undefined ? undefined : addressOf(creditorAddress, framework);
  const bearer = chargeBearer === undefined ? undefined : codeIn(chargeBearers, chargeBearer);
  return {
    ...defined({ endToEndIdentification: endToEndId }),
    debtorAccount: { iban: canonicalIban(fields.debtor) },
    ...defined({ debtorName: fields.debtorName }),
    instructedAmount: { currency, amount: canonicalAmount(fields.amount ?? '', currency) },
    creditorAccount: accountOf(fields.creditorAccount ?? ''),
    ...(agent?.ok === true && { creditorAgent: agent.value }),
    creditorName: fields.creditorName ?? '',
    ...defined({
      creditorAddress: address,
      chargeBearer: bearer,
      remittanceInformationUnstructured: remittance,
      requestedExecutionDate: executionDate,
    }),
  };
}

/** A structured remittance information as the bank wants it; the guidelines have an object whose reference has 35 characters. */
function referenceOf(
  { creditorReference: text, creditorAccount }: PaymentFields,
  { remittanceStructured = 'object' }: NonNullable<BodyTerms['forms']>,
): Pick<PaymentInitiation, 'remittanceInformationStructured'> {
  if (text === undefined) return {};
  const value = referenceIn(text, creditorAccount, remittanceStructured === 'string' ? 140 : 35);
  return {
    remittanceInformationStructured: remittanceStructured === 'string' ? value.reference : value,
  };
}

/** The reference for a creditor as an object; throws where it is wrong, or longer than `max`. */
export function referenceIn(text: string, creditorAccount?: string, max = 35): StructuredRemittance {
  const read = readCreditorReference(text, creditorAccount, max);
  if (read.ok) return read.value;
  throw notSendable([`${fieldFlags.creditorReference} ${JSON.stringify(text)}: ${read.why}`]);
}

// The flags whose members not every product has; an execution date is an extension that many banks offer.
const flagMembers = {
  endToEndId: 'endToEndIdentification',
  debtorName: 'debtorName',
  creditorAgent: 'creditorAgent',
  creditorAddress: 'creditorAddress',
  chargeBearer: 'chargeBearer',
  creditorReference: 'remittanceInformationStructured',
} as const satisfies Partial<Record<FieldName, keyof PaymentInitiation>>;

/** Throws for a flag whose member is outside the product: a bank may refuse the whole payment for it. */
function checkMatrix(
  product: string,
  fields: PaymentFields,
  members: readonly (keyof PaymentInitiation)[] = [],
): void {
  if (!isJsonProduct(product)) return;
  const needs = fieldsOf(product);
  const outside = (Object.keys(flagMembers) as (keyof typeof flagMembers)[]).filter(
    (name) =>
      fields[name] !== undefined && needs[flagMembers[name]] === 'n' && !members.includes(flagMembers[name]),
  );
  const faults = outside.map((name) => `${fieldFlags[name]}: ${product} has no ${flagMembers[name]}`);
  if (
    product !== 'cross-border-credit-transfers' &&
    accountOf(fields.creditorAccount ?? '').bban !== undefined
  )
    faults.push(`${fieldFlags.creditorAccount}: ${product} go to an IBAN`);
  if (faults.length === 0) return;
  const hint = outside.flatMap((name) => [
    `--set '${flagMembers[name]}="..."'   # if the bank accepts it anyway`,
    line`obk config set payments.members ${[...members, flagMembers[name]].join(',')}   # where it always does`,
  ]);
  throw notSendable(faults, ...hint);
}

/** Throws for what pain.001 alone has a place for. */
function needPainOf(product: string, fields: PaymentFields): void {
  const faults = painFields
    .filter((name) => fields[name] !== undefined)
    .map((name) => `${fieldFlags[name]}: it goes with pain.001, and ${product} is JSON`);
  if (linesOf(fields.creditorAddress).length > 0)
    faults.push(`${fieldFlags.creditorAddress}: its lines go with pain.001, and ${product} is JSON`);
  if (faults.length > 0) throw notSendable(faults);
}

/** Reads `name=json` of --set; throws USAGE where it is neither. */
export function readSet(text: string): [name: string, value: JsonValue] {
  const [, name, json = ''] = /^([A-Za-z][A-Za-z0-9]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw badSet(text, 'it is not NAME=JSON');
  try {
    return [name, readJson(Buffer.from(json, 'utf8'), { code: 'INPUT_INVALID' })];
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    throw badSet(text, error.detail ?? 'the value is not JSON', `--set '${name}=${JSON.stringify(json)}'`);
  }
}

function badSet(text: string, why: string, ...hint: string[]): ObkError {
  const title = `--set ${JSON.stringify(text)} cannot be sent.`;
  return new ObkError({ code: 'USAGE', title, detail: why, hint });
}

/** When a standing order runs; throws for missing and wrong fields, and where they do not fit each other or the framework. */
export function standingOrderOf(fields: PaymentFields, framework: Framework): StandingOrder {
  checkFields(fields, mandatoryStanding);
  const { startDate = '', endDate, executionRule, dayOfExecution, months } = fields;
  const frequency = codeIn(frequencies, fields.frequency ?? '') ?? '';
  const rule = executionRule === undefined ? undefined : codeIn(executionRules, executionRule);
  const offered = valuesIn(framework, frequencies);
  const variable = frequency === 'MonthlyVariable';
  const faults = [
    !offered.includes(frequency) && `--frequency ${frequency}: ${framework} has ${offered.join(', ')}`,
    endDate !== undefined && endDate < startDate && `--end-date ${endDate}: it is before ${startDate}`,
    months !== undefined && !variable && '--months: they belong to --frequency MonthlyVariable alone',
    months === undefined && variable && '--months: MonthlyVariable needs them',
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw notSendable(faults);
  return {
    startDate,
    frequency,
    ...defined({ endDate, executionRule: rule }),
    ...(dayOfExecution !== undefined && { dayOfExecution: dayOfExecution.replace(/^0/, '') }),
    ...(months !== undefined && { monthsOfExecution: monthsOf(months) }),
  };
}

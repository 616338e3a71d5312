import { defined } from '../../../base/defined.ts';
import type { Context } from '../../context.ts';
import { cleanLine } from '../../../base/clean.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { Change } from '../../../client/orders/characters.ts';
import { fieldFits, fieldFlags, fieldNames, missingFields } from '../../../client/orders/payment-fields.ts';
import type { FieldName, PaymentFields } from '../../../client/orders/payment-fields.ts';
import { readOrder } from '../../../client/orders/read-order.ts';
import type { PaymentOrder } from '../../../client/orders/read-order.ts';
import { buildPayment } from '../../../client/orders/single-body.ts';
import { intentHash } from '../../../client/resources/intent.ts';
import { isXmlProduct } from '../../../standard/xs2a/products.ts';
import { checkProduct, checkService, productsOf } from '../flags/check-product.ts';
import { demand, usageError } from '../flags/flag-values.ts';
import { givenFor, question } from '../flags/prompts.ts';
import { usualDebtor, usualNames } from '../../../client/call/usual-debtor.ts';
import { askFields, askNames, isAsked, painNames } from './ask-fields.ts';

/** The flags that say what is to be paid. */
export interface OrderOptions extends Omit<PaymentFields, 'creditorAddress'> {
  product?: string;
  service: string;
  input?: string;
  fromCsv?: string;
  intentKey?: string;
  creditorAddress?: readonly string[];
  batchBooking?: 'yes' | 'no';
  set?: readonly string[];
  schema?: string;
  transliterate?: boolean;
  charset?: string;
  decimal?: 'dot' | 'comma';
}

/** The versions of pain.001 that can be chosen for a payment. */
export const painSchemas = ['pain.001.001.03', 'pain.001.001.09'] as const;

/** Reads `--schema`; throws USAGE for a version that is not written. */
export function painSchema(text: string): string {
  if ((painSchemas as readonly string[]).includes(text)) return text;
  throw usageError(`--schema ${JSON.stringify(text)} is not one of ${painSchemas.join(', ')}.`);
}

/** A payment ready to be sent, with the intent that it carries out. */
export type Ordered = PaymentOrder & {
  intent: { hash: string; key: string; chosen: boolean };
  /** The fields as they were given and answered; absent where a file has them. */
  fields?: PaymentFields;
};

/** The sources of an order, once flags, variables and answers are read. */
interface Making {
  context: Context;
  target: Target;
  options: OrderOptions;
  service: string;
  /** Undefined until one is chosen. */
  product: string | undefined;
  fields: PaymentFields;
  /** All fields, once they are answered. */
  answered?: PaymentFields;
  hash: string;
  /** The texts that were transliterated. */
  changes: Change[];
}

/** The payment as it will be sent: from a file, or from flags and what a person adds. */
export async function orderOf(context: Context, target: Target, options: OrderOptions): Promise<Ordered> {
  const { ids, notices } = context.ports;
  const { service } = options;
  const chosen = options.intentKey !== undefined;
  const key = options.intentKey ?? ids.uuid();
  const hash = intentHash(target.name, key, target.ownBank?.ledger);
  const product = givenFor(context, 'product', options.product);
  checkService(service);
  if (product !== undefined) checkProduct(service, product, target.profile.payments?.matrix);
  const fields = typedFields(options);
  const making: Making = { context, target, options, service, product, fields, hash, changes: [] };
  const order = await make(making);
  const members: readonly string[] = target.profile.payments?.members ?? [];
  const outside = order.outside.filter((name) => !members.includes(name));
  if (outside.length > 0) {
    notices.warn(
      `${outside.join(', ')}: not part of ${order.product}; the bank may refuse the payment for it.`,
    );
  }
  await tellDoubts(making, order);
  const { answered } = making;
  return { ...order, intent: { hash, key, chosen }, ...defined({ fields: answered }) };
}

const shownChanges = 20;

/** Tells what was transliterated, and warns of what a bank may refuse although it can be sent. */
async function tellDoubts({ context, target, changes, hash }: Making, order: PaymentOrder): Promise<void> {
  const { notices, clock } = context.ports;
  for (const { place, from, to } of changes.slice(0, shownChanges))
    notices.say(`${place}: ${JSON.stringify(cleanLine(from))} is written ${JSON.stringify(cleanLine(to))}`);
  const untold = changes.length - shownChanges;
  if (untold > 0) notices.say(`and ${String(untold)} more`);
  const { limits, pain } = target.profile.payments ?? {};
  const { doubtsOf } = await import('../../../client/orders/characters.ts');
  const doubts = await doubtsOf(order, {
    framework: target.variant.framework,
    today: clock.now().toISOString().slice(0, 'YYYY-MM-DD'.length),
    strict: false,
    intentHash: hash,
    ...defined({ pain }),
  });
  const found = limits?.charset === 'any' ? doubts.filter(({ rule }) => rule !== 'charset') : doubts;
  for (const { path, text } of found.slice(0, shownWarnings))
    notices.warn(`${cleanLine(path)}: ${cleanLine(text)}`);
  if (found.length > shownWarnings)
    notices.warn(`and ${String(found.length - shownWarnings)} more; obk payment lint tells all.`);
  if (found.some(({ rule }) => rule === 'charset'))
    notices.warn('The bank may refuse or change such characters; --transliterate writes others.');
}

const shownWarnings = 5;

function typedFields({ creditorAddress, ...options }: OrderOptions): PaymentFields {
  const all: PaymentFields = {
    ...options,
    ...(creditorAddress === undefined ? {} : { creditorAddress: creditorAddress.join(';') }),
  };
  return Object.fromEntries(
    fieldNames.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  );
}

function make(making: Making): Promise<PaymentOrder> {
  const { options, service } = making;
  refuseOdd(options);
  if (options.input !== undefined) return fromInput(making, options.input);
  const strange = (Object.keys(making.fields) as FieldName[]).filter((name) => !fieldFits(name, service));
  if (strange.length > 0) throw usageError(`${flagsOf(strange)} cannot be given with --service ${service}.`);
  if (options.fromCsv !== undefined) return fromCsv(making, options.fromCsv);
  if (service === 'bulk-payments') demand(['--from-csv'], '--input FILE   # the whole bulk');
  return fromFields(making);
}

/** Throws USAGE for flags that do not go together. */
function refuseOdd({
  service,
  input,
  fromCsv: csv,
  set,
  schema,
  transliterate,
  ...ofCsv
}: OrderOptions): void {
  if (input !== undefined && csv !== undefined)
    throw usageError('--input and --from-csv cannot be given together.');
  if (csv !== undefined && service !== 'bulk-payments')
    throw usageError('--from-csv is for a bulk.', '--service bulk-payments');
  const onlyOfCsv = {
    '--batch-booking': ofCsv.batchBooking,
    '--charset': ofCsv.charset,
    '--decimal': ofCsv.decimal,
  };
  for (const [flag, value] of Object.entries(onlyOfCsv))
    if (value !== undefined && csv === undefined) throw usageError(`${flag} goes with --from-csv.`);
  if (set !== undefined && (input ?? csv) !== undefined)
    throw usageError('--set goes with the flags of one payment.');
  if (schema !== undefined && input !== undefined)
    throw usageError('--schema is for a pain.001 that obk writes; --input is sent as it is.');
  if (transliterate === true && input !== undefined)
    throw usageError('--transliterate is for a payment that obk writes; --input is sent as it is.');
}

/** Most payments need no XML. */
const painBody = () => import('../../../client/orders/pain-body.ts');

const flagsOf = (names: readonly FieldName[]) => names.map((name) => fieldFlags[name]).join(', ');

const daysOfStanding: readonly FieldName[] = fieldNames.slice(fieldNames.indexOf('startDate'));

async function fromInput({ context, target, service, product, fields, hash }: Making, path: string) {
  const isXml = isXmlHere(target, service, product ?? '');
  const isForm = service === 'periodic-payments' && isXml;
  const strange = (Object.keys(fields) as FieldName[]).filter(
    (name) => !isForm || !daysOfStanding.includes(name),
  );
  if (strange.length > 0)
    throw usageError(`--input is the whole payment, so ${flagsOf(strange)} cannot be given with it.`);
  if (product === undefined) demand(['--product']);
  const bytes = await context.ports.files.read(path);
  const terms = painTerms(context, target, hash);
  const kind = { service, product: product ?? '' };
  return inFile(path, async () =>
    isXml ? (await painBody()).readPainOrder(kind, bytes, fields, terms) : readOrder(kind, bytes),
  );
}

async function fromCsv(making: Making, path: string) {
  const { context, target, options, product, fields, hash, changes } = making;
  const isChanged = options.transliterate === true;
  if (product === undefined) demand(['--product']);
  const debtor = fields.debtor ?? givenFor(context, 'debtor', undefined) ?? (await usualDebtor(target));
  if (debtor === undefined) demand(['--debtor']);
  const name = product ?? '';
  const bytes = await context.ports.files.read(path);
  const { buildBulk, readBulkCsv } = await import('../../../client/orders/bulk-body.ts');
  const { framework } = target.variant;
  const forms = target.profile.payments ?? {};
  const isPain = isXmlHere(target, 'bulk-payments', name);
  const terms = painTerms(context, target, hash, options);
  const painVersion = isPain ? (terms.form?.version ?? painSchemas[0]) : undefined;
  const payments = await inFile(path, () =>
    readBulkCsv(bytes, {
      product: name,
      framework,
      intentHash: hash,
      forms,
      ...defined({ version: painVersion, charset: options.charset, decimal: options.decimal }),
      ...(isChanged && { changed: (change) => void changes.push(change) }),
    }),
  );
  if (!isPain) needPain(options, name);
  const known = isPain ? await usualNamesIn(context, target, fields) : {};
  const { person } = target.ports;
  if (isPain && !person.present && (known.debtorName ?? '') === '')
    demand([fieldFlags.debtorName], nameSetting(target), 'obk payment init --help');
  const names = isPain && known.debtorName === undefined ? await askNames(person, known) : known;
  const head = {
    ...(await inCharacters(making, { ...fields, ...names })),
    ...defined({ debtor }),
    ...(options.batchBooking === undefined ? {} : { batchBooking: options.batchBooking === 'yes' }),
  };
  return isPain
    ? (await painBody()).buildPainBulk(name, payments, head, terms)
    : buildBulk(name, payments, head, forms);
}

async function fromFields(making: Making): Promise<PaymentOrder> {
  const { context, target, options, service, hash } = making;
  const { person } = context.ports;
  const fields = { ...making.fields };
  for (const name of fieldNames) {
    const value =
      isAsked(name) && !isPainName(name) && fieldFits(name, service)
        ? givenFor(context, name, fields[name])
        : undefined;
    if (value !== undefined) fields[name] = value;
  }
  const debtor = fields.debtor ?? (await usualDebtor(target));
  const isPainOf = (product: string) => isXmlHere(target, service, product);
  if (making.product !== undefined && isPainOf(making.product))
    Object.assign(fields, await usualNamesIn(context, target, fields));
  if (!person.present) {
    const isPain = making.product !== undefined && isPainOf(making.product);
    const missing = missingFields({ ...fields, ...defined({ debtor }) }, service, isPain);
    demand(
      [
        making.product === undefined && '--product',
        ...missing.map((name) => fieldFlags[name]),
        target.environment !== 'sandbox' && target.psu.ipAddress === undefined && '--psu-ip',
      ],
      ...(missing.includes('debtorName') ? [nameSetting(target)] : []),
      'obk payment init --help',
    );
    if (debtor !== undefined) fields.debtor = debtor;
  }
  const product = making.product ?? (await chooseProduct(target, service));
  const isPain = isPainOf(product);
  if (isPain) Object.assign(fields, await usualNamesIn(context, target, fields));
  else if (fields.initiatingParty !== undefined)
    throw usageError(`${fieldFlags.initiatingParty} goes with pain.001, and ${product} is JSON.`);
  const { framework } = target.variant;
  const answers = person.present
    ? await askFields(target.ports.person, fields, { debtor, service, product, isPain, framework })
    : fields;
  const whole = await inCharacters(making, answers);
  making.answered = whole;
  if (!isPain) {
    needPain(options, product);
    const forms = target.profile.payments ?? {};
    const terms = { framework, intentHash: hash, forms, ...defined({ set: options.set }) };
    return buildPayment({ service, product }, whole, terms);
  }
  if (options.set !== undefined) throw usageError('--set goes with the products in JSON.');
  const { buildPain } = await painBody();
  return buildPain({ service, product }, whole, painTerms(context, target, hash, options));
}

/** The fields as they are written: in the characters that every bank takes, if wanted. */
async function inCharacters({ options, changes }: Making, fields: PaymentFields): Promise<PaymentFields> {
  if (options.transliterate !== true) return fields;
  const { transliterated } = await import('../../../client/orders/characters.ts');
  const written = transliterated(fields);
  changes.push(...written.changes);
  return written.fields;
}

/** Refuses `--schema` for a product that is no pain.001. */
export function needPain({ schema }: Pick<OrderOptions, 'schema'>, product: string): void {
  if (schema !== undefined) throw usageError(`--schema goes with pain.001, and ${product} is JSON.`);
}

const isPainName = (name: FieldName) => (painNames as readonly FieldName[]).includes(name);

/** The names of a pain.001 from flags, variables and the profile, in this order. */
async function usualNamesIn(context: Context, target: Target, fields: PaymentFields) {
  const given = painNames.flatMap((name) => {
    const value = givenFor(context, name, fields[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...(await usualNames(target)), ...Object.fromEntries(given) };
}

/** The command that keeps the name of the payer for all payments. */
const nameSetting = ({ name }: Target) =>
  line`obk config set debtorName NAME --profile ${name}` + '   # for every pain.001 of the profile';

/** Whether a product is pain.001: by its name, or because the bank takes this one of its own as XML alone. */
function isXmlHere({ profile }: Target, service: string, product: string): boolean {
  const forms = profile.payments?.matrix?.[service]?.[product] ?? [];
  return isXmlProduct(product) || (forms.includes('xml') && !forms.includes('json'));
}

function painTerms(
  context: Context,
  target: Target,
  intentHash: string,
  { schema }: Pick<OrderOptions, 'schema'> = {},
) {
  const { pain: ofBank } = target.profile.payments ?? {};
  const { namespace: _, schemaLocation: __, ...rest } = ofBank ?? {};
  // A namespace of the bank belongs to its own version.
  const pain = schema === undefined || schema === ofBank?.version ? ofBank : { ...rest, version: schema };
  return {
    framework: target.variant.framework,
    intentHash,
    now: context.ports.clock.now().toISOString(),
    ...defined({ form: pain }),
  };
}

/** Adds the name of the file to an error in it. */
async function inFile<T>(path: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ObkError) || error.code !== 'INPUT_INVALID') throw error;
    const { code, title, detail = title, hint } = error;
    const what = path === '-' ? 'stdin' : path;
    throw new ObkError({ code, title: `The payment in ${what} cannot be sent.`, detail, hint, cause: error });
  }
}

function chooseProduct({ ports, profile }: Target, service: string): Promise<string> {
  return ports.person.choose({
    ...question('product', 'Payment product'),
    options: productsOf(service, profile.payments?.matrix).map((product) => ({
      value: product,
      name: product,
    })),
  });
}

import type { Context } from '../../context.ts';
import { ObkError } from '../../errors.ts';
import { intentHash } from '../../flows/intent.ts';
import { buildPayment, fieldFault, fieldFlags, missingFields, readOrder } from '../../flows/payment-body.ts';
import type { PaymentFields, PaymentOrder } from '../../flows/payment-body.ts';
import type { Target } from '../../flows/target.ts';
import { jsonProducts } from '../../xs2a/products.ts';
import { demand, usageError } from '../flags.ts';
import { givenFor, question } from '../prompts.ts';
import { checkProduct } from './check-product.ts';

/** The flags that say what is to be paid. */
export interface OrderOptions extends PaymentFields {
  product?: string;
  service: string;
  input?: string;
  intentKey?: string;
}

/** A payment ready to be sent, with the intent that it carries out. */
export type Ordered = PaymentOrder & { intent: { hash: string; key: string; chosen: boolean } };

/** The payment as it will be sent: from a file, or from flags and what a person adds. */
export async function orderOf(context: Context, target: Target, options: OrderOptions): Promise<Ordered> {
  const { person, files, ids } = context.ports;
  const chosen = options.intentKey !== undefined;
  const key = options.intentKey ?? ids.uuid();
  const hash = intentHash(target.name, key);
  const intent = { hash, key, chosen };
  const wanted = givenFor(context, 'product', options.product);
  const typed = (Object.keys(fieldFlags) as (keyof PaymentFields)[]).filter(
    (name) => options[name] !== undefined,
  );
  if (options.input !== undefined) {
    if (typed.length > 0) {
      const flags = typed.map((name) => fieldFlags[name]).join(', ');
      throw usageError(`--input is the whole payment, so ${flags} cannot be given with it.`);
    }
    if (wanted === undefined) demand(['--product']);
    checkForNow(options.service, wanted ?? '');
    const bytes = await files.read(options.input);
    return { ...inFile(options.input, () => readOrder(options.service, wanted ?? '', bytes)), intent };
  }
  const fields: PaymentFields = {};
  for (const name of Object.keys(fieldFlags) as (keyof PaymentFields)[]) {
    const value = isAsked(name) ? givenFor(context, name, options[name]) : options[name];
    if (value !== undefined) fields[name] = value;
  }
  const debtor = fields.debtor ?? (await usualDebtor(target));
  if (!person.present) {
    const missing = missingFields({ ...fields, ...(debtor === undefined ? {} : { debtor }) });
    demand(
      [
        wanted === undefined && '--product',
        ...missing.map((name) => fieldFlags[name]),
        target.environment !== 'sandbox' && target.psu.ipAddress === undefined && '--psu-ip',
      ],
      'obk payment init --help',
    );
    if (debtor !== undefined) fields.debtor = debtor;
  }
  const product = wanted ?? (await chooseProduct(context));
  checkForNow(options.service, product);
  const complete = person.present ? await askFields(context, fields, debtor) : fields;
  return { ...buildPayment(options.service, product, complete, hash), intent };
}

/** What is wrong in a file is told with its name. */
function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { code, title, detail = title, hint } = error;
    const what = path === '-' ? 'stdin' : path;
    throw new ObkError({ code, title: `The payment in ${what} cannot be sent.`, detail, hint, cause: error });
  }
}

function checkForNow(service: string, product: string): void {
  checkProduct(service, product);
  if ((jsonProducts as readonly string[]).includes(product)) return;
  throw new ObkError({
    code: 'NOT_OFFERED',
    title: `obk cannot send ${product} yet.`,
    detail: `It sends the products in JSON: ${jsonProducts.join(', ')}.`,
  });
}

/** The account of the profile; at the bank inside that of the PSU. */
async function usualDebtor(target: Target): Promise<string | undefined> {
  if (target.profile.debtor !== undefined || target.inside === undefined) return target.profile.debtor;
  const people = await target.ports.bank.people({ offline: target.run.dryRun });
  const psu = target.psu.id === undefined ? people[0] : people.find(({ psuId }) => psuId === target.psu.id);
  return psu?.accounts[0]?.iban;
}

function chooseProduct(context: Context): Promise<string> {
  return context.ports.person.choose({
    ...question('product', 'Payment product'),
    options: jsonProducts.map((product) => ({ value: product, name: product })),
  });
}

const questions = [
  ['debtor', 'Pay from account (IBAN)'],
  ['creditorName', 'Name of the payee'],
  ['creditorAccount', 'Account of the payee (IBAN)'],
  ['amount', 'Amount'],
  ['remittance', 'Text for the payee (may be empty)'],
] as const satisfies readonly (readonly [keyof PaymentFields, string])[];

function isAsked(name: keyof PaymentFields): name is (typeof questions)[number][0] {
  return questions.some(([asked]) => asked === name);
}

/** Asks for what is not there yet, each answer checked at once. */
async function askFields(
  context: Context,
  given: PaymentFields,
  debtor: string | undefined,
): Promise<PaymentFields> {
  const fields = { ...given };
  // A person who gave the whole payment by flags is not asked for the parts that may be absent.
  const whole = missingFields({ ...fields, ...(debtor === undefined ? {} : { debtor }) }).length === 0;
  if (whole) return { ...fields, ...(fields.debtor === undefined && debtor !== undefined ? { debtor } : {}) };
  const currency = fields.currency ?? 'EUR';
  for (const [name, text] of questions) {
    if (fields[name] !== undefined) continue;
    const preset = name === 'debtor' ? debtor : name === 'remittance' ? '' : undefined;
    const answer = await context.ports.person.ask({
      ...question(name, name === 'amount' ? `${text} (${currency})` : text),
      ...(preset === undefined ? {} : { default: preset }),
      check: (value) =>
        name === 'remittance' && value === '' ? undefined : fieldFault(name, value, currency),
    });
    if (answer !== '') fields[name] = answer;
  }
  return fields;
}

import type { Context } from '../../context.ts';
import { ObkError } from '../../errors.ts';
import { intentHash } from '../../flows/intent.ts';
import { initiatePayment } from '../../flows/pay.ts';
import {
  buildPayment,
  checkProduct,
  fieldFlags,
  fieldFault,
  missingFields,
  readOrder,
} from '../../flows/payment-body.ts';
import type { PaymentFields, PaymentOrder } from '../../flows/payment-body.ts';
import type { Target } from '../../flows/target.ts';
import { cleanLine } from '../../render/foreign.ts';
import { nearest } from '../../render/nearest.ts';
import { jsonProducts, products } from '../../xs2a/products.ts';
import { demand, oneOf, usageError } from '../flags.ts';
import { wireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { confirmMoney, confirmOptions, notEmpty, scaOptions } from '../sca-options.ts';
import type { ConfirmOptions, ScaOptions } from '../sca-options.ts';
import { withTarget } from '../target.ts';
import { lead, ledOutcome } from './lead.ts';

interface Options extends PaymentFields, ScaOptions, ConfirmOptions {
  product?: string;
  service: string;
  input?: string;
  intentKey?: string;
  allowDuplicate?: boolean;
  redirect?: 'yes' | 'no';
  explicit?: 'yes' | 'no';
  rejectNoFunds?: boolean;
}

const yesNo = (flag: string) => oneOf(flag, ['yes', 'no']);

export const register: Register = (parent, start) => {
  const command = parent
    .command('init')
    .optionsGroup('PAYMENT FLAGS')
    .option('--product <P>', 'payment product, such as sepa-credit-transfers')
    .option('--service <S>', 'payments, bulk-payments or periodic-payments', 'payments')
    .option('--debtor <IBAN>', "account to pay from (the profile's if not given)")
    .option('--creditor-account <IBAN>', 'account of the payee')
    .option('--creditor-name <NAME>', 'name of the payee')
    .option('--amount <AMOUNT>', 'with a dot: 12.50')
    .option('--currency <CODE>', 'EUR if not given')
    .option('--remittance <TEXT>', 'text for the payee, up to 140 characters')
    .option('--end-to-end-id <ID>', 'up to 35 characters; made from the intent if not given')
    .option('--input <FILE>', 'JSON body to send byte for byte, - for stdin')
    .option('--intent-key <KEY>', 'your own key: the same key never pays twice', notEmpty('--intent-key'))
    .option('--allow-duplicate', 'send although the same payment was started before')
    .option('--redirect <YES|NO>', 'TPP-Redirect-Preferred', yesNo('--redirect'))
    .option('--explicit <YES|NO>', 'TPP-Explicit-Authorisation-Preferred', yesNo('--explicit'))
    .option('--reject-no-funds', 'TPP-Rejection-NoFunds-Preferred');
  return start(
    wireOptions(scaOptions(confirmOptions(command))),
    {
      about: 'Start a payment and lead the PSU through SCA',
      usage: '--product P --creditor-account IBAN --creditor-name NAME --amount 12.50',
      examples: [
        'obk payment init --product sepa-credit-transfers   # asks for the rest',
        'obk payment init --product sepa-credit-transfers --creditor-account DE89370400440532013000 --creditor-name Shop --amount 12.50',
        'obk payment init --product sepa-credit-transfers --input payment.json --intent-key order-4711 --json --no-input',
      ],
      exits: [3, 5, 7, 8, 9, 12],
      more: ['obk help payment authorise', 'obk help payment status', 'obk help references'],
    },
    run,
  );
};

export const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const order = await orderOf(context, target, options);
    if (!target.run.dryRun) show(target, order);
    const { amount, currency, creditorName } = order.summary;
    const what = `Payment of ${amount ?? '?'} ${currency ?? ''} to ${creditorName ?? 'an unknown payee'}`;
    await confirmMoney(context, target, what, options);
    const result = await initiatePayment(target, order, {
      intent: { ...order.intent, allowDuplicate: options.allowDuplicate === true },
      prefer: {
        ...(options.redirect === undefined ? {} : { redirect: options.redirect === 'yes' }),
        ...(options.explicit === undefined ? {} : { explicit: options.explicit === 'yes' }),
        ...(options.rejectNoFunds === undefined ? {} : { rejectNoFunds: options.rejectNoFunds }),
      },
    });
    const { resource, conversation, reused } = result;
    if (reused) {
      target.ports.notices.say(
        `Payment ${resource.id} was made before with this intent; nothing is sent again.`,
      );
    }
    if (conversation !== undefined) {
      return lead(context, target, { resource, conversation, resumed: reused }, options, 'init');
    }
    const done = { resource, conversation, success: undefined, timedOut: false, missing: [] };
    return ledOutcome(context, target, done, 'init');
  });

type Ordered = PaymentOrder & { intent: { hash: string; key: string; chosen: boolean } };

/** The payment as it will be sent: from a file, or from flags and what a person adds. */
async function orderOf(context: Context, target: Target, options: Options): Promise<Ordered> {
  const { person, files, ids } = context.ports;
  const chosen = options.intentKey !== undefined;
  const key = options.intentKey ?? ids.uuid();
  const hash = intentHash(target.name, key);
  const intent = { hash, key, chosen };
  const typed = (Object.keys(fieldFlags) as (keyof PaymentFields)[]).filter(
    (name) => options[name] !== undefined,
  );
  if (options.input !== undefined) {
    if (typed.length > 0) {
      const flags = typed.map((name) => fieldFlags[name]).join(', ');
      throw usageError(`--input is the whole payment, so ${flags} cannot be given with it.`);
    }
    const product = options.product;
    if (product === undefined) demand(['--product']);
    checkForNow(options.service, product ?? '');
    return { ...readOrder(options.service, product ?? '', await files.read(options.input)), intent };
  }
  const fields: PaymentFields = {};
  for (const name of typed) {
    const value = options[name];
    if (value !== undefined) fields[name] = value;
  }
  const debtor = fields.debtor ?? (await usualDebtor(target));
  if (!person.present) {
    const missing = missingFields({ ...fields, ...(debtor === undefined ? {} : { debtor }) });
    demand(
      [options.product === undefined && '--product', ...missing.map((name) => fieldFlags[name])],
      'obk payment init --help',
    );
    if (debtor !== undefined) fields.debtor = debtor;
  }
  const product = options.product ?? (await chooseProduct(context));
  checkForNow(options.service, product);
  const complete = person.present ? await askFields(context, fields, debtor) : fields;
  return { ...buildPayment(options.service, product, complete, hash), intent };
}

function checkForNow(service: string, product: string): void {
  if (!(products as readonly string[]).includes(product)) {
    const near = nearest(product, products).map((name) => `--product ${name}`);
    if (near.length > 0) throw usageError(`There is no payment product ${JSON.stringify(product)}.`, ...near);
  }
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
  const people = await target.ports.bank.people();
  const psu = target.psu.id === undefined ? people[0] : people.find(({ psuId }) => psuId === target.psu.id);
  return psu?.accounts[0]?.iban;
}

function chooseProduct(context: Context): Promise<string> {
  return context.ports.person.choose({
    id: 'product',
    flag: '--product',
    env: '',
    text: 'Payment product',
    options: products
      .filter((product) => (jsonProducts as readonly string[]).includes(product))
      .map((product) => ({ value: product, name: product })),
  });
}

const questions = [
  ['debtor', 'Pay from account (IBAN)'],
  ['creditorName', 'Name of the payee'],
  ['creditorAccount', 'Account of the payee (IBAN)'],
  ['amount', 'Amount'],
  ['remittance', 'Text for the payee (may be empty)'],
] as const satisfies readonly (readonly [keyof PaymentFields, string])[];

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
      id: name,
      flag: fieldFlags[name],
      env: '',
      text: name === 'amount' ? `${text} (${currency})` : text,
      ...(preset === undefined ? {} : { default: preset }),
      check: (value) =>
        name === 'remittance' && value === '' ? undefined : fieldFault(name, value, currency),
    });
    if (answer !== '') fields[name] = answer;
  }
  return fields;
}

/** What will be sent, read from the very bytes; a name in several scripts may be a forgery of another. */
function show(target: Target, order: PaymentOrder): void {
  const { notices, person } = target.ports;
  if (!person.present) return;
  const { creditorName, creditorAccount, amount, currency, debtorAccount } = order.summary;
  const rows = [
    ['To', creditorName],
    ['IBAN', creditorAccount],
    ['Amount', amount === undefined ? undefined : `${amount} ${currency ?? ''}`],
    ['From', debtorAccount],
    ['Text', order.remittance === '' ? undefined : order.remittance],
    ['Product', `${order.service}/${order.product}`],
  ] as const;
  for (const [title, value] of rows) {
    if (value !== undefined) notices.say(`  ${title.padEnd(8)} ${cleanLine(value)}`);
  }
  const scripts = ['Latin', 'Cyrillic', 'Greek'].filter((script) =>
    new RegExp(`\\p{Script=${script}}`, 'u').test(creditorName ?? ''),
  );
  if (scripts.length > 1) {
    notices.warn(`The name of the payee mixes ${scripts.join(' and ')} letters; look closely.`);
  }
}

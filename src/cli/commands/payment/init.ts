import { defined } from '../../../base/defined.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { csvColumns } from '../../../standard/formats/payments/csv-columns.ts';
import { initiatePayment } from '../../../client/payments/pay.ts';
import type { PaymentResult } from '../../../client/payments/pay.ts';
import { endOf } from '../../../client/resources/parent-status.ts';
import { fieldFlags, fieldNames } from '../../../client/orders/payment-fields.ts';
import type { PaymentFields } from '../../../client/orders/payment-fields.ts';
import type { PaymentOrder } from '../../../client/orders/read-order.ts';
import { amountText, payeeText } from '../../../client/orders/payment-summary.ts';
import { readSet } from '../../../client/orders/single-body.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { findResource } from '../run/find-resource.ts';
import { charsetFlag } from '../flags/charset-flag.ts';
import { several, severalOf, yesNo, usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { lead, madeOutcome } from '../run/lead.ts';
import { needHeaderValue } from '../flags/setting-option.ts';
import { preferenceOptions, preferencesOf } from '../flags/tpp-preferences.ts';
import {
  confirmMoney,
  confirmOptions,
  feesOption,
  laterOption,
  needOneOf,
  scaOptions,
  notEmpty,
} from '../flags/sca-options.ts';
import { lostStart } from '../../../standard/sca/state.ts';
import { chooseAuthorisation } from '../../../client/authorisations/other-authorisations.ts';
import { documented } from '../run/documented.ts';
import { asksForAuthorisation } from '../run/why-open.ts';
import { withTarget } from '../run/with-target.ts';
import { changeField } from './ask-fields.ts';
import { decimalFlag } from './csv-template.ts';
import { accountsGrouped, grouped } from '../output/for-person.ts';
import { orderOf, painSchema, painSchemas } from './order.ts';
import type { Ordered } from './order.ts';

const columns = csvColumns.filter(({ needed }) => needed).map(({ name }) => name);

const nokUri = (text: string) =>
  text === '' ? text : needHeaderValue('--nok-redirect-uri', 'TPP-Nok-Redirect-URI', text);

const flags = (command: Flags) => {
  const order = command
    .optionsGroup('PAYMENT FLAGS')
    .option('--product <P>', 'payment product, such as sepa-credit-transfers')
    .option('--service <S>', 'payments, bulk-payments or periodic-payments', 'payments')
    .option('--debtor <IBAN>', "account to pay from (the profile's if not given)")
    .option('--debtor-name <NAME>', "name of the payer, in pain.001 (the profile's if not given)")
    .option('--initiating-party <NAME>', 'who starts it, in pain.001 (the profile, then the payer)')
    .option('--creditor-account <IBAN>', 'account of the payee, bban:NUMBER for a national number')
    .option('--creditor-name <NAME>', 'name of the payee')
    .option('--creditor-agent <BIC>', 'bank of the payee')
    .option(
      '--creditor-address <PART=TEXT>',
      'street, number, city, postcode, country, line (pain.001); several with ";" or flags',
      several,
    )
    .option('--amount <AMOUNT>', 'with a dot: 12.50')
    .option('--currency <CODE>', 'EUR if not given')
    .option('--charge-bearer <CODE>', 'DEBT, CRED, SHAR or SLEV')
    .option('--remittance <TEXT>', 'text for the payee, up to 140 characters')
    .option(
      '--creditor-reference <TEXT>',
      'reference of the payee: ISO 11649 (RF), a Swiss QR reference, or another',
    )
    .option('--end-to-end-id <ID>', 'up to 35 characters; made from the intent if not given')
    .option('--uetr <UUID>', 'of a pain.001.001.09, not of SEPA')
    .option('--debtor-lei <LEI>', 'legal entity identifier of the payer, in pain.001.001.09')
    .option('--creditor-lei <LEI>', 'legal entity identifier of the payee, in pain.001.001.09')
    .option('--instruction-priority <CODE>', 'HIGH or NORM, in pain.001')
    .option(
      '--regulatory-reporting <PART=TEXT>',
      'country, code, information, in pain.001 that is not of SEPA; several with ";"',
    )
    .option('--execution-date <DATE>', 'not before this day')
    .option('--set <NAME=JSON>', 'a further member of the body; may be repeated', severalOf(readSet))
    .option('--schema <VERSION>', `version of the pain.001 (the profile's, or ${painSchemas[0]})`, painSchema)
    .option('--input <FILE>', 'JSON, pain.001 or form to send byte for byte, - for stdin')
    .option(
      '--from-csv <FILE>',
      `payments of a bulk, - for stdin; columns: ${columns.join(', ')} and those that payment csv-template prints`,
    )
    .option('--charset <NAME>', 'characters of the CSV file, such as windows-1252 (UTF-8)', charsetFlag)
    .option(
      '--decimal <SIGN>',
      'how the CSV file writes amounts: dot (12.50) or comma (1.234,56)',
      decimalFlag,
    )
    .option('--batch-booking <YES|NO>', 'one entry in the books for a bulk', yesNo('--batch-booking'))
    .option('--transliterate', 'write texts in the characters that every bank takes (EPC217-08)')
    .option('--start-date <DATE>', 'first day of a standing order')
    .option('--end-date <DATE>', 'last day of a standing order (none: unlimited)')
    .option('--frequency <CODE>', 'Daily, Weekly, Monthly, Quarterly, Annual ...')
    .option('--execution-rule <RULE>', 'following or preceding banking day')
    .option('--day-of-execution <DAY>', '1 to 31')
    .option('--months <LIST>', 'months of MonthlyVariable, such as 3,6,9')
    .option('--intent-key <KEY>', 'your own key: the same key never pays twice', intentKeyFlag)
    .option('--allow-duplicate', 'send although the same payment was started before')
    .option('--consent <ID>', 'consent of the session: its id, first 6 or more characters, @last')
    .option('--nok-redirect-uri <URL>', 'where the PSU returns to after a refusal', nokUri);
  const preferred = preferenceOptions(laterOption(order, 'payment'), 'payment');
  return wireOptions(feesOption(scaOptions(confirmOptions(preferred))));
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Start a payment and lead the PSU through SCA',
      usage: '--product P --creditor-account IBAN --creditor-name NAME --amount 12.50',
      usual:
        'product service debtor creditor-account creditor-name amount remittance input from-csv ' +
        'intent-key yes psu-id psu-password-from otp-from sca-method dry-run',
      examples: [
        'obk payment init --product sepa-credit-transfers   # asks for the rest',
        'obk payment init --product sepa-credit-transfers --creditor-account DE89370400440532013000 --creditor-name Shop --amount 12.50',
        'obk payment init --product sepa-credit-transfers --input payment.json --intent-key order-4711 --json --no-input',
        'obk payment init --service bulk-payments --product pain.001-sepa-credit-transfers --from-csv payments.csv',
        'obk payment init --service periodic-payments --product sepa-credit-transfers --creditor-account DE89370400440532013000 --creditor-name Club --amount 20.00 --start-date 2027-01-01 --frequency Monthly',
      ],
      exits: [3, 5, 7, 8, 9, 12],
      more: [
        'obk help payment authorise',
        'obk help payment status',
        'obk help payment csv-template',
        'obk help references',
      ],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    needOneOf(options);
    const order = await confirmedOrder(context, target, options);
    const consentId =
      options.consent === undefined
        ? undefined
        : (await findResource(target, 'consent', { id: options.consent })).id;
    const result = await documented(target, wishOf(order), 'payment', () =>
      initiatePayment(target, order, {
        intent: { ...order.intent, allowDuplicate: options.allowDuplicate === true },
        prefer: preferencesOf(options),
        ...defined({ nokRedirectUri: options.nokRedirectUri, consentId }),
      }),
    );
    const { resource, conversation, reused } = result;
    if (reused) {
      target.ports.notices.say(
        `Payment ${resource.id} was made before with this intent; nothing is sent again.`,
      );
    }
    if (options.authoriseLater !== true) {
      const start = await documented(target, resource, 'payment', () => startOf(target, result, options));
      if (start !== undefined)
        return lead(context, target, { ...start, leader: 'init', created: true }, options);
    }
    return madeOutcome(context, target, { resource, conversation, earlier: reused }, 'init');
  });

/** Where its authorisation begins or goes on; undefined where nothing is to be authorised now. */
async function startOf(target: Target, { resource, conversation, reused }: PaymentResult, options: Options) {
  if (!reused) return conversation && { resource, conversation, resumed: false };
  if (conversation === undefined) {
    const isOver = endOf('payment', resource.status) !== undefined;
    if (isOver || !asksForAuthorisation(target, conversation, options)) return undefined;
  }
  if (conversation === undefined || lostStart(conversation))
    return { resource, ...(await chooseAuthorisation(target, resource, true)) };
  const refused = conversation.refused === true && !target.ports.person.present;
  if (refused)
    target.ports.notices.warn(
      'Entry refused before: nothing is sent. obk payment authorise takes another entry.',
    );
  return { resource, conversation, resumed: true, sendsNothing: refused };
}

/** The payment as it is asked for, before the bank has made it. */
const wishOf = ({ service, product, summary, intent }: Ordered) =>
  ({ noun: 'payment', service, product, summary, intent: intent.hash }) as const;

/** The order that is confirmed; who says no may change one answer, and is told the command that does the same. */
async function confirmedOrder(context: Context, target: Target, options: Options): Promise<Ordered> {
  const { person } = target.ports;
  for (let typed = options; ;) {
    const order = await orderOf(context, target, typed);
    if (!target.run.dryRun) show(target, order);
    const { summary, fields, product } = order;
    const what = `Payment of ${amountText(summary).trim()} to ${accountsGrouped(payeeText(summary), {})}`;
    try {
      await confirmMoney(context, target, what, options);
      return order;
    } catch (error) {
      if (!(error instanceof ObkError) || error.code !== 'NOT_CONFIRMED') throw error;
      if (!person.present || options.confirm !== undefined || fields === undefined) throw error;
      const changed = await changeField(person, fields, target.variant.framework);
      if (changed === undefined) throw withHint(error, sameCommand(context, product, fields));
      const { creditorAddress, ...rest } = changed;
      typed = { ...options, product, ...noFields, ...rest };
      if (creditorAddress !== undefined) typed = { ...typed, creditorAddress: [creditorAddress] };
    }
  }
}

/** Takes the fields of the flags away, which answers have replaced. */
const noFields = Object.fromEntries(fieldNames.map((name) => [name, undefined])) as Record<string, never>;

/** What was typed, with what was answered. */
function sameCommand(context: Context, product: string, fields: PaymentFields): string {
  const typed = context.process.argv;
  const answered = fieldNames.flatMap((name) => {
    const value = fields[name];
    return value === undefined || typed.includes(value) ? [] : [fieldFlags[name], value];
  });
  const isAnswered = (word = '') => word.startsWith('--') && answered.includes(word);
  const kept = typed.filter((word, at) => ![word.split('=')[0], typed[at - 1]].some(isAnswered));
  const chosen = typed.includes(product) ? [] : ['--product', product];
  return line`obk ${[...kept, ...chosen, ...answered]}`;
}

function withHint({ code, title, cause }: ObkError, ...hint: string[]): ObkError {
  return new ObkError({ code, title, cause, hint });
}

/** Shows the order as read from the bytes that will be sent; a name in several scripts may be a forgery of another. */
function show(target: Target, order: PaymentOrder): void {
  const { notices, person } = target.ports;
  const { count, creditorName, creditorAccount, amount, sums, debtorAccount } = order.summary;
  // A bulk is shown even in a run without a person: a wrong file shows in its sums.
  if (!person.present && count === undefined) return;
  const hasAmount = amount !== undefined || sums !== undefined;
  const rows = [
    ['Payments', count === undefined ? undefined : String(count)],
    ['To', creditorName],
    ['IBAN', creditorAccount],
    [count === undefined ? 'Amount' : 'Sum', hasAmount ? amountText(order.summary) : undefined],
    ['From', debtorAccount],
    ['Text', order.remittance === '' ? undefined : order.remittance],
    ['Product', `${order.service}/${order.product}`],
  ] as const;
  for (const [title, value] of rows) {
    if (value === undefined) continue;
    const isAccount = title === 'IBAN' || title === 'From';
    notices.say(
      `  ${title.padEnd(8)} ${cleanLine(isAccount && person.present ? grouped(value, {}) : value)}`,
    );
  }
  const scripts = ['Latin', 'Cyrillic', 'Greek'].filter((script) =>
    new RegExp(`\\p{Script=${script}}`, 'u').test(creditorName ?? ''),
  );
  if (scripts.length > 1) {
    notices.warn(`The name of the payee mixes ${scripts.join(' and ')} letters; look closely.`);
  }
}

const whole = notEmpty('--intent-key');
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The key of a payment. One that only looks like another, by a blank at its end or the carriage return of a file from Windows,
 * would pay the same order once more.
 */
function intentKeyFlag(text: string): string {
  const key = text.replace(unseen, '').trim();
  if (key === whole(text)) return text;
  throw usageError(
    '--intent-key holds something that is not seen: a blank at an end, a line end or a control character.',
    ...(key === '' ? [] : [line`--intent-key ${key}`]),
  );
}

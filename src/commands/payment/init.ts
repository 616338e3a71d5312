import { initiatePayment } from '../../flows/pay.ts';
import type { PaymentOrder } from '../../flows/payment-body.ts';
import type { Target } from '../../flows/target.ts';
import { cleanLine } from '../../render/foreign.ts';
import { oneOf } from '../flags.ts';
import { wireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { confirmMoney, confirmOptions, notEmpty, scaOptions } from '../sca-options.ts';
import type { ConfirmOptions, ScaOptions } from '../sca-options.ts';
import { withTarget } from '../target.ts';
import { lead, ledOutcome } from './lead.ts';
import { orderOf } from './order.ts';
import type { OrderOptions } from './order.ts';

interface Options extends OrderOptions, ScaOptions, ConfirmOptions {
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

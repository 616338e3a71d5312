import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import type { AuthoriseOptions } from '../../../client/sca/authorise.ts';
import { feeReading, readFeeLimit } from '../../../client/orders/fees.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { WireOptions } from './global-options.ts';
import { duration, reference, usageError } from './flag-values.ts';
import { givenFor, question } from './prompts.ts';

/** The options of the commands that lead a PSU through SCA. */
export type ScaOptions = WireOptions &
  Partial<OptionsOf<typeof scaOptions> & OptionsOf<typeof returnOption> & OptionsOf<typeof feesOption>>;

/** The options of the commands that move money. */
export type ConfirmOptions = OptionsOf<typeof confirmOptions>;

/** Adds the flags that answer the questions of SCA. */
export const scaOptions = <Own>(command: Flags<Own>) => waitOptions(methodOption(secretOptions(command)));

/** Adds the flags for the PSU's secrets. */
export const secretOptions = <Own>(command: Flags<Own>) =>
  command
    .optionsGroup('SCA FLAGS')
    .option(
      '--psu-password-from <REF>',
      'password of the PSU (obk help references)',
      reference('--psu-password-from'),
    )
    .option(
      '--psu-additional-password-from <REF>',
      'second password, where the bank asks for it',
      reference('--psu-additional-password-from'),
    )
    .option(
      '--psu-encrypted-password-from <REF>',
      'password that is encrypted for the bank already',
      reference('--psu-encrypted-password-from'),
    )
    .option(
      '--psu-additional-encrypted-password-from <REF>',
      'second one, encrypted already',
      reference('--psu-additional-encrypted-password-from'),
    )
    .option('--otp-from <REF>', 'one-time password (obk help references)', reference('--otp-from'));

/** Adds the flag that chooses a method. */
export const methodOption = <Own>(command: Flags<Own>) =>
  command.optionsGroup('SCA FLAGS').option('--sca-method <ID>', 'SCA method, by its id or name');

/**
 * Adds the flags of a wait for the PSU. --timeout of these commands is the PSU's time, not that of a call: a slow PSU must not
 * make a payment unknown.
 */
export function waitOptions<Own>(command: Flags<Own>): Flags<Own & { wait?: boolean; waitMs?: number }> {
  const time = command.createOption(
    '--timeout <DURATION>',
    'longest wait, for the PSU and the bank together (5m)',
  );
  time.argParser(duration('--timeout'));
  time.attributeName = () => 'waitMs';
  return command
    .optionsGroup('SCA FLAGS')
    .option('--wait', 'wait for what the PSU does in a browser or on a phone')
    .addOption(time);
}

/** Adds the flag that leaves the authorisation to a later run. */
export const laterOption = <Own>(command: Flags<Own>, noun: 'payment' | 'consent') =>
  command.option('--authorise-later', `only make the ${noun}, for other PSUs or for a basket`);

/** Throws USAGE where a run is to leave the authorisation to a later one, and to wait for it. */
export function needOneOf({ wait, authoriseLater }: ScaOptions & { authoriseLater?: boolean }): void {
  if (wait !== true || authoriseLater !== true) return;
  throw usageError('--authorise-later and --wait cannot be used together; remove one.');
}

/** Adds the flag for the address at which the browser ended, for commands that continue an authorisation. */
export const returnOption = <Own>(command: Flags<Own>) =>
  command.option(
    '--return-url-from <REF>',
    'address that the browser ended at (obk help references)',
    reference('--return-url-from'),
  );

/** Adds the flag that bounds what the bank may ask. */
export const feesOption = <Own>(command: Flags<Own>) =>
  command.option(
    '--max-fees <AMOUNT>',
    'stop before anything is confirmed where the bank asks more: 2.50 or 2.50 EUR',
    (text) => {
      const limit = readFeeLimit(text);
      if (limit !== undefined) return limit;
      const meant = feeReading(text);
      const example = text.includes(',') ? [] : ["--max-fees '2.50 EUR'"];
      throw usageError(
        `--max-fees takes an amount, perhaps with a currency; not ${JSON.stringify(text)}.`,
        ...(meant === undefined ? example : [line`--max-fees ${meant}`]),
      );
    },
  );

/** Adds the flags that stand for a person's yes. */
export const confirmOptions = <Own>(command: Flags<Own>) =>
  command
    .option('-y, --yes', 'do not ask before sending (not enough in production)')
    .option('--confirm <PROFILE>', 'the same in production: repeat the name of the profile');

const standardWaitMs = 5 * 60_000;

/** How far the driver goes in this run. */
export function authoriseOptions(context: Context, options: ScaOptions, resumed: boolean): AuthoriseOptions {
  const browser = context.globals.browser ?? context.process.env['OBK_BROWSER'];
  return {
    wait: options.wait === true,
    timeoutMs: options.waitMs ?? standardWaitMs,
    ...defined({ maxFees: options.maxFees }),
    browser: browser === 'always' || browser === 'never' ? browser : 'auto',
    resumed,
  };
}

/**
 * The last confirmation before money moves. In production the name of the profile is repeated, by hand or by --confirm;
 * elsewhere a person says yes, and a run without a person, or with one who has `agreed` already, needs nothing more.
 */
export async function confirmMoney(
  context: Context,
  target: Target,
  what: string,
  options: ConfirmOptions & { agreed?: boolean },
): Promise<void> {
  if (target.run.dryRun) return;
  const { person } = target.ports;
  if (await isNamed(context, target, what, options)) return;
  if (!person.present || options.agreed === true) return;
  const agreed = await person.confirm(question('yes', `${what}: go on?`));
  if (!agreed) throw notConfirmed(`${what} was not confirmed; nothing was sent.`);
}

/**
 * The confirmation of what leaves this machine in the clear: as that of money, but a run without a person says --yes outside
 * production, too.
 */
export async function confirmShowing(
  context: Context,
  of: Pick<Target, 'name' | 'environment'>,
  what: string,
  options: ConfirmOptions,
): Promise<void> {
  const { person } = context.ports;
  if (await isNamed(context, of, what, options)) return;
  if (!(await person.confirm(question('yes', `${what}: go on?`))))
    throw notConfirmed(`${what} was not confirmed; nothing was written.`);
}

/** Whether the profile of a production run was repeated, or that of another by --confirm. */
async function isNamed(
  context: Context,
  { name, environment }: Pick<Target, 'name' | 'environment'>,
  what: string,
  options: ConfirmOptions,
): Promise<boolean> {
  const { person } = context.ports;
  const named = givenFor(context, 'confirm', options.confirm);
  if (named !== undefined) {
    if (named === name) return true;
    throw notConfirmed(`--confirm ${named} is not the profile of this run, ${name}.`, `--confirm ${name}`);
  }
  if (environment !== 'production') return false;
  if (!person.present) throw notConfirmed(`${what} in production must be confirmed.`, `--confirm ${name}`);
  const typed = await person.ask(question('confirm', `Type ${name} to go on`));
  if (typed !== name) throw notConfirmed(`${what} was not confirmed; nothing was done.`);
  return true;
}

function notConfirmed(title: string, ...hint: string[]): ObkError {
  return new ObkError({ code: 'NOT_CONFIRMED', title, hint });
}

/** Refuses an empty value, which would silently be a default elsewhere. */
export function notEmpty(flag: string): (text: string) => string {
  return (text) => {
    if (text.trim() !== '') return text;
    throw usageError(`${flag} is empty.`);
  };
}

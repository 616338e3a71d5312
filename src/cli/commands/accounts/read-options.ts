import type { Flags, OptionsOf } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../../base/errors.ts';
import type { AccountRead } from '../../../client/accounts/counted-read.ts';
import { knownConsent, usualConsent } from '../../../client/consents/usual-consent.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { Outcome } from '../../outcome.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { isUsableConsent } from '../../../standard/xs2a/codes.ts';
import type { OperationId } from '../../../standard/xs2a/operations.ts';
import { newConsent, wishOf } from '../consent/consent-options.ts';
import { several, usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { question } from '../flags/prompts.ts';
import { methodOption, secretOptions } from '../flags/sca-options.ts';
import { findResource } from '../run/find-resource.ts';
import { lead } from '../run/lead.ts';
import { requireOffered } from '../run/require-offered.ts';
import { withTarget } from '../run/with-target.ts';

/** The flags of every read of account data. */
export type ReadOptions = OptionsOf<typeof readOptions>;

/** Adds the consent, what stands behind it, and the way to make one at once. */
export function readOptions<Own>(command: Flags<Own>) {
  const ofConsent = command
    .optionsGroup('CONSENT FLAGS')
    .option('--consent <ID>', 'its id, first 6 or more characters, @last (OBK_CONSENT_ID)')
    .option('--create-consent', 'create one for one access first; needs --iban')
    .option('--iban <IBAN>', 'account of the consent that is created (OBK_IBAN)', several)
    .option('--psu-present', 'the PSU asks for this now: PSU-IP-Address is sent and nothing is counted')
    .option('--over-budget', 'ask the bank although the accesses of 24 hours are used up');
  const ofSca = secretOptions(methodOption(ofConsent));
  return wireOptions(ofSca.option('--wait', 'wait for what the PSU does in a browser or on a phone'));
}

/**
 * Opens the bank and the consent of this run, and reads with them; of cards what is `read` has to be offered first, and
 * what `check` refuses costs no consent and no access.
 */
export function withReading(
  context: Context,
  options: ReadOptions,
  work: (reading: AccountRead) => Promise<Outcome>,
  { read, check }: { read?: OperationId; check?: (target: Target) => void } = {},
): Promise<Outcome> {
  if (options.createConsent !== true && options.iban !== undefined)
    throw usageError('--iban goes with --create-consent.', '--account IBAN   # the account that is read');
  if (options.createConsent === true && options.consent !== undefined)
    throw usageError('--consent and --create-consent cannot be given together.');
  return withTarget(context, options, async (opened) => {
    if (options.psuIp !== undefined && options.psuPresent !== true && options.createConsent !== true)
      opened.ports.notices.warn('--psu-ip is not sent: reads of accounts take it with --psu-present alone.');
    const what = read === 'getCardAccount' ? 'card accounts' : 'reads of one card account';
    const target = read === undefined ? opened : await requireOffered(opened, read, what);
    check?.(target);
    const fresh = options.createConsent === true ? await created(context, target, options) : undefined;
    if (fresh?.outcome !== undefined) return fresh.outcome;
    const consent = fresh?.consent ?? (await consentOf(context, target, options));
    const { person } = context.ports;
    return work({
      target,
      consent,
      terms: {
        psuPresent: options.psuPresent === true,
        overBudget: options.overBudget === true || isOn(context.process.env['OBK_OVER_BUDGET']),
        ...(person.present && {
          ask: (what) => person.confirm(question('overBudget', `${what} Ask the bank all the same?`)),
        }),
      },
    });
  });
}

const isOn = (text: string | undefined) =>
  text !== undefined && text !== '' && text !== '0' && text !== 'false';

/** The consent that is named, or the usual one; undefined where the token of this run says which one it is. */
async function consentOf(
  context: Context,
  target: Target,
  { consent }: ReadOptions,
): Promise<SavedResource | undefined> {
  const env = context.process.env['OBK_CONSENT_ID'];
  const id = consent ?? (env === '' ? undefined : env);
  const found = await (id === undefined ? usualConsent(target) : findResource(target, 'consent', { id }));
  return found && knownConsent(target, found);
}

/** The consent and its SCA in this run; where the PSU has to act elsewhere, how to go on is the result (exit 8). */
async function created(
  context: Context,
  target: Target,
  options: ReadOptions,
): Promise<{ consent?: SavedResource; outcome?: Outcome }> {
  const { iban, ...others } = options;
  const wish = await wishOf(context, target, iban === undefined ? {} : { iban });
  const made = await newConsent(context, target, wish, {});
  const outcome = await lead(
    context,
    target,
    { ...made, resumed: false, leader: 'init', created: true },
    others,
  );
  const consent = await target.ports.resources.find(target.name, 'consent', made.resource.id);
  if (consent !== undefined && isUsableConsent(consent.status ?? '')) return { consent };
  const exit = outcome.exit === undefined || outcome.exit === exitCodes.ok ? exitCodes.pending : outcome.exit;
  return { outcome: { ...outcome, exit } };
}

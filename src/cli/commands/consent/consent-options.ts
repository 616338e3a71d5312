import { defined } from '../../../base/defined.ts';
import type { Flags } from '../../command.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Context } from '../../context.ts';
import { createConsent, savedConsent } from '../../../client/consents/consent.ts';
import type { CreatedConsent } from '../../../client/consents/consent.ts';
import { buildConsent, formsOf } from '../../../client/consents/consent-body.ts';
import type { AccessOptions } from '../../../client/consents/consent-body.ts';
import { bankTime } from '../../../client/exchange/bank-time.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { accountFault } from '../../../client/orders/account-reference.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { isUsableConsent } from '../../../standard/xs2a/codes.ts';
import { integer, several, usageError } from '../flags/flag-values.ts';
import { line } from '../../../base/command-line.ts';
import { givenFor, question } from '../flags/prompts.ts';
import { confirmMoney } from '../flags/sca-options.ts';
import type { ConfirmOptions } from '../flags/sca-options.ts';
import { preferencesOf } from '../flags/tpp-preferences.ts';
import type { PreferenceOptions } from '../flags/tpp-preferences.ts';
import { documented } from '../run/documented.ts';
import { usualDebtor } from '../../../client/call/usual-debtor.ts';

/** The flags that say what a consent is for. */
export interface ConsentOptions extends AccessOptions, PreferenceOptions, ConfirmOptions {}

/** What a consent is to be for; `agreed` where a person was told what it ends, and said yes. */
type Wish = AccessOptions & { agreed?: boolean; renews?: SavedResource };

/** Adds the forms of a consent. */
export const formOptions = (command: Flags) =>
  command
    .optionsGroup('CONSENT FLAGS')
    .option(
      '--iban <IBAN>',
      'account to list, with balances and transactions; IBAN:EUR for one currency',
      several,
    )
    .option('--accounts <IBAN>', 'account to list (IBAN, bban:, pan:, masked-pan: or msisdn:NUMBER)', several)
    .option('--balances <IBAN>', 'account whose balances are read', several)
    .option('--transactions <IBAN>', 'account whose transactions are read', several)
    .option('--available-accounts', 'the list of all accounts')
    .option('--available-accounts-with-balance', 'the list of all accounts with balances')
    .option('--all-psd2', 'all accounts with everything')
    .option('--bank-offered', 'the PSU chooses at the bank')
    .option('--owner-name', 'with the names of the owners (1.3.6)')
    .option('--restricted-to <TYPE>', 'kind of accounts, such as CACC, where none is named (1.3.8)', several);

/** Adds how long and how often. */
export const termOptions = <Own>(command: Flags<Own>) =>
  command
    .option(
      '--valid-until <DATE>',
      'last day (180 days from today, or consent.validDays); 9999-12-31: as long as possible',
    )
    .option(
      '--frequency <N>',
      'accesses a day without the PSU, of a recurring one (4)',
      integer('--frequency', 1, 9999),
    );

/** The requested access, from flags, variables and a person's answers. */
export async function wishOf(context: Context, target: Target, options: ConsentOptions): Promise<Wish> {
  if (formsOf(options).length > 0) return options;
  const { person } = context.ports;
  const given = givenFor(context, 'iban', undefined);
  if (given !== undefined) return { ...options, iban: [given] };
  if (!person.present) {
    throw usageError(
      'Missing --iban.',
      line`obk consent create --iban ${(await usualDebtor(target)) ?? 'IBAN'}   # its balances and transactions`,
      'obk consent create --all-psd2   # everything; obk consent create --help has more forms',
    );
  }
  const usual = await usualDebtor(target);
  const iban = await person.ask({
    ...question('iban', 'Account (IBAN; - lets the PSU choose at the bank)'),
    ...defined({ default: usual }),
    check: (text) => (isLeftToPsu(text) ? undefined : accountFault(text)),
  });
  const form = isLeftToPsu(iban) ? { bankOffered: true } : { iban: [iban] };
  const { recurring } = options;
  if (recurring !== undefined) return { ...options, ...form };
  const asked = question('recurring', `Shall it be used more than once? ${await endsText(target)}`);
  const answer = await person.confirm(asked);
  // What a variable answers, nobody has read.
  return { ...options, ...form, recurring: answer, agreed: answer && !person.answered(asked) };
}

const isLeftToPsu = (text: string) => ['', '-'].includes(text.trim());

/** Creates a consent. If it will end another one, that is announced first, and confirmed where it matters. */
export async function newConsent(
  context: Context,
  target: Target,
  wish: Wish,
  options: ConsentOptions,
): Promise<CreatedConsent> {
  const { agreed = false, renews } = wish;
  const body = buildConsent(wish, target.variant.framework, await bankTime(target), {
    older: renews?.consent?.access,
    withBalances: target.profile.consent?.withBalances,
    days: target.profile.consent?.validDays,
    takes: target.profile.consent,
  });
  if (body.recurringIndicator && !target.run.dryRun) {
    if (!agreed) context.ports.notices.warn(await endsText(target));
    await confirmMoney(context, target, 'A recurring consent', { ...options, agreed });
  }
  return documented(target, { noun: 'consent', consent: savedConsent(target, body) }, 'consent', () =>
    createConsent(target, body, {
      prefer: preferencesOf(options),
      ...defined({ renews: renews?.id }),
    }),
  );
}

async function endsText(target: Target): Promise<string> {
  return `Once it is authorised, the bank ends any other recurring consent of this PSU for this TPP${await othersText(target)}.`;
}

async function othersText({ ports, name, psu }: Target): Promise<string> {
  const others = (await ports.resources.list(name, 'consent')).filter(
    ({ status, consent }) =>
      consent?.recurring === true && consent.psuId === psu.id && isUsableConsent(status ?? ''),
  );
  if (others.length === 0) return '';
  return cleanLine(
    ` (${others.map(({ id, consent }) => `${id}, valid until ${consent?.validUntil ?? ''}`).join('; ')})`,
  );
}

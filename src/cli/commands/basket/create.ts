import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { createBasket } from '../../../client/payments/baskets.ts';
import { demand, several, usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { lead } from '../run/lead.ts';
import { preferenceOptions, preferencesOf } from '../flags/tpp-preferences.ts';
import { requireBaskets } from '../run/require-offered.ts';
import { confirmMoney, confirmOptions, feesOption, scaOptions } from '../flags/sca-options.ts';
import { documented } from '../run/documented.ts';
import { withTarget } from '../run/with-target.ts';
import { ObkError } from '../../../base/errors.ts';
import type { Members } from '../../../client/payments/baskets.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { badId } from '../../../standard/xs2a/request.ts';
import { findResource } from '../run/find-resource.ts';

const flags = (command: Flags) => {
  const members = command
    .optionsGroup('BASKET FLAGS')
    .option('--payment <ID>', 'payment to sign: id, its beginning or @last; may be repeated', several)
    .option('--consent <ID>', 'consent to sign; may be repeated', several);
  return wireOptions(feesOption(scaOptions(confirmOptions(preferenceOptions(members, 'basket')))));
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Sign several payments or consents by one authorisation; each was started with --explicit yes and is not authorised yet',
      usage: '--payment ID --payment ID',
      usual: 'payment consent yes psu-id psu-password-from otp-from sca-method wait dry-run',
      examples: ['obk basket create --payment @last --payment @last-1 --yes'],
      exits: [2, 5, 8, 9, 12],
      more: ['obk help basket authorise', 'obk help payment init'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (opened) => {
    const target = await requireBaskets(opened);
    demand([
      options.payment === undefined && options.consent === undefined && '--payment ID or --consent ID',
    ]);
    const members = await membersOf(target, options);
    const ids = [...members.paymentIds, ...members.consentIds];
    if (target.ports.person.present) for (const id of ids) target.ports.notices.say(`  ${cleanLine(id)}`);
    await confirmMoney(context, target, `Signing basket of ${String(ids.length)}`, options);
    const { resource, conversation } = await documented(
      target,
      { noun: 'basket', basket: members },
      'basket',
      () => createBasket(target, members, preferencesOf(options)),
    );
    return lead(
      context,
      target,
      { resource, conversation, resumed: false, leader: 'create', created: true },
      options,
    );
  });

/** The payments and consents of a new basket, each named as everywhere; those from elsewhere by their whole id. */
async function membersOf(
  target: Target,
  typed: { payment?: readonly string[]; consent?: readonly string[] },
): Promise<Members> {
  const { payment = [], consent = [] } = typed;
  const members = {
    paymentIds: await idsOf(target, 'payment', payment),
    consentIds: await idsOf(target, 'consent', consent),
  };
  for (const ids of [members.paymentIds, members.consentIds]) {
    const twice = ids.find((id, at) => ids.indexOf(id) !== at);
    if (twice !== undefined) throw usageError(`${twice} is named twice.`);
  }
  return members;
}

async function idsOf(
  target: Target,
  noun: 'payment' | 'consent',
  typed: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const id of typed) ids.push(await idOf(target, noun, id));
  return ids;
}

async function idOf(target: Target, noun: 'payment' | 'consent', id: string): Promise<string> {
  try {
    return (await findResource(target, noun, { id })).id;
  } catch (error) {
    const elsewhere = error instanceof ObkError && error.code === 'RESOURCE_NOT_SAVED';
    // A basket names its members by their ids alone, so one from another machine needs no product.
    if (elsewhere && !id.startsWith('@') && badId(id) === undefined) return id;
    throw error;
  }
}

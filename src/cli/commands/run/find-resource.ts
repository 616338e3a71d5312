import type { Flags, OptionsOf } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError, isFailure } from '../../../base/errors.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { tellUnwritable } from '../../../client/exchange/unwritable.ts';
import {
  ambiguousId,
  candidateOf,
  isOfHere,
  leastOfId,
  placeOfLast,
  refuseDoubt,
} from '../../../client/resources/naming.ts';
import { newResource } from '../../../client/resources/saved-resource.ts';
import { earlierLedger, livingResources } from '../../../client/resources/of-ledger.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { nearest } from '../../../base/nearest.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import { badId } from '../../../standard/xs2a/request.ts';
import { checkProduct } from '../flags/check-product.ts';
import { flagsIf, usageError } from '../flags/flag-values.ts';
import { placeFlags, starting } from './starting.ts';

/** How each noun is called. */
const words = {
  payment: { plural: 'payments', made: 'started' },
  consent: { plural: 'consents', made: 'created' },
  basket: { plural: 'baskets', made: 'created' },
} as const satisfies Record<Noun, object>;

/** Adds the id, and what is needed for a payment that was started elsewhere. */
export function resourceId<Own>(own: Flags<Own>, noun: Noun) {
  const command = own.argument('<id>', `${noun}Id, its first 6 or more characters, @last or @last-1`);
  return flagsIf(noun === 'payment', command, (payment) =>
    payment
      .optionsGroup('PAYMENT FLAGS')
      .option('--service <S>', 'payment service of a payment from elsewhere (payments)')
      .option('--product <P>', 'payment product of a payment from elsewhere'),
  );
}

/** Among so many of the newest resources stand those that are suggested for an id that names none. */
const suggested = 200;

type Asked = OptionsOf<typeof resourceId>;

/** The resource that an id, a prefix or @last names; a payment from elsewhere needs its product. */
export async function findResource(target: Target, noun: Noun, asked: Asked): Promise<SavedResource> {
  try {
    return await savedOrElsewhere(target, noun, asked);
  } catch (error) {
    if (!isFailure(error) || error.code !== 'STATE_UNREACHABLE') throw error;
    // A read needs nothing of what is kept where the command says it all.
    const known = elsewhere(target, noun, asked);
    if (known === undefined) throw error;
    tellUnwritable(target.ports, error);
    return known;
  }
}

/** What an id names that nothing is saved of: a payment with its product, and what is no cut word. */
function elsewhere(target: Target, noun: Noun, { id, service, product }: Asked): SavedResource | undefined {
  if (placeOfLast(id) !== undefined) return undefined;
  needId(noun, id);
  if (noun !== 'payment')
    // So short a word without a digit is no id of a bank but one that was cut or meant something else.
    return id.length >= 6 || /\d/.test(id) ? newResource(target, noun, id) : undefined;
  if (product === undefined) return undefined;
  const place = { service: service ?? 'payments', product };
  checkProduct(place.service, place.product);
  return { ...newResource(target, noun, id), ...place };
}

function needId(noun: Noun, id: string): void {
  const bad = badId(id);
  if (bad !== undefined) throw usageError(`${JSON.stringify(id)} cannot be a ${noun}Id: ${bad}.`);
}

async function savedOrElsewhere(target: Target, noun: Noun, asked: Asked): Promise<SavedResource> {
  const { id, service, product } = asked;
  const back = placeOfLast(id);
  if (back !== undefined) return newest(target, noun, back);
  const { resources } = target.ports;
  const exact = await resources.find(target.name, noun, id);
  const isEarlier = await earlierLedger(target.ports, target.name);
  if (exact !== undefined) {
    // A bank with a file gives the same ids again: what was saved of an earlier one says nothing of it.
    const known = isEarlier(exact) ? newResource(target, noun, id) : exact;
    return withPlace(known, service ?? exact.service, product ?? exact.product);
  }
  // It may be what an ended run has made and not saved; a shorter id may mean one that is saved.
  needId(noun, id);
  const recent = await livingResources(target, noun, suggested);
  const whole = recent.find((resource) => resource.id === id);
  if (whole !== undefined) return withPlace(whole, service, product);
  const matches =
    id.length >= leastOfId
      ? (await beginning(target, noun, id, recent)).filter((one) => !isEarlier(one))
      : [];
  const [only, other] = matches;
  if (only !== undefined && other === undefined) return only;
  const unsaved = elsewhere(target, noun, asked);
  if (noun === 'payment' && unsaved !== undefined) return unsaved;
  if (other !== undefined) {
    throw ambiguousId(id, words[noun].plural, matches.map(candidateOf), line`obk ${noun} list`);
  }
  if (unsaved !== undefined) return unsaved;
  if (noun !== 'payment') throw notSaved(target, noun, id);
  const near = nearest(
    id,
    recent.map((resource) => resource.id),
  );
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title: `No payment ${id} was started from here with the profile ${target.name}.`,
    detail: 'A payment from elsewhere is found with its product.',
    hint: [placeFlags(target.profile), 'obk payment list'],
    choices: { typed: id, among: near.slice(0, 2).map((one) => ({ id: one })) },
  });
}

/** Those whose id begins so; what an ended run could not save is among the recent ones alone. */
async function beginning(
  { name, ports }: Target,
  noun: Noun,
  prefix: string,
  recent: readonly SavedResource[],
): Promise<SavedResource[]> {
  const saved = await ports.resources.listBeginning(name, noun, prefix);
  const unsaved = recent.filter(({ id }) => id.startsWith(prefix) && saved.every((one) => one.id !== id));
  return [...unsaved, ...saved];
}

function notSaved({ name, profile }: Target, noun: 'consent' | 'basket', id: string): ObkError {
  const path = noun === 'consent' ? 'consents' : 'signing-baskets';
  return new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title: `No ${noun} ${JSON.stringify(id)} is saved for the profile ${name}.`,
    detail: `A ${noun} is named by its id, the first 6 or more characters of it, @last or @last-1.`,
    hint: [
      line`obk ${noun} list`,
      ...starting(profile, noun),
      line`obk api GET ${path}/${encodeURIComponent(id)}   # where the bank has made so short an id`,
    ],
  });
}

/** The newest resource of a noun, or the one that `back` newer ones stand before. */
async function newest(target: Target, noun: Noun, back: number): Promise<SavedResource> {
  const saved = (await livingResources(target, noun, back + 1, isOfHere))[back];
  if (noun === 'payment') await refuseDoubt(target.ports, target.name);
  if (saved !== undefined) return saved;
  const { plural, made } = words[noun];
  const [other] = await target.ports.resources.list(target.name, noun, 1);
  if (other?.elsewhere === true)
    throw new ObkError({
      code: 'RESOURCE_NOT_SAVED',
      title: `${back === 0 ? '@last' : `@last-${String(back)}`} means the ${plural} of this machine, and it has not ${made} that many.`,
      detail: `The newest of another machine is ${other.id}.`,
      hint: [line`obk ${noun} status ${other.id}`, line`obk ${noun} list`],
    });
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title:
      back === 0
        ? `No ${noun} was ${made} with the profile ${target.name} yet.`
        : `The profile ${target.name} does not have that many ${plural}.`,
    hint: [line`obk ${noun} list`, ...starting(target.profile, noun)],
  });
}

/** A payment whose service or product was never saved gets those of the flags. */
function withPlace(saved: SavedResource, service?: string, product?: string): SavedResource {
  if (saved.noun !== 'payment') return saved;
  return {
    ...saved,
    ...(saved.service === undefined && service !== undefined ? { service } : {}),
    ...(saved.product === undefined && product !== undefined ? { product } : {}),
  };
}

import type { Command } from 'commander';
import { ObkError } from '../../errors.ts';
import { intentState, unknownOutcome } from '../../flows/intent.ts';
import type { Target } from '../../flows/target.ts';
import type { SavedResource } from '../../ports.ts';
import { badId } from '../../xs2a/request.ts';
import { nearest } from '../../render/nearest.ts';
import { usageError } from '../flags.ts';
import type { WireOptions } from '../global-options.ts';
import { checkProduct } from './check-product.ts';

/** How a command names a payment. */
export interface PaymentId extends WireOptions {
  id: string;
  service?: string;
  product?: string;
}

/** Adds the id and what is needed for one that was started elsewhere. */
export function paymentId(command: Command): Command {
  return command
    .argument('<id>', 'paymentId, its first 6 or more characters, @last or @last-1')
    .optionsGroup('PAYMENT FLAGS')
    .option('--service <S>', 'payment service of a payment from elsewhere (payments)')
    .option('--product <P>', 'payment product of a payment from elsewhere');
}

/** The payment that an id, a prefix or @last names; one from elsewhere needs its product. */
export async function findPayment(
  target: Target,
  { id, service, product }: PaymentId,
): Promise<SavedResource> {
  const back = /^@last(?:-(\d{1,4}))?$/.exec(id);
  if (back !== null) return newest(target, Number(back[1] ?? 0));
  const { store } = target.ports;
  const exact = await store.resource(target.name, 'payment', id);
  if (exact !== undefined) return withPlace(exact, service, product);
  const bad = badId(id);
  if (bad !== undefined) throw usageError(`${JSON.stringify(id)} cannot be a paymentId: ${bad}.`);
  const saved = await store.resources(target.name, 'payment');
  const matches = id.length >= 6 ? saved.filter((resource) => resource.id.startsWith(id)) : [];
  const [only, other] = matches;
  if (only !== undefined && other === undefined) return only;
  if (product !== undefined) return foreign(target, id, service ?? 'payments', product);
  if (other !== undefined) {
    throw new ObkError({
      code: 'ID_AMBIGUOUS',
      title: `${id} fits ${matches.length} payments.`,
      detail: matches
        .slice(0, 5)
        .map((resource) => resource.id)
        .join('\n'),
    });
  }
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title: `No payment ${id} was started from here with the profile ${target.name}.`,
    detail: 'A payment from elsewhere is found with its product.',
    hint: [
      ...nearest(
        id,
        saved.map((resource) => resource.id),
      ).slice(0, 2),
      '--service payments --product sepa-credit-transfers',
      'obk payment list',
    ],
  });
}

/** `@last` must never mean another payment than the person thinks of: the newest may be the one in doubt. */
async function newest(target: Target, back: number): Promise<SavedResource> {
  const { journal, store } = target.ports;
  const intent = await journal.newestIntent(target.name);
  if (intent !== undefined) {
    const state = await intentState(journal, intent);
    if (state.kind === 'unknown') throw unknownOutcome(intent, state);
  }
  const saved = (await store.resources(target.name, 'payment'))[back];
  if (saved !== undefined) return saved;
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title:
      back === 0
        ? `No payment was started with the profile ${target.name} yet.`
        : `There are not so many payments of the profile ${target.name}.`,
    hint: ['obk payment list', 'obk payment init --product sepa-credit-transfers'],
  });
}

/** A payment whose service or product was never saved gets those of the flags. */
function withPlace(saved: SavedResource, service?: string, product?: string): SavedResource {
  return {
    ...saved,
    ...(saved.service === undefined && service !== undefined ? { service } : {}),
    ...(saved.product === undefined && product !== undefined ? { product } : {}),
  };
}

function foreign(target: Target, id: string, service: string, product: string): SavedResource {
  checkProduct(service, product);
  const now = target.ports.clock.now().toISOString();
  return {
    schemaVersion: 1,
    profile: target.name,
    environment: target.environment,
    noun: 'payment',
    id,
    createdAt: now,
    updatedAt: now,
    framework: target.variant.framework,
    prefix: target.variant.prefix,
    baseUrl: target.links.base,
    service,
    product,
    links: {},
  };
}

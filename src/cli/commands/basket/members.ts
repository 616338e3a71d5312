import { ObkError } from '../../../base/errors.ts';
import type { Members } from '../../../client/payments/baskets.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { badId } from '../../../standard/xs2a/request.ts';
import { findResource } from '../run/find-resource.ts';
import { usageError } from '../flags/flag-values.ts';

/** The payments and consents of a new basket, each named as everywhere; those from elsewhere by their whole id. */
export async function membersOf(
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

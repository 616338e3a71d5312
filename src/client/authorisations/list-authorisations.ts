import { BankRefusal } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { idNames, scaOperations, scaParams } from '../../standard/sca/operations.ts';
import type { Parent } from '../../standard/sca/state.ts';
import { call } from '../call/call.ts';
import { parentOf } from '../resources/saved-resource.ts';
import type { Target } from '../exchange/target.ts';

/** One authorisation of a resource, or of its cancellation. */
export interface ListedAuthorisation {
  of: Parent['kind'];
  authorisationId: string;
  /** Undefined where the bank does not tell it. */
  scaStatus: string | undefined;
}

/** Reads the authorisations of a resource, then those of a payment's cancellation, each with its scaStatus. */
export async function* listAuthorisations(
  target: Target,
  resource: SavedResource,
  kinds: readonly Parent['kind'][] = resource.noun === 'payment'
    ? ['payment', 'cancellation']
    : [resource.noun],
): AsyncGenerator<ListedAuthorisation> {
  for (const of of kinds) {
    for (const authorisationId of await idsOf(target, resource, of)) {
      // A bank without a status of authorisations has those of resources alone.
      if (target.profile.sca?.statusFrom === 'resource') {
        yield { of, authorisationId, scaStatus: undefined };
        continue;
      }
      const answer = await call(target, {
        operation: scaOperations[of].read,
        params: scaParams(parentOf(resource), authorisationId),
        resource: { [idNames[resource.noun]]: resource.id, authorisationId },
      });
      yield { of, authorisationId, scaStatus: answer.scaStatus };
    }
  }
}

/** The ids of the authorisations of one kind. */
export async function idsOf(
  target: Target,
  resource: SavedResource,
  of: ListedAuthorisation['of'],
): Promise<readonly string[]> {
  try {
    const answer = await call(target, {
      operation: scaOperations[of].list,
      params: scaParams(parentOf(resource)),
      resource: { [idNames[resource.noun]]: resource.id },
    });
    return answer.authorisationIds ?? [];
  } catch (error) {
    // A bank without a cancellation of this payment has no such collection.
    if (of === 'cancellation' && error instanceof BankRefusal && [404, 405].includes(error.httpStatus))
      return [];
    throw error;
  }
}

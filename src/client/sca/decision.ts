import { defined } from '../../base/defined.ts';
import { BankRefusal } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { isEnding } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { standingOf } from '../../standard/xs2a/codes.ts';
import type { Target } from '../exchange/target.ts';
import { isUnknown } from '../resources/parent-status.ts';
import { refreshEnded, refreshResource } from '../resources/saved-resource.ts';
import { lookAgain } from './sca-read.ts';

/** What the bank has made of a resource, with the answer that says it. */
interface Decision {
  answer?: Answer;
  resource: SavedResource;
}

/**
 * Reads what the bank has made of a resource whose authorisation is over. Banks take their time after a success: a run that waits
 * reads again while the status is as open as before, until its time is over.
 */
export async function readDecision(
  target: Target,
  resource: SavedResource,
  { parent }: Conversation,
  { success, wait, timeoutMs }: { success: boolean; wait: boolean; timeoutMs: number },
): Promise<Decision> {
  const read = success && isEnding(parent.kind) ? refreshEnded : refreshResource;
  const first: Decision = await read(target, resource);
  if (!success || !wait || !isUndecided(first)) return first;
  const { signal } = target.run;
  const progress = target.ports.notices.progress(`Waiting for the bank to decide on the ${resource.noun}`);
  try {
    return await lookAgain(
      target,
      { id: parent.id, timeoutMs, ...defined({ signal }) },
      {
        first,
        look: (last) => read(target, last.resource),
        ends: (seen) => !isUndecided(seen),
      },
    );
  } finally {
    progress.stop();
  }
}

/**
 * A status that obk does not know and that an earlier run has left is read again, since the bank may have moved on. Returns the
 * resource with the names of unknown links that came with another such status.
 */
export async function reread(
  target: Target,
  resource: SavedResource,
): Promise<{ resource: SavedResource; unknownLinks: readonly string[] }> {
  if (!isUnknown(resource) || target.run.dryRun) return { resource, unknownLinks: [] };
  try {
    const { answer, resource: now } = await refreshResource(target, resource);
    return { resource: now, unknownLinks: isUnknown(now) ? answer.unknownLinks : [] };
  } catch (error) {
    // What cannot be read stays as unknown as it was.
    if (error instanceof BankRefusal) return { resource, unknownLinks: [] };
    throw error;
  }
}

const isUndecided = ({ resource: { noun, status } }: Decision) => standingOf(noun, status) === 'open';

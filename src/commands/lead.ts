import type { Context } from '../context.ts';
import { InteractionNeeded, ObkError, exitCodes } from '../errors.ts';
import type { ExitCode } from '../errors.ts';
import { authorise } from '../flows/authorise.ts';
import type { Authorised } from '../flows/authorise.ts';
import { latest } from '../flows/saved-resource.ts';
import type { Target } from '../flows/target.ts';
import type { Outcome } from '../outcome.ts';
import type { SavedResource } from '../ports.ts';
import { authoriseOptions } from './sca-options.ts';
import type { ScaOptions } from './sca-options.ts';
import { exitOfStatus } from './exit-of-status.ts';
import type { Leader } from './exit-of-status.ts';
import { resourceDocument, resourceText } from './resource-document.ts';
import type { Conversation } from './resource-document.ts';

export type { Leader } from './exit-of-status.ts';

interface Led extends Pick<Authorised, 'resource' | 'success' | 'timedOut'> {
  conversation: Conversation | undefined;
  /** The flags that would have led further. */
  missing: readonly string[];
}

/** Leads the PSU through SCA as far as possible, and says where the resource stands then. */
export async function lead(
  context: Context,
  target: Target,
  start: { resource: SavedResource; conversation: Conversation; resumed: boolean },
  options: ScaOptions,
  leader: Leader,
  created = leader !== 'authorise',
): Promise<Outcome> {
  const { resource, conversation, resumed } = start;
  const how = authoriseOptions(context, options, resumed);
  try {
    const led = await authorise(target, resource, conversation, how);
    return ledOutcome(context, target, { ...led, missing: [] }, leader);
  } catch (error) {
    const open = created && error instanceof ObkError && error.exit === exitCodes.usage;
    if (!open) throw error;
    // The resource exists: what is missing is told as the next step, never as a failure.
    const kind = conversation.parent.kind;
    const saved = await target.ports.store.conversations(target.name, resource.noun, resource.id);
    const missing = error instanceof InteractionNeeded ? error.flags : [];
    if (missing.length === 0) target.ports.notices.warn(error.title);
    return ledOutcome(
      context,
      target,
      {
        resource: (await target.ports.store.resource(target.name, resource.noun, resource.id)) ?? resource,
        conversation: latest(saved, kind) ?? conversation,
        success: undefined,
        timedOut: false,
        missing,
      },
      leader,
    );
  }
}

/** The result of a resource whose authorisation has ended, or stands open. */
export function ledOutcome(context: Context, target: Target, led: Led, leader: Leader): Outcome {
  const { resource, conversation } = led;
  const next = nextStepOf(context, led);
  return {
    kind: 'data',
    data: resourceDocument(target, resource, conversation, next),
    text: (style) => resourceText(target, resource, conversation, style),
    exit: exitOf(led, leader),
    next: [next],
    name: resource.id,
  };
}

/** The runnable command that goes on with the resource. */
function nextStepOf(context: Context, { resource, conversation, success, missing }: Led): string {
  const { profile } = context.globals;
  const named = profile === undefined ? '' : ` --profile ${profile}`;
  if (success !== undefined || conversation === undefined)
    return `obk ${resource.noun} status ${resource.id}${named}`;
  const flags = missing.map((flag) => (flag === '--sca-method' ? ` ${flag} ID` : ` ${flag} REF`)).join('');
  const elsewhere = missing.length === 0 ? ' --wait' : '';
  return `obk ${resource.noun} authorise ${resource.id}${named}${flags}${elsewhere}`;
}

function exitOf({ success, timedOut, resource }: Led, leader: Leader): ExitCode {
  if (success === undefined) return timedOut || leader === 'authorise' ? exitCodes.pending : exitCodes.ok;
  if (!success) return exitCodes.declined;
  if (leader === 'cancel') return resource.status === 'CANC' ? exitCodes.ok : exitCodes.pending;
  return exitOfStatus(resource.noun, resource.status, leader);
}

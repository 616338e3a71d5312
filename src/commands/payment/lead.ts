import type { Context } from '../../context.ts';
import { InteractionNeeded, ObkError, exitCodes } from '../../errors.ts';
import type { ExitCode } from '../../errors.ts';
import { authorise } from '../../flows/authorise.ts';
import type { Authorised } from '../../flows/authorise.ts';
import { latest } from '../../flows/saved-payment.ts';
import type { Target } from '../../flows/target.ts';
import type { Outcome } from '../../outcome.ts';
import type { SavedResource } from '../../ports.ts';
import { authoriseOptions } from '../sca-options.ts';
import type { ScaOptions } from '../sca-options.ts';
import { exitOfStatus } from './exit-of-status.ts';
import { paymentDocument, paymentText } from './payment-document.ts';
import type { Conversation } from './payment-document.ts';

/** Which command leads; it decides what a half-way end means. */
export type Leader = 'init' | 'authorise' | 'cancel';

interface Led extends Pick<Authorised, 'resource' | 'success' | 'timedOut'> {
  conversation: Conversation | undefined;
  /** The flags that would have led further. */
  missing: readonly string[];
}

/** Leads the PSU through SCA as far as possible, and says where the payment stands then. */
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
    // The payment exists: what is missing is told as the next step, never as a failure.
    const kind = conversation.parent.kind;
    const saved = await target.ports.store.conversations(target.name, 'payment', resource.id);
    const missing = error instanceof InteractionNeeded ? error.flags : [];
    if (missing.length === 0) target.ports.notices.warn(error.title);
    return ledOutcome(
      context,
      target,
      {
        resource: (await target.ports.store.resource(target.name, 'payment', resource.id)) ?? resource,
        conversation: latest(saved, kind) ?? conversation,
        success: undefined,
        timedOut: false,
        missing,
      },
      leader,
    );
  }
}

/** The result of a payment whose authorisation has ended, or stands open. */
export function ledOutcome(context: Context, target: Target, led: Led, leader: Leader): Outcome {
  const { resource, conversation } = led;
  const next = nextStepOf(context, led);
  return {
    kind: 'data',
    data: paymentDocument(target, resource, conversation, next),
    text: (style) => paymentText(target, resource, conversation, style),
    exit: exitOf(led, leader),
    next: [next],
    name: resource.id,
  };
}

/** The runnable command that goes on with the payment. */
function nextStepOf(context: Context, { resource, conversation, success, missing }: Led): string {
  const { profile } = context.globals;
  const named = profile === undefined ? '' : ` --profile ${profile}`;
  if (success !== undefined || conversation === undefined) return `obk payment status ${resource.id}${named}`;
  const flags = missing.map((flag) => (flag === '--sca-method' ? ` ${flag} ID` : ` ${flag} REF`)).join('');
  const elsewhere = missing.length === 0 ? ' --wait' : '';
  return `obk payment authorise ${resource.id}${named}${flags}${elsewhere}`;
}

function exitOf({ success, timedOut, resource }: Led, leader: Leader): ExitCode {
  if (success === undefined) return timedOut || leader === 'authorise' ? exitCodes.pending : exitCodes.ok;
  if (!success) return exitCodes.declined;
  if (leader === 'cancel') return resource.status === 'CANC' ? exitCodes.ok : exitCodes.pending;
  return exitOfStatus(resource.status, leader);
}

import { line } from '../../../base/command-line.ts';
import type { Authorised } from '../../../client/sca/authorise.ts';
import type { Progress } from '../../../client/authorisations/other-authorisations.ts';
import { endOf } from '../../../client/resources/parent-status.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { isEnding } from '../../../standard/sca/operations.ts';
import {
  isFinalConsent,
  isFinalSca,
  isFinalTransaction,
  isSuccessfulSca,
} from '../../../standard/xs2a/codes.ts';
import type { Leader } from './exit-of-status.ts';

/** How an authorisation ended, as far as words can help. */
export interface End extends Pick<Authorised, 'resource' | 'success'> {
  conversation: Authorised['conversation'] | undefined;
  /** Counted where other PSUs must follow. */
  progress?: Progress;
}

/** Whether another authorisation of the same resource may still succeed. */
export function mayStartAnother({ resource, success, conversation }: End): boolean {
  const ends = conversation !== undefined && isEnding(conversation.parent.kind);
  return success === false && conversation !== undefined && !ends && !isOver(resource);
}

/** What there is to do with a resource whose authorisation is over: a final state is not asked for again. */
export function afterEnd({ noun, id, status = '' }: SavedResource): string {
  if (noun === 'payment' && status === 'RJCT') return line`obk report ${id} --output ticket.html`;
  const isFinal = noun === 'consent' ? isFinalConsent(status) : isFinalTransaction(status);
  return isFinal ? line`obk ${noun} get ${id}` : line`obk ${noun} status ${id}`;
}

/** The lines for a person about an end that is not final, or not good. */
export function endLines(end: End, leader?: Leader): string[] {
  const { resource, success, conversation, progress } = end;
  const cancels = leader === 'cancel' || conversation?.parent.kind === 'cancellation';
  if (progress !== undefined) return progressLines(progress, cancels);
  if (success === true && conversation?.parent.kind === 'deletion' && !isOver(resource))
    return ['The bank does not say that the consent is deleted.'];
  if (success === true && cancels && resource.status !== 'CANC')
    return ['The bank does not say that the payment is cancelled.'];
  return success === false && conversation !== undefined ? failureLines(resource, conversation) : [];
}

function failureLines(resource: SavedResource, conversation: Authorised['conversation']): string[] {
  const { scaStatus, startedAt, parent } = conversation;
  const failed = scaStatus !== undefined && isFinalSca(scaStatus) && !isSuccessfulSca(scaStatus);
  const day = startedAt.slice(0, 16).replace('T', ' ');
  return [
    failed
      ? `The authorisation begun at ${day} (UTC) failed at the bank: the PSU refused, a secret was wrong too often, or it ran out of time.`
      : `The bank has ended the ${resource.noun}; its authorisation was ${scaStatus ?? 'never begun'}: banks reject what is not authorised in time.`,
    ...wayOn(parent.kind, resource),
  ];
}

function wayOn(kind: Authorised['conversation']['parent']['kind'], resource: SavedResource): string[] {
  if (kind === 'deletion') return ['The consent is not deleted and stays as it is; it may be deleted again.'];
  if (kind === 'cancellation')
    return ['The payment is not cancelled and stays as it is; it may be cancelled again.'];
  return isOver(resource)
    ? [`This ${resource.noun} cannot be authorised any more; a new one is needed.`]
    : ['Another authorisation of it may be started with --new.'];
}

function isOver({ noun, status }: SavedResource): boolean {
  return endOf(noun, status) === false;
}

/** The bank never says how many authorisations it wants, so only what it lists is counted. */
function progressLines({ done, open, listed }: Progress, cancels: boolean): string[] {
  const others = open === 0 ? '' : `, ${String(open)} open`;
  const counted = `${String(done)} done of ${String(listed)} that the bank lists${others}`;
  return cancels
    ? [
        `Authorisations of the cancellation: ${counted}.`,
        'The payment is not cancelled yet: the bank waits for further PSUs, or needs a moment.',
      ]
    : [`Authorisations: ${counted}; it waits for further PSUs.`];
}

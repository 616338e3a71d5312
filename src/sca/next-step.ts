import { isFinalSca, isSuccessfulSca, scaStatus as statusFact } from '../xs2a/codes.ts';
import { linkFact, steeringOrder } from '../xs2a/links.ts';
import type { LinkName } from '../xs2a/links.ts';
import { linkMethod } from '../xs2a/request.ts';
import type { Conversation, Need } from './state.ts';

/** A request that the bank's links allow now: PUT where the href names an authorisation, POST where it starts one. */
export interface SendStep {
  kind: 'send';
  link: LinkName;
  href: string;
  method: 'POST' | 'PUT';
  need: Need;
  /** Where the guidelines define the reduced header set (no PSU-ID). */
  reducedHeaders: boolean;
}

/** What must happen next. */
export type Step =
  | SendStep
  | { kind: 'redirect'; url: string }
  | { kind: 'oauth'; url: string }
  /** Nothing to send: the PSU acts elsewhere, and the bank is read until that shows. */
  | { kind: 'wait' }
  | { kind: 'done'; success: boolean; scaStatus: string }
  | { kind: 'stuck'; links: readonly string[] };

/** Decides from the state alone what happens next; links steer, the approach header does not. */
export function nextStep(state: Conversation): Step {
  const { scaStatus, steering, standing } = state;
  if (scaStatus !== undefined && isFinalSca(scaStatus)) {
    return { kind: 'done', success: isSuccessfulSca(scaStatus), scaStatus };
  }
  if (state.inDoubt !== undefined) return { kind: 'wait' };
  if (scaStatus === 'unconfirmed' && standing.confirmation !== undefined) {
    return send('confirmation', standing.confirmation, state.approach === 'OAUTH' ? 'none' : undefined);
  }
  for (const link of steeringOrder) {
    const href = steering[link];
    if (href === undefined) continue;
    const { where } = linkFact(link);
    if (where === 'browser') return { kind: 'redirect', url: href };
    return where === 'oauth' ? { kind: 'oauth', url: href } : send(link, href);
  }
  return needsUs(state) && state.unknownLinks.length > 0
    ? { kind: 'stuck', links: state.unknownLinks }
    : { kind: 'wait' };
}

/** Embedded and not yet at the PSU: nobody else moves such an authorisation on. */
function needsUs({ approach, scaStatus }: Conversation): boolean {
  return (
    approach === 'EMBEDDED' &&
    scaStatus !== 'started' &&
    (scaStatus === undefined || statusFact(scaStatus) !== undefined)
  );
}

function send(link: LinkName, href: string, need?: Need): SendStep {
  const { body, reducedHeaders } = linkFact(link);
  return {
    kind: 'send',
    link,
    href,
    method: linkMethod(link, href) === 'POST' ? 'POST' : 'PUT',
    need: need ?? body,
    reducedHeaders,
  };
}

import { isFinalSca, isSuccessfulSca } from '../xs2a/codes.ts';
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
  | { kind: 'wait'; read: 'scaStatus' | 'status'; href?: string }
  | { kind: 'done'; success: boolean; scaStatus: string }
  | { kind: 'stuck'; links: readonly string[] };

/** Decides from the state alone what happens next; links steer, the approach header does not. */
export function nextStep(state: Conversation): Step {
  const { scaStatus, steering, standing } = state;
  if (scaStatus !== undefined && isFinalSca(scaStatus)) {
    return { kind: 'done', success: isSuccessfulSca(scaStatus), scaStatus };
  }
  if (state.inDoubt !== undefined) return wait(state);
  if (scaStatus === 'unconfirmed' && standing.confirmation !== undefined) {
    return send('confirmation', standing.confirmation, state.approach === 'OAUTH' ? 'none' : undefined);
  }
  if (steering.scaOAuth !== undefined) return { kind: 'oauth', url: steering.scaOAuth };
  for (const link of steeringOrder) {
    const href = steering[link];
    if (href === undefined) continue;
    return link === 'scaRedirect' ? { kind: 'redirect', url: href } : send(link, href);
  }
  if (state.unknownLinks.length > 0 && state.approach === 'EMBEDDED') {
    return { kind: 'stuck', links: state.unknownLinks };
  }
  return wait(state);
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

function wait(state: Conversation): Step {
  const { scaStatus, status } = state.standing;
  if (scaStatus !== undefined) return { kind: 'wait', read: 'scaStatus', href: scaStatus };
  if (state.authorisationId !== undefined) return { kind: 'wait', read: 'scaStatus' };
  return status === undefined
    ? { kind: 'wait', read: 'status' }
    : { kind: 'wait', read: 'status', href: status };
}

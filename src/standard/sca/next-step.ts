import { isFinalSca, isSuccessfulSca, isUnknownSca } from '../xs2a/codes.ts';
import { linkFact, steeringOrder } from '../xs2a/links.ts';
import type { LinkName } from '../xs2a/links.ts';
import { linkMethod } from '../xs2a/request.ts';
import type { Tolerated } from '../xs2a/tolerated.ts';
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
  /** What was tolerated to come to this step. */
  tolerated?: readonly Tolerated[];
}

/** The next step of a conversation. */
export type Step =
  | SendStep
  | { kind: 'redirect'; url: string }
  | { kind: 'oauth'; url: string }
  /** Nothing to send: the PSU acts elsewhere, and the bank is read until that shows. */
  | { kind: 'wait' }
  | { kind: 'done'; success: boolean; scaStatus: string }
  /** Only links that obk does not know could lead on. */
  | { kind: 'stuck'; links: readonly string[] };

/** Decides from the state alone what happens next; links steer, the approach header does not. */
export function nextStep(state: Conversation): Step {
  const { scaStatus, steering } = state;
  if (scaStatus !== undefined && isFinalSca(scaStatus)) {
    return { kind: 'done', success: isSuccessfulSca(scaStatus), scaStatus };
  }
  if (state.inDoubt !== undefined) return { kind: 'wait' };
  // A confirmation by OAuth is the token itself, which must be got first.
  const byOauth = state.approach === 'OAUTH';
  const confirmation = confirmationStep(state);
  if (confirmation !== undefined && (byOauth ? state.hasToken : scaStatus === 'unconfirmed')) {
    return confirmation;
  }
  for (const link of steeringOrder) {
    const href = steering[link];
    if (href === undefined) continue;
    const { where } = linkFact(link);
    if (where === 'browser') return { kind: 'redirect', url: withState(href, state) };
    return where === 'oauth' ? { kind: 'oauth', url: href } : stepAlong(link, href);
  }
  return !actsElsewhere(state) && state.unknownLinks.length > 0
    ? { kind: 'stuck', links: state.unknownLinks }
    : { kind: 'wait' };
}

/** The request that confirms what the PSU has done (1.3.6); its body is the code that the browser brought, or the token of OAuth. */
export function confirmationStep({ standing, approach }: Conversation): SendStep | undefined {
  if (standing.confirmation === undefined) return undefined;
  return stepAlong('confirmation', standing.confirmation, approach === 'OAUTH' ? 'none' : undefined);
}

/** The URL that the PSU's browser opens now; with OAuth the authorization request, once it is made. */
export function browserUrl(
  state: Pick<Conversation, 'steering' | 'oauth' | 'returnState'>,
): string | undefined {
  const { scaRedirect } = state.steering;
  if (scaRedirect !== undefined) return withState(scaRedirect, state);
  return state.oauth?.url;
}

/** Where a confirmation is wanted, the TPP adds a state to scaRedirect, whose own query stays as it is (security bulletin). */
function withState(href: string, { returnState }: Pick<Conversation, 'returnState'>): string {
  if (returnState === undefined) return href;
  const [before = '', ...fragment] = href.split('#');
  const joint = before.includes('?') ? '&' : '?';
  return [`${before}${joint}state=${encodeURIComponent(returnState)}`, ...fragment].join('#');
}

/** True where the PSU may be at it without this program, so that the status can move by itself. */
function actsElsewhere({ approach, scaStatus }: Conversation): boolean {
  const elsewhere = approach === 'DECOUPLED' || approach === 'OAUTH';
  return elsewhere || scaStatus === 'started' || scaStatus === 'unconfirmed' || isUnknownSca(scaStatus);
}

/** The request along a link. */
export function stepAlong(link: LinkName, href: string, need?: Need): SendStep {
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

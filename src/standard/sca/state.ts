import { defined } from '../../base/defined.ts';
import { isFinalSca } from '../xs2a/codes.ts';
import { linkFact } from '../xs2a/links.ts';
import type { StatedFees } from '../xs2a/fees.ts';
import type { LinkBody, LinkName } from '../xs2a/links.ts';
import type { AuthenticationObject, ChallengeData } from '../xs2a/wire.ts';
import { entryOf, isCredential } from './entry.ts';
import type { Entry } from './entry.ts';

/** The resource that an authorisation belongs to; a cancellation's parent id is that of its payment, a deletion's that of its consent. */
export interface Parent {
  kind: 'payment' | 'cancellation' | 'consent' | 'deletion' | 'basket';
  id: string;
  service?: string;
  product?: string;
}

/** How the PSU authenticates; OAUTH is ours, the wire says REDIRECT for it. */
export type Approach = 'REDIRECT' | 'OAUTH' | 'DECOUPLED' | 'EMBEDDED';

/** The input that a step needs before it can be sent: the body that its link asks for. */
export type Need = LinkBody;

/** A challenge as it is kept: the picture stands in a file of its own. */
export type SavedChallenge = ChallengeData & { imageFile?: string };

/**
 * One authorisation as far as it has come: a plain serialisable value without secrets, saved after each step, from which
 * any process can go on.
 */
export interface Conversation {
  schemaVersion: 1;
  parent: Parent;
  /** ISO 8601, UTC. */
  startedAt: string;
  authorisationId?: string;
  /** When the scaStatus was first seen to be what it is; the interface has no times. ISO 8601, UTC. */
  changedAt?: string;
  approach?: Approach;
  scaStatus?: string;
  /** Hrefs verbatim by canonical name: what the bank lets us do next. */
  steering: Partial<Record<LinkName, string>>;
  /** Hrefs that outlive the steps: self, status, scaStatus, confirmation. */
  standing: Partial<Record<LinkName, string>>;
  /** Unknown link names of the last answer, to explain why nothing can follow. */
  unknownLinks: readonly string[];
  /** Where the bank has the certificate by which passwords are encrypted. */
  certificateLink?: string;
  scaMethods?: readonly AuthenticationObject[];
  chosenScaMethod?: AuthenticationObject;
  challengeData?: SavedChallenge;
  psuMessage?: string;
  /** The bank's fees, as far as they are stated. */
  fees?: StatedFees;
  psuId?: string;
  /** The other headers by which this PSU is known: the type of the PSU-ID, the corporate id and its type. */
  psu?: PsuNames;
  /** The state that the PSU's browser must bring back; ours, unguessable, compared before anything of it is used. */
  returnState?: string;
  /** The authorization request whose code the browser brings back; gone once the code was redeemed. */
  oauth?: OauthRequest;
  /** A token of OAuth was got for this authorisation. */
  hasToken?: true;
  /** A mark of each entry that was sent and has not led on: none is ever sent twice. */
  sent: readonly SentEntry[];
  /** How many requests were sent to lead it on. */
  steps?: number;
  /** A password or an OTP was sent for it, however that ended. */
  entered?: true;
  /** The bank refused the last password or OTP. */
  refused?: true;
  /** A step that was sent and whose answer never came: the bank is read before anything else is sent. */
  inDoubt?: { need: Need; link: LinkName; method: 'POST' | 'PUT' };
  /** Authorisations that the bank has started for us, but whose links were lost with the answer. */
  abandoned?: readonly string[];
  /** Authorisations that the bank had before this one was started: those of other PSUs. */
  others?: readonly string[];
}

/** The names of a PSU besides the PSU-ID. */
export interface PsuNames {
  idType?: string;
  corporateId?: string;
  corporateIdType?: string;
}

/** An entry that was sent, known again by a keyed mark alone. */
export interface SentEntry {
  entry: Entry;
  mark: string;
  /** A secret that led on: where the bank asks for it once more, only a human may enter the same again. */
  ledOn?: true;
  /** It was sent without a link of the bank. */
  unlinked?: true;
}

/** An authorization request of OAuth as it was made: what another process needs to redeem its code, without its secret. */
export interface OauthRequest {
  /** The URL that the PSU's browser opens. */
  url: string;
  issuer: string;
  tokenEndpoint: string;
  revocationEndpoint?: string;
  /** Whether the server has promised to name itself in its answer (RFC 9207). */
  namesIssuer: boolean;
  clientId: string;
  redirectUri: string;
}

/** The part of a bank's answer that a conversation uses. */
export interface ScaAnswer {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  status: number;
  /** Whether the body had `_links` at all. */
  hasLinks: boolean;
  links: Readonly<Partial<Record<LinkName, string>>>;
  unknownLinks: readonly string[];
  certificateLink?: string;
  /** The value of ASPSP-SCA-Approach. */
  approach?: string;
  authorisationId?: string;
  scaStatus?: string;
  /** What the answer says of the parent, where it does. */
  transactionStatus?: string;
  consentStatus?: string;
  scaMethods?: readonly AuthenticationObject[];
  chosenScaMethod?: AuthenticationObject;
  challengeData?: ChallengeData;
  psuMessage?: string;
  fees?: StatedFees;
}

/** Starts the conversation from the answer that created the parent (or from a 202 of a cancellation). */
export function newConversation(parent: Parent, answer: ScaAnswer, startedAt: string): Conversation {
  const empty: Conversation = {
    schemaVersion: 1,
    parent,
    startedAt,
    steering: {},
    standing: {},
    unknownLinks: [],
    sent: [],
  };
  return absorb(empty, answer);
}

/**
 * Takes in an answer. Only an answer to POST, PUT or DELETE, or an error body with `_links`, replaces the steering links;
 * a successful write without `_links` has used its step up; a read without them changes the status alone.
 */
export function absorb(before: Conversation, answer: ScaAnswer): Conversation {
  const refused = answer.status >= 400;
  const write = answer.method !== 'GET';
  const after = startsAnother(before, answer) ? forgetAuthorisation(before) : { ...before };

  if (answer.hasLinks && (write || refused)) {
    after.steering = pick(answer.links, 'steering');
    after.unknownLinks = answer.unknownLinks;
  } else if (write && !refused) {
    after.steering = {};
    after.unknownLinks = [];
  }
  const confirmed = before.inDoubt?.link === 'confirmation' || before.scaStatus === 'unconfirmed';
  if (write && !refused && confirmed) {
    // The confirmation was this write; without a new link it is not sent a second time.
    after.standing = without(after.standing, 'confirmation');
  }
  if (answer.hasLinks) after.standing = { ...after.standing, ...pick(answer.links, 'standing') };
  if (answer.certificateLink !== undefined) after.certificateLink = answer.certificateLink;
  if (write) delete after.inDoubt;
  const id = after.authorisationId ?? answer.authorisationId;
  if (id !== undefined) after.authorisationId = id;
  if (refused) return after;

  const over = after.scaStatus !== undefined && isFinalSca(after.scaStatus);
  if (answer.scaStatus !== undefined && !over) after.scaStatus = answer.scaStatus;
  if (write) {
    // The offer of an answer belongs to this step only: an older challenge must not be shown for a new one.
    take(after, 'scaMethods', answer.scaMethods);
    take(after, 'challengeData', answer.challengeData);
    take(after, 'psuMessage', answer.psuMessage);
  } else if (answer.psuMessage !== undefined || ends(answer)) {
    // What the bank has said until now asks for something that is done.
    take(after, 'psuMessage', answer.psuMessage);
  }
  // Later ones say more: with the method, or with another currency.
  if (answer.fees !== undefined) after.fees = { ...after.fees, ...answer.fees };
  if (answer.chosenScaMethod !== undefined) after.chosenScaMethod = answer.chosenScaMethod;
  const approach = approachOf(after, answer.approach);
  if (approach !== undefined) after.approach = approach;
  return after;
}

const ends = ({ scaStatus }: ScaAnswer) => scaStatus !== undefined && isFinalSca(scaStatus);

/** Only a POST makes an authorisation; after a refused secret a bank may demand one anew. */
function startsAnother(before: Conversation, answer: ScaAnswer): boolean {
  const { authorisationId } = before;
  return (
    answer.method === 'POST' &&
    authorisationId !== undefined &&
    answer.authorisationId !== undefined &&
    answer.authorisationId !== authorisationId
  );
}

/** The rest of a conversation when its authorisation is replaced: the parent, its links, entries sent in vain. */
export function forgetAuthorisation(conversation: Conversation): Conversation {
  const { authorisationId: _id, scaStatus: _status, ...rest } = conversation;
  const { scaMethods: _methods, chosenScaMethod: _chosen, challengeData: _challenge, ...more } = rest;
  const { returnState: _state, oauth: _oauth, hasToken: _token, ...kept } = more;
  return {
    ...kept,
    sent: kept.sent.filter(({ ledOn }) => ledOn !== true),
    steering: {},
    standing: without(without(kept.standing, 'scaStatus'), 'confirmation'),
  };
}

/** The conversation with further names of links that obk does not know, each once. */
export function withLinks(conversation: Conversation, unknownLinks: readonly string[]): Conversation {
  const all = new Set([...conversation.unknownLinks, ...unknownLinks]);
  return { ...conversation, unknownLinks: [...all] };
}

/** Marks a step as about to be sent; a later run that finds the mark asks the bank before anything is sent again. */
export function markInDoubt(
  conversation: Conversation,
  step: NonNullable<Conversation['inDoubt']>,
): Conversation {
  const { need, link, method } = step;
  return { ...conversation, inDoubt: { need, link, method } };
}

/** Removes the mark: the step was not sent, or the bank has been asked since. */
export function clearInDoubt(conversation: Conversation): Conversation {
  const { inDoubt: _, ...rest } = conversation;
  return rest;
}

/** The PSU is sent to the bank and must bring back this state, for OAuth with the code of this request. */
export function expectReturn(
  conversation: Conversation,
  returnState: string,
  oauth?: OauthRequest,
): Conversation {
  return { ...conversation, returnState, ...defined({ oauth }) };
}

/** The code of OAuth was redeemed: the link to its server has been followed, and the token speaks from now on. */
export function redeemed(conversation: Conversation): Conversation {
  const { oauth: _, ...rest } = conversation;
  return { ...rest, steering: without(rest.steering, 'scaOAuth'), hasToken: true };
}

/** Remembers that the bank refused a password or an OTP, until something leads on. */
export const noteRefused = (conversation: Conversation, need: Need): Conversation =>
  isCredential(entryOf(need)) ? { ...conversation, refused: true } : conversation;

/** Whether a password or an OTP was sent for an authorisation whose start was lost: another one may go on with it. */
export const lostStart = ({ sent, refused, inDoubt, authorisationId }: Conversation): boolean =>
  authorisationId === undefined &&
  refused !== true &&
  inDoubt === undefined &&
  sent.some(({ entry, ledOn }) => ledOn !== true && isCredential(entry));

/** Counts a step that is about to be sent, and remembers by its mark what is sent with it. */
export function noteSent(conversation: Conversation, sent: SentEntry | undefined): Conversation {
  const steps = (conversation.steps ?? 0) + 1;
  const entered = sent !== undefined && isCredential(sent.entry);
  return {
    ...conversation,
    steps,
    ...(sent && { sent: [...conversation.sent, sent] }),
    ...(entered && { entered }),
  };
}

/** Forgets what was sent for a need that is met, but for secrets; of an authorisation that is over everything. */
export function forgetSent(conversation: Conversation, need: Need): Conversation {
  const { scaStatus, sent } = conversation;
  const over = scaStatus !== undefined && isFinalSca(scaStatus);
  const { refused: _, ...rest } = conversation;
  const met = sent.flatMap((one): SentEntry[] => {
    if (one.entry !== entryOf(need)) return [one];
    return isCredential(one.entry) ? [{ ...one, ledOn: true }] : [];
  });
  return { ...rest, sent: over ? [] : met };
}

function approachOf(state: Conversation, header: string | undefined): Approach | undefined {
  if (state.steering.scaRedirect !== undefined) return 'REDIRECT';
  if (state.steering.scaOAuth !== undefined) return 'OAUTH';
  const named = header?.toUpperCase();
  if (named === 'DECOUPLED' || named === 'EMBEDDED') return named;
  if (named === 'REDIRECT') return state.approach === 'OAUTH' ? 'OAUTH' : 'REDIRECT';
  return state.approach;
}

function pick(links: ScaAnswer['links'], kind: 'steering' | 'standing'): ScaAnswer['links'] {
  return Object.fromEntries(
    Object.entries(links).filter(([name]) => linkFact(name as LinkName).kind === kind),
  );
}

function without(links: ScaAnswer['links'], name: LinkName): ScaAnswer['links'] {
  const { [name]: _, ...rest } = links;
  return rest;
}

function take<K extends 'scaMethods' | 'challengeData' | 'psuMessage'>(
  state: Conversation,
  key: K,
  value: Conversation[K] | undefined,
): void {
  if (value === undefined) Reflect.deleteProperty(state, key);
  else state[key] = value;
}

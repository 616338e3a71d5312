import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { nounOf, resourceOf } from '../../standard/sca/operations.ts';
import { expectReturn, redeemed } from '../../standard/sca/state.ts';
import type { Conversation, OauthRequest } from '../../standard/sca/state.ts';
import type { Secret } from '../../base/secret.ts';
import { liveUrl } from '../exchange/addresses.ts';
import { makeRequest, readServer } from '../oauth/oauth-grants.ts';
import type { OauthPurpose } from '../oauth/oauth-grants.ts';
import { redeem } from '../oauth/redeem.ts';
import { psuIdOf } from './sca-send.ts';
import type { Target } from '../exchange/target.ts';
import { keepToken } from '../oauth/tokens.ts';

/**
 * Reads the metadata of the bank's OAuth server (RFC 8414) and makes the authorization request for one authorisation
 * (RFC 6749 4.1.1, PKCE S256). The verifier goes to the credentials, all else into the conversation, so that any process
 * can redeem the code. Throws LINK_REFUSED, PROFILE_INVALID, ANSWER_UNREADABLE.
 */
export async function startOauth(
  target: Target,
  resource: SavedResource,
  conversation: Conversation,
  metadataUrl: string,
): Promise<Conversation> {
  const redirectUri = resource.redirect?.uri;
  if (redirectUri === undefined) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: 'OAuth2 needs an address to which the bank sends the PSU back, and this transaction has none.',
      hint: [
        line`obk profile edit ${target.name} --redirect-uri URL   # the one that the bank has registered`,
        line`obk ${resource.noun} authorise ${resource.id}`,
      ],
      resource: resourceOf(conversation),
    });
  }
  const server = await readServer(target, liveUrl(target, metadataUrl), purposeOf(conversation));
  const scope = scopeOf(target, conversation);
  const purpose = purposeOf(conversation);
  const { state, request } = await makeRequest(target, server, { scope, redirectUri }, purpose);
  return expectReturn(conversation, state, request);
}

/** Redeems the code of an authorisation and keeps the token that the PSU has allowed for its resource. */
export async function redeemCode(
  target: Target,
  conversation: Conversation,
  request: OauthRequest,
  code: Secret,
): Promise<Conversation> {
  const { returnState: state = '', authorisationId, parent } = conversation;
  const token = await redeem(target, request, { state, code }, purposeOf(conversation));
  const psuId = psuIdOf(target, conversation);
  await keepToken(target, {
    resource: parent.id,
    noun: nounOf[parent.kind],
    ...token,
    ...defined({ authorisationId, psuId }),
  });
  return redeemed(conversation);
}

const scopes = { payment: 'PIS:{paymentId}', consent: 'AIS:{consentId}', basket: 'PIS:{basketId}' } as const;

const services = { payment: 'pis', consent: 'ais', basket: 'pis' } as const;

/** The scope of the guidelines (13.1), or that of the profile where it is one for this kind of resource. */
function scopeOf({ profile }: Target, { parent }: Conversation): string {
  const noun = nounOf[parent.kind];
  const own = profile.oauth?.scope ?? profile.auth?.scope?.[services[noun]];
  const name = `{${noun}Id}`;
  // A basket is a payment to the scopes of banks.
  const named = noun === 'basket' ? own?.replaceAll('{paymentId}', name) : own;
  return (named?.includes(name) === true ? named : scopes[noun]).replaceAll(name, () => parent.id);
}

/** A code is good once, so the way on is another authorization request. */
function purposeOf(conversation: Conversation): OauthPurpose {
  const { kind, id } = conversation.parent;
  return {
    about: resourceOf(conversation),
    again: [line`obk ${nounOf[kind]} authorise ${id}   # asks the PSU again`],
  };
}

import type { Noun } from '../../standard/sca/operations.ts';
import type { OauthRequest } from '../../standard/sca/state.ts';
import type { Secret } from '../../base/secret.ts';
import type { SavedRedirect } from './resources.ts';

/** The entry of a profile in credentials.json. */
export interface Credentials {
  /** A token set by hand, sent with every call. */
  token?: Secret;
  consentId?: string;
  tokens?: readonly AccessToken[];
  /** PKCE verifiers of authorization requests whose code is awaited; `at` is ISO 8601, UTC. */
  verifiers?: readonly { state: string; verifier: Secret; at: string }[];
  /** Logins (OAuth pre-step) whose code is awaited, one per PSU. */
  logins?: readonly PendingLogin[];
}

/** An access token that a PSU has allowed: for one resource (integrated OAuth), or without one for all calls (pre-step). */
export interface AccessToken {
  resource?: string;
  noun?: Noun;
  authorisationId?: string;
  psuId?: string;
  scope?: string;
  /** The origin that issued it, if the profile does not declare that one. */
  origin?: string;
  token: Secret;
  /** The client_id that came with it, where that is the keyId of the calls with it. */
  clientId?: string;
  refreshToken?: Secret;
  /** When the PSU logged in or allowed it, and when its present refresh token was given. ISO 8601, UTC. */
  since?: string;
  refreshFrom?: string;
  /** When the refresh token was sent; while its answer is missing it is sent no more. ISO 8601, UTC. */
  refreshSentAt?: string;
  /** The run that sent it. */
  refreshRun?: string;
  /** ISO 8601, UTC. */
  expiresAt?: string;
  /** The server that refreshes and revokes it. */
  server?: Pick<OauthRequest, 'issuer' | 'tokenEndpoint' | 'revocationEndpoint' | 'clientId'>;
  /** Set while reading: the secret is in the keyring and the file holds a reference. */
  inKeyring?: true;
}

/** An authorization request of a login, and the address to which its code returns. */
export interface PendingLogin {
  state: string;
  psuId?: string;
  scope: string;
  request: OauthRequest;
  redirect: SavedRedirect;
}

import type { Explanation } from '../../../standard/xs2a/explain.ts';

/** A word, what it means, who must act, and how. */
export type ExplainedWord = readonly [term: string, meaning: string, who: Explanation['who'], advice: string];

/** RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section 3.1: what an OAuth2 server or a bank says in `error`. */
export const oauthErrors: readonly ExplainedWord[] = [
  [
    'invalid_request',
    'A parameter is missing, is there twice, or is malformed.',
    'TPP',
    'obk log show @failed -vvv has the request; what the server wants otherwise is said by auth.authorize and auth.token.',
  ],
  [
    'invalid_client',
    'The server does not know the client, or its certificate or secret is not the one it knows.',
    'TPP',
    'Check oauth.clientId and the TLS certificate (obk profile show), and that both are registered at the bank.',
  ],
  [
    'invalid_grant',
    'The code or the refresh token is used up, has ended, or was given to another client or address.',
    'PSU',
    'The PSU logs in again: obk auth login.',
  ],
  [
    'unauthorized_client',
    'The client may not use this kind of grant.',
    'ASPSP',
    'Ask the bank to register the client for it.',
  ],
  [
    'unsupported_grant_type',
    'The server does not offer this kind of grant.',
    'TPP',
    'Compare auth.mode and auth.refresh with what the bank documents.',
  ],
  [
    'unsupported_response_type',
    'The server gives no code this way.',
    'TPP',
    'Compare auth.responseType with what the bank documents.',
  ],
  [
    'invalid_scope',
    'The scope is unknown, malformed, or more than is allowed.',
    'TPP',
    'Compare --oauth-scope with what the bank documents; PIS:ID and AIS:ID name a payment or consent that is there.',
  ],
  [
    'access_denied',
    'The PSU or the server has said no.',
    'PSU',
    'Ask the PSU; the authorisation is begun anew.',
  ],
  ['server_error', 'The OAuth2 server has failed.', 'ASPSP', 'Try again later.'],
  [
    'temporarily_unavailable',
    'The OAuth2 server is overloaded or under maintenance.',
    'ASPSP',
    'Try again later.',
  ],
  [
    'invalid_token',
    'The access token is expired, revoked, malformed, or of another bank.',
    'PSU',
    'obk auth refresh gets a new one where there is a refresh token; else the PSU logs in again (obk auth login).',
  ],
  [
    'insufficient_scope',
    'The access token does not allow this call.',
    'PSU',
    'The PSU logs in again for the scope of this call (obk auth login, --oauth-scope).',
  ],
];

/** How calls ended, as `obk log` and reports say it. */
export const outcomes: readonly ExplainedWord[] = [
  ['DONE', 'The bank did what was asked.', 'nobody', 'Nothing is left to do with this call.'],
  [
    'REJECTED',
    'The bank refused, and did nothing.',
    'TPP',
    'obk log show RUN has its words, obk explain CODE what they mean.',
  ],
  [
    'UNKNOWN',
    'A change was sent, and whether the bank made it is unknown.',
    'TPP',
    'Do not send it again: obk pending list, obk pending show ID, obk pending resolve ID.',
  ],
  [
    'RESOLVED',
    'The outcome was unknown, and was settled later.',
    'nobody',
    'obk log show RUN says how and by whom.',
  ],
  [
    'NOT_SENT',
    'No byte of the request left this machine.',
    'TPP',
    'It is safe to run it again once the cause is mended.',
  ],
  [
    'FAILED',
    'A read got no answer that could be used; nothing was changed by it.',
    'TPP',
    'It is safe to run it again.',
  ],
  [
    'UNREADABLE',
    'The records of the run are damaged or missing.',
    'TPP',
    'obk doctor says what is wrong with the state.',
  ],
];

import { defined } from '../../base/defined.ts';
import type { Authorisation } from '../sca/authorisation-store.ts';
import { confirmationCode } from '../sca/authorisation-store.ts';
import type { Ledger } from '../books/ledger.ts';
import { answerUrl, withQuery } from './oauth-requests.ts';
import type { OauthRequest } from './oauth-requests.ts';

/** With what the page of the bank was opened. */
export interface Opened {
  /** The state that the TPP put on scaRedirect. */
  state?: string | undefined;
  request?: OauthRequest | undefined;
}

/** Where the PSU's browser is led when an authorisation is decided; undefined where the TPP gave no address. */
export function returnUrl(
  ledger: Ledger,
  authorisation: Authorisation,
  { state, request }: Opened,
): string | undefined {
  const { approach, scaStatus, redirectUri, nokRedirectUri } = authorisation;
  const good = scaStatus !== 'failed';
  if (request !== undefined) return answerUrl(ledger.main, request);
  if (approach === 'OAUTH') return undefined;
  const back = good ? redirectUri : (nokRedirectUri ?? redirectUri);
  if (back === undefined) return undefined;
  return withQuery(back, {
    ...defined({ state }),
    ...(scaStatus === 'unconfirmed' && { confirmationCode: confirmationCode(ledger, authorisation) }),
  });
}

import { createHmac } from 'node:crypto';
import type { Authorisation } from './authorisation-store.ts';
import type { Ledger } from '../books/ledger.ts';

/** The code that the redirect brings back if the TPP has to confirm, derived from the authorisation. */
export function confirmationCode(
  { pageKey }: Pick<Ledger, 'pageKey'>,
  { authorisationId }: Pick<Authorisation, 'authorisationId'>,
): string {
  return createHmac('sha256', pageKey).update(`confirm ${authorisationId}`).digest('base64url');
}

/** The dictionary of hyperlinks: canonical names, what each asks for, and the misspellings seen. */

import { always, both } from './origin.ts';
import type { Origin } from './origin.ts';

/** The canonical link names of the frameworks. */
export type LinkName =
  | 'scaRedirect'
  | 'scaOAuth'
  | 'startAuthorisation'
  | 'startAuthorisationWithPsuIdentification'
  | 'startAuthorisationWithPsuAuthentication'
  | 'startAuthorisationWithEncryptedPsuAuthentication'
  | 'startAuthorisationWithAuthenticationMethodSelection'
  | 'startAuthorisationWithTransactionAuthorisation'
  | 'startAuthorisationWithProprietaryData'
  | 'updatePsuIdentification'
  | 'updatePsuAuthentication'
  | 'updateEncryptedPsuAuthentication'
  | 'updateAdditionalPsuAuthentication'
  | 'updateAdditionalEncryptedPsuAuthentication'
  | 'updateProprietaryData'
  | 'selectAuthenticationMethod'
  | 'authoriseTransaction'
  | 'confirmation'
  | 'scaStatus'
  | 'self'
  | 'status'
  | 'account'
  | 'cardAccount'
  | 'balances'
  | 'transactions'
  | 'cardTransactions'
  | 'transactionDetails'
  | 'first'
  | 'next'
  | 'previous'
  | 'last'
  | 'download';

/** The body of a link's request; `identification` travels in the PSU-ID headers beside an empty object. */
export type LinkBody =
  | 'none'
  | 'identification'
  | 'psuData.password'
  | 'psuData.encryptedPassword'
  | 'psuData.additionalPassword'
  | 'psuData.additionalEncryptedPassword'
  | 'authenticationMethodId'
  | 'scaAuthenticationData'
  | 'confirmationCode'
  | 'proprietary';

/** The meaning of a link: it steers the authorisation, stands until that is final, or leads to data. */
export interface LinkFact {
  readonly name: LinkName;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly body: LinkBody;
  readonly kind: 'steering' | 'standing' | 'data';
  /** The party that follows it: obk itself, the browser of the PSU, or the OAuth flow. */
  readonly where: 'api' | 'browser' | 'oauth';
  /** True where the guidelines define the reduced header set (no PSU-ID). */
  readonly reducedHeaders: boolean;
}

const steering = (
  name: LinkName,
  method: 'POST' | 'PUT',
  body: LinkBody,
  reducedHeaders = false,
): LinkFact => ({ name, method, body, kind: 'steering', where: 'api', reducedHeaders });
const data = (name: LinkName, kind: 'standing' | 'data'): LinkFact => ({
  name,
  method: 'GET',
  body: 'none',
  kind,
  where: 'api',
  reducedHeaders: false,
});

/**
 * Every link. Steering ones come in the order in which a client should take them when a bank offers several: the one
 * nearest to the end first. Source: guidelines 4.15.
 */
export const linkFacts: readonly LinkFact[] = [
  {
    name: 'scaRedirect',
    method: 'GET',
    body: 'none',
    kind: 'steering',
    where: 'browser',
    reducedHeaders: false,
  },
  { name: 'scaOAuth', method: 'GET', body: 'none', kind: 'steering', where: 'oauth', reducedHeaders: false },
  steering('authoriseTransaction', 'PUT', 'scaAuthenticationData', true),
  steering('selectAuthenticationMethod', 'PUT', 'authenticationMethodId', true),
  steering('updateAdditionalPsuAuthentication', 'PUT', 'psuData.additionalPassword'),
  steering('updateAdditionalEncryptedPsuAuthentication', 'PUT', 'psuData.additionalEncryptedPassword'),
  steering('updatePsuAuthentication', 'PUT', 'psuData.password'),
  steering('updateEncryptedPsuAuthentication', 'PUT', 'psuData.encryptedPassword'),
  steering('updatePsuIdentification', 'PUT', 'identification'),
  steering('updateProprietaryData', 'PUT', 'proprietary'),
  steering('startAuthorisationWithTransactionAuthorisation', 'POST', 'scaAuthenticationData'),
  steering('startAuthorisationWithAuthenticationMethodSelection', 'POST', 'authenticationMethodId'),
  steering('startAuthorisationWithPsuAuthentication', 'POST', 'psuData.password'),
  steering('startAuthorisationWithEncryptedPsuAuthentication', 'POST', 'psuData.encryptedPassword'),
  steering('startAuthorisationWithPsuIdentification', 'POST', 'identification'),
  steering('startAuthorisation', 'POST', 'none'),
  steering('startAuthorisationWithProprietaryData', 'POST', 'proprietary'),
  {
    name: 'confirmation',
    method: 'PUT',
    body: 'confirmationCode',
    kind: 'standing',
    where: 'api',
    reducedHeaders: false,
  },
  data('scaStatus', 'standing'),
  data('self', 'standing'),
  data('status', 'standing'),
  data('account', 'data'),
  data('cardAccount', 'data'),
  data('balances', 'data'),
  data('transactions', 'data'),
  data('cardTransactions', 'data'),
  data('transactionDetails', 'data'),
  data('first', 'data'),
  data('next', 'data'),
  data('previous', 'data'),
  data('last', 'data'),
  data('download', 'data'),
];

/** The links that came later; all others are of file and guidelines from the first. */
const lateLinks: Readonly<Partial<Record<LinkName, Origin>>> = {
  updateAdditionalPsuAuthentication: both('1.3.3'),
  updateAdditionalEncryptedPsuAuthentication: both('1.3.3'),
  confirmation: both('1.3.6'),
};

/** Returns who says a link, and since when. Source: files 1.3.3 and 1.3.6, guidelines 4.15 with errata. */
export function linkOrigin(name: LinkName): Origin {
  return lateLinks[name] ?? always;
}

/** The steering links in the order of `linkFacts`. */
export const steeringOrder: readonly LinkName[] = linkFacts
  .filter((fact) => fact.kind === 'steering')
  .map((fact) => fact.name);

/** Wrong spellings found in official files, guidelines and servers, each with the right name. */
export const misspellings: Readonly<Record<string, LinkName>> = {
  startAuthorisationWithPsuIdentfication: 'startAuthorisationWithPsuIdentification',
  startAuthorisationWithAuthentciationMethodSelection: 'startAuthorisationWithAuthenticationMethodSelection',
  startAuthorsiationWithAuthenticationMethodSelection: 'startAuthorisationWithAuthenticationMethodSelection',
  startAuthorisationWithAuthenticationMethodsSelection: 'startAuthorisationWithAuthenticationMethodSelection',
  selectAuthenticationMethods: 'selectAuthenticationMethod',
  startAuthenticationWithPsuAuthentication: 'startAuthorisationWithPsuAuthentication',
  startAuthorisactionWithPsuIdentification: 'startAuthorisationWithPsuIdentification',
  startAuthorisactionWithPsuAuthentication: 'startAuthorisationWithPsuAuthentication',
  startAuthorisactionWithEncryptedPsuAuthentication: 'startAuthorisationWithEncryptedPsuAuthentication',
  startAuthorisactionWithAuthenticationMethodSelection: 'startAuthorisationWithAuthenticationMethodSelection',
  startAuthorisactionWithTransactionAuthorisation: 'startAuthorisationWithTransactionAuthorisation',
  udpatePsuAuthentication: 'updatePsuAuthentication',
  udpateEncryptedPsuAuthentication: 'updateEncryptedPsuAuthentication',
  transactionAuthorisation: 'authoriseTransaction',
  redirect: 'scaRedirect',
  'card-account': 'cardAccount',
  // The name of the file from 1.3.8 on.
  card: 'cardAccount',
};

const factByName = new Map<LinkName, LinkFact>(linkFacts.map((fact) => [fact.name, fact]));

/** Returns what a link means; every canonical name has a fact, so nothing is thrown but for a bug. */
export function linkFact(name: LinkName): LinkFact {
  const fact = factByName.get(name);
  if (fact === undefined) throw new Error(`no link ${name}`);
  return fact;
}

/** Canonical names by every spelling in lower case (link names are compared without regard to case). */
export const canonicalNames: ReadonlyMap<string, LinkName> = new Map([
  ...Object.entries(misspellings).map(([wrong, right]) => [wrong.toLowerCase(), right] as const),
  ...linkFacts.map((fact) => [fact.name.toLowerCase(), fact.name] as const),
]);

import { isReturnAddress } from '../../standard/xs2a/headers.ts';
import type { LinkName } from '../../standard/xs2a/links.ts';
import { isBankOffered } from '../stores/access.ts';
import { authorisationsOf, insertAuthorisation, saveSca } from '../sca/authorisation-store.ts';
import type { Authorisation } from '../sca/authorisation-store.ts';
import type { Call, RunningBank } from '../trust/call.ts';
import { advance, startSca, chooseApproach, isFinal, isInBrowser, startLink } from '../sca/conversation.ts';
import { actingOn } from '../sca/authorised-things.ts';
import type { Parent } from '../sca/authorised-things.ts';
import { preferenceOf } from './permits.ts';
import { psuOf } from '../rules/psu.ts';
import type { Approach, LedgerPerson } from '../books/people.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import { approachHeader, authorisationsPath, scaData, scaHrefs, startData } from '../sca/sca-reply.ts';

/** The part of an answer that announces a new authorisation. */
export interface AuthorisationStart {
  hrefs: Partial<Record<LinkName, string>>;
  headers: Record<string, string>;
  data: ReturnType<typeof scaData>;
}

/** An authorisation that is to start: of what, in which approach, and by which PSU if that is known. */
export interface Starting {
  call: Call;
  parent: Parent;
  person: LedgerPerson | undefined;
  approach: Approach;
}

/** An authorisation that is to start, in the approach that the PSU and the wishes of the TPP lead to. */
export function startingOf(call: Call, parent: Parent, person: LedgerPerson | undefined): Starting {
  return { call, parent, person, approach: approachFor(call, parent, person) };
}

/** Decides on the start of an authorisation: by the bank (implicit) or by the TPP (explicit). */
export function startOrOffer(bank: RunningBank, call: Call, parent: Parent): AuthorisationStart {
  const known = parent.psuId === undefined ? undefined : psuOf(bank.ledger.main, parent.psuId);
  const person = known && actingOn(parent, known);
  // Where nobody may start one, each PSU authorises on the page of the bank.
  if (parent.needed > 1 && !misleads(bank)) {
    const isPlain = isLoggedIn(call) || takesPasswordAtStart(bank);
    const start = isPlain ? 'startAuthorisation' : 'startAuthorisationWithPsuIdentification';
    return { hrefs: hrefTo(start, call, parent), headers: {}, data: {} };
  }
  const starting = startingOf(call, parent, person);
  return startsByCall(bank, starting) ? offer(bank, starting) : started(bank, starting);
}

/** A bank that starts all by itself, and names a start that nobody may call. */
const misleads = ({ dialect }: RunningBank): boolean => dialect?.settings.sca?.startMode === 'skip';

const hrefTo = (name: LinkName, call: Call, parent: Parent): AuthorisationStart['hrefs'] => ({
  [name]: authorisationsPath(call.variant, parent),
});

function offer(bank: RunningBank, { call, parent, person, approach }: Starting): AuthorisationStart {
  const byToken = isLoggedIn(call) || isOfSession(parent, person);
  const start =
    takesPasswordAtStart(bank) && approach === 'EMBEDDED'
      ? 'startAuthorisation'
      : startLink(approach, person, parent.kind, { byToken, framework: call.variant.framework });
  return {
    hrefs: hrefTo(start, call, parent),
    headers: approachHeader({ approach, psuId: person?.psuId }),
    data: person === undefined ? {} : startData(call, start, parent, person),
  };
}

function started(bank: RunningBank, starting: Starting): AuthorisationStart {
  const { call, parent, person } = starting;
  const earlier = authorisationsOf(bank.ledger.main, parent.kind, parent.id).find(
    ({ scaStatus }) => !isFinal(scaStatus),
  );
  const authorisation = earlier ?? startAuthorisation(bank, starting);
  return {
    hrefs: {
      ...(misleads(bank) && hrefTo('startAuthorisation', call, parent)),
      ...scaHrefs(call, parent, authorisation, person),
    },
    headers: approachHeader(authorisation),
    data: scaData(call, authorisation, person),
  };
}

/** Whether the TPP starts the authorisation, by the rule of the bank or the wish of the TPP. */
function startsByCall(bank: RunningBank, { parent, approach, person }: Starting): boolean {
  const mode = bank.dialect?.settings.sca?.startMode;
  if (mode === undefined || parent.kind === 'basket')
    return parent.explicitPreferred === true || person?.start === 'explicit';
  // Who authenticates in a browser gives no password before.
  if (takesPasswordAtStart(bank)) return approach === 'EMBEDDED';
  return mode === 'explicit';
}

/** A bank may want the password with the start, whatever the name of its link. */
export function takesPasswordAtStart({ dialect }: RunningBank): boolean {
  const mode = dialect?.settings.sca?.startMode;
  return mode === 'withPsuAuthentication' || mode === 'encrypted';
}

/** The accounts are chosen on a page of the bank, which the Embedded approach does not have. */
export const notOffered = () =>
  new Refusal(
    400,
    'SERVICE_INVALID',
    'The accounts can only be chosen at the bank, not in the Embedded approach.',
    {
      path: 'access',
    },
  );

/** Adds an authorisation for this PSU, or for the PSU who logs in. */
export function startAuthorisation(
  { ledger }: RunningBank,
  { call, parent, approach, person }: Starting,
): Authorisation {
  if (approach === 'EMBEDDED' && parent.kind === 'consent' && isBankOffered(parent.consent.access))
    throw notOffered();
  const confirm = (person ?? parent.owner)?.confirmation === true;
  const sca = startSca(approach, person?.psuId, { framework: call.variant.framework, confirm });
  const begun = insertAuthorisation(ledger.main, { ...parent, ...returnOf(call, parent) }, sca, call.now);
  if (person === undefined || !isAuthenticated(call, parent, person)) return begun;
  return saveSca(ledger.main, begun, advance(begun, { kind: 'token' }, person).sca, call.now);
}

/** Where the browser of the PSU is led: the addresses of the transaction, else those of the call that starts the authorisation. */
function returnOf({ headers }: Call, { redirectUri, nokRedirectUri }: Parent) {
  return {
    redirectUri: redirectUri ?? headers.get('tpp-redirect-uri') ?? undefined,
    nokRedirectUri: nokRedirectUri ?? headers.get('tpp-nok-redirect-uri') ?? undefined,
  };
}

/** True if the call carries the token of a login ahead, which is the first factor. */
const isLoggedIn = ({ token }: Call): boolean => token?.psuId !== undefined;

/** True if a consent of the same session has authenticated this PSU. */
function isOfSession(parent: Parent, person: LedgerPerson | undefined): boolean {
  const session = parent.kind === 'payment' ? parent.payments[0].sessionPsuId : undefined;
  return person !== undefined && person.psuId === session;
}

/**
 * True if the first factor of this PSU is already satisfied: there is the token of a login ahead, or a consent of the
 * same session, or the bank requires none.
 */
export function isAuthenticated(call: Call, parent: Parent, person: LedgerPerson | undefined): boolean {
  return isLoggedIn(call) || isOfSession(parent, person) || person?.passwordless === true;
}

/**
 * Without a PSU the bank redirects, unless the TPP refuses that, or the policy is against it and the TPP does not ask for
 * it: then the PSU has to be identified first.
 */
export function approachFor(call: Call, parent: Parent, person: LedgerPerson | undefined): Approach {
  const preferred = preferenceOf(call, 'redirect') ?? parent.redirectPreferred;
  const decoupledPreferred = preferenceOf(call, 'decoupled') ?? parent.decoupledPreferred;
  if (person !== undefined) {
    const chosen = chooseApproach(person, { redirectPreferred: preferred, decoupledPreferred });
    // A PSU who is already authenticated needs no further token.
    return chosen === 'OAUTH' && isAuthenticated(call, parent, person) ? 'REDIRECT' : chosen;
  }
  const usual = parent.usualApproach ?? 'REDIRECT';
  // Whoever it is logs in on a page of the bank, so that the wish for one can be granted.
  if (preferred === true && decoupledPreferred !== true && !isInBrowser(usual)) return 'REDIRECT';
  return preferred === false || !isInBrowser(usual) ? 'EMBEDDED' : usual;
}

/** TPP-Redirect-URI must stay the same for all authorisations of a transaction (guidelines 5.2). */
export function checkRedirect(call: Call, parent: Pick<Parent, 'redirectUri'>): void {
  checkRedirectScheme(call);
  const sent = call.headers.get('tpp-redirect-uri');
  if (sent !== null && parent.redirectUri !== undefined && sent !== parent.redirectUri) {
    throw formatError('TPP-Redirect-URI is not that of the transaction.', 'TPP-Redirect-URI');
  }
}

/** A browser is redirected to it: it must be the address of a web page or an app, never a script. */
export function checkRedirectScheme(call: Call): void {
  for (const name of ['TPP-Redirect-URI', 'TPP-Nok-Redirect-URI']) {
    const uri = call.headers.get(name);
    if (uri !== null && !isReturnAddress(uri)) throw formatError(`${name} is not a web address.`, name);
  }
}

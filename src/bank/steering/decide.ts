import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import { parseUrl } from '../../base/url.ts';
import { authorisationOfPage, openAuthorisations, saveSca } from '../sca/authorisation-store.ts';
import type { Authorisation } from '../sca/authorisation-store.ts';
import type { BankClock } from '../books/clock.ts';
import { findConsent, revokeConsent } from '../stores/consent-store.ts';
import { advance, isInBrowser } from '../sca/conversation.ts';
import type { Database } from '../books/database.ts';
import type { Ledger } from '../books/ledger.ts';
import {
  answerUrl,
  endLogin,
  findRequest,
  issueCode,
  takeAuthorizationRequest,
} from '../oauth/oauth-requests.ts';
import type { EndOfLogin, OauthRequest } from '../oauth/oauth-requests.ts';
import { actingOn, concerns, findParent } from '../sca/authorised-things.ts';
import { isShutOut, psuOf } from '../rules/psu.ts';
import type { LedgerPerson } from '../books/people.ts';
import { returnUrl } from '../oauth/return-url.ts';
import type { Opened } from '../oauth/return-url.ts';
import { doDueWork } from '../sca/timers.ts';

/**
 * The PSU's decision, as saved (a login has no authorisation); `redirectedTo` is the address the browser would be led
 * to.
 */
export interface Decision {
  authorisationId?: string;
  scaStatus?: string;
  redirectedTo?: string;
}

const refuse = (title: string, detail?: string) =>
  new ObkError({ code: 'USAGE', title, ...defined({ detail }) });

/** The refusal of a link that a browser would not find a page at. */
export const noPage = () =>
  refuse(
    'The link does not lead to a page of the bank inside.',
    'A page is behind scaRedirect, and behind an authorization request of OAuth; scaOAuth names the metadata of the OAuth server.',
  );

/** The refusal of an id without an authorisation that could be decided. */
export const noOpenAuthorisation = (id: string) =>
  refuse(
    `The bank has no open authorisation of ${id}.`,
    'It is unknown, decided already, run out, or not started yet: the TPP does so by a link startAuthorisation… (`obk payment authorise`).',
  );

/** The refusal of an id that is not that of a consent. */
export const noConsent = (id: string) => refuse(`The bank has no consent ${id}.`);

/**
 * The PSU's own hand without a page: ends the open authorisation of a payment, of this id, or of a link to the bank's
 * page (scaRedirect, or an authorization request), opened as a browser would. Throws USAGE.
 */
export function decide(
  { ledger, clock }: Books,
  decision: 'approve' | 'refuse',
  target: string,
  psuId: string | undefined,
): Decision {
  const { main } = ledger;
  const now = clock.now();
  doDueWork(main, now);
  return main.atomically(() => {
    const link = readLink(main, target, now);
    if (link !== undefined && link.authorisationId === undefined)
      return decideLogin(main, link.request, { decision, psuId, now });
    const id = link?.authorisationId ?? target;
    const authorisation = choose(openAuthorisations(main, id), id, psuId);
    const person = personFor({ ledger }, authorisation, psuId);
    const identified = advance(authorisation, { kind: 'identify', psuId: person.psuId }, person);
    const decided = advance(identified.sca, { kind: decision }, person);
    const saved = saveSca(main, authorisation, decided.sca, now);
    if (link?.request !== undefined) issueCode(main, link.request, now);
    const redirectedTo = isInBrowser(saved.approach) ? returnUrl(ledger, saved, link ?? {}) : undefined;
    return {
      authorisationId: saved.authorisationId,
      scaStatus: saved.scaStatus,
      ...defined({ redirectedTo }),
    };
  });
}

type Link = (Opened & { authorisationId: string }) | { authorisationId?: undefined; request: OauthRequest };

/** The PSU logs in, or will not. */
function decideLogin(database: Database, request: OauthRequest, end: EndOfLogin): Decision {
  const { psuId } = end;
  if (psuId === undefined) throw refuse('A login names nobody.', 'Say who logs in: --as PSU-ID.');
  const person = psuOf(database, psuId);
  if (person === undefined) throw refuse(`The bank knows no PSU ${psuId}.`);
  needAccess(person);
  endLogin(database, request, end);
  return { redirectedTo: answerUrl(database, request) };
}

/** Throws USAGE for a PSU whom no page of the bank lets in. */
function needAccess(person: LedgerPerson): void {
  if (!isShutOut(person)) return;
  const { psuId, blocked } = person;
  const key = blocked === true ? 'blocked' : 'locked';
  throw refuse(
    `The bank has ${key} the access of ${psuId}, who decides nothing now.`,
    `Another PSU decides, or PATCH /sandbox/api/people/${encodeURIComponent(psuId)} with {"${key}":false} gives the access back.`,
  );
}

/**
 * The request that a link to a page of the bank opens; undefined if the target is an id. Throws USAGE for another link.
 */
function readLink(database: Database, target: string, now: Date): Link | undefined {
  const url = /^https?:\/\//.test(target) ? parseUrl(target) : undefined;
  if (url === undefined) return undefined;
  const { pathname, searchParams } = url;
  if (pathname.endsWith('/oauth/authorize')) {
    const taken = takeAuthorizationRequest(database, url, now);
    if ('request' in taken) {
      const { request, authorisation } = taken;
      return authorisation === undefined
        ? { request }
        : { request, authorisationId: authorisation.authorisationId };
    }
    throw refuse('The authorization request is not good.', 'page' in taken ? taken.page : taken.to);
  }
  const token = /\/sca\/([^/]+)$/.exec(pathname)?.[1] ?? '';
  const authorisationId = authorisationOfPage(database, token)?.authorisationId;
  if (authorisationId === undefined) throw noPage();
  const request = findRequest(database, searchParams.get('oauth') ?? '', authorisationId);
  return { authorisationId, request, state: searchParams.get('state') ?? undefined };
}

/** The newest open authorisation of this PSU, or without a PSU yet. */
function choose(open: readonly Authorisation[], id: string, psuId: string | undefined): Authorisation {
  const fitting = open.filter((one) => psuId === undefined || one.psuId === undefined || one.psuId === psuId);
  const chosen = fitting.at(-1);
  if (chosen !== undefined) return chosen;
  if (open.length > 0) throw refuse(`The open authorisation of ${id} is not that of ${psuId ?? ''}.`);
  throw noOpenAuthorisation(id);
}

function personFor(
  { ledger }: Pick<Books, 'ledger'>,
  authorisation: Authorisation,
  psuId: string | undefined,
): LedgerPerson {
  const parent = findParent(ledger.main, authorisation.parentKind, authorisation.parentId);
  const wanted = psuId ?? authorisation.psuId ?? parent?.owner?.psuId;
  const person = wanted === undefined ? undefined : psuOf(ledger.main, wanted);
  if (wanted === undefined) throw refuse('Nobody is named in it yet.', 'Say who decides: --as PSU-ID.');
  if (parent === undefined || person === undefined) throw refuse(`The bank knows no PSU ${wanted}.`);
  if (!concerns(parent, person.psuId)) throw refuse(`The account is not one of ${person.psuId}.`);
  needAccess(person);
  return actingOn(parent, person);
}

/** The PSU's own hand without a page: ends a valid consent. Throws USAGE. */
export function revoke(
  { ledger: { main }, clock }: Books,
  consentId: string,
  psuId: string | undefined,
): { consentId: string; consentStatus: string } {
  doDueWork(main, clock.now());
  const consent = findConsent(main, consentId);
  if (consent === undefined) throw noConsent(consentId);
  const hand = psuId ?? consent.psuId ?? '';
  const person = psuOf(main, hand);
  if (person !== undefined) needAccess(person);
  if (!revokeConsent(main, hand, consentId, clock.now()))
    throw refuse(
      consent.status === 'valid'
        ? `The consent is not one of ${hand}.`
        : `The consent is ${consent.status}; only a valid one can be revoked.`,
    );
  return { consentId, consentStatus: 'revokedByPsu' };
}

/** The books of the bank and the time of the world. */
export interface Books {
  ledger: Ledger;
  clock: BankClock;
}

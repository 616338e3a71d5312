import { parseUrl } from '../../base/url.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { isFinalConsent, isFinalTransaction, scaStatus } from '../../standard/xs2a/codes.ts';
import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { canonicalLink, checkBrowserUrl, linkFact } from '../../standard/xs2a/links.ts';
import type { LinkName } from '../../standard/xs2a/links.ts';
import type { AnswerKind } from '../../standard/xs2a/operations.ts';
import { quoted } from './finding.ts';
import type { AnswerFindings, AnswerPlace } from './finding.ts';

/** Spellings that a file has beside that of the list of links. */
const ofFiles = new Set(['card-account', 'card']);

/** Judges the form and the names of links, and whether those are there that their object cannot be without. */
export function judgeLinkForms(at: AnswerPlace, links: JsonObject, due: readonly string[] = []): void {
  for (const name of due)
    if (!Object.hasOwn(links, name)) at.in(name).add('answer-link-missing', `The link ${name} is missing.`);
  for (const [name, link] of Object.entries(links)) {
    const place = at.in(name);
    const canonical = canonicalLink(name);
    if (canonical !== undefined && canonical !== name && !ofFiles.has(name))
      place.add('answer-link-name', `${quoted(name)} is no link; it is spelt ${canonical}.`);
    const why = wrongForm(link, canonical);
    if (why !== undefined) place.add('answer-link-form', `The link ${name} ${why}.`);
  }
}

function wrongForm(link: JsonValue, name: LinkName | undefined): string | undefined {
  if (!isJsonObject(link)) return 'is no object with href';
  const href = stringMember(link, 'href');
  if (href === undefined || href === '') return 'has no href';
  if (/[\s\\]/.test(href)) return `has an href with blanks or backslashes: ${quoted(href)}`;
  const isPage = name === 'scaRedirect';
  const [, scheme = 'https'] = /^([a-z][a-z0-9+.-]*):/i.exec(href) ?? [];
  if (!isPage && !/^https?$/i.test(scheme)) return `is no address of the interface: ${quoted(href)}`;
  const checked = isPage ? checkBrowserUrl(href) : undefined;
  return checked?.ok === false ? `cannot be opened by a browser: ${checked.why}` : undefined;
}

/** The links of an answer by their names in the list of links. */
function linksOf(json: JsonValue | undefined): ReadonlyMap<LinkName, string> {
  const links = member(json, '_links');
  const known = new Map<LinkName, string>();
  if (!isJsonObject(links)) return known;
  for (const [name, link] of Object.entries(links)) {
    const canonical = canonicalLink(name);
    const href = stringMember(link, 'href');
    if (canonical !== undefined && href !== undefined) known.set(canonical, href);
  }
  return known;
}

const isSteering = (name: LinkName): boolean => linkFact(name).kind === 'steering' || name === 'confirmation';
const begins = (name: LinkName): boolean => name.startsWith('startAuthorisation');

/** The answers of an authorisation, from the creation of what is authorised on. */
export const ofAuthorisation: ReadonlySet<AnswerKind> = new Set<AnswerKind>([
  'payment-initiation',
  'consent-creation',
  'basket-creation',
  'cancel',
  'authorisation-start',
  'authorisation-update',
]);

/** Judges whether the links of an answer lead on, and whether they are those of its approach and its status. */
export function judgeWay(
  found: AnswerFindings,
  kind: AnswerKind,
  json: JsonObject,
  approach: string | undefined,
): void {
  if (!ofAuthorisation.has(kind)) return;
  const names = [...linksOf(json).keys()];
  const end = endOf(kind, json);
  if (end === undefined) {
    if (approach !== undefined) judgeApproach(found, names, approach);
    else if (isApproachDue(kind, json, names))
      found
        .at('header', 'ASPSP-SCA-Approach')
        .add('answer-approach', 'The links are those of an approach, and it is missing.');
    judgeNext(found, kind, json, approach);
    return;
  }
  for (const name of names.filter(isSteering))
    if (!begins(name) || end.ofCreation)
      found.at('body', `/_links/${name}`).add('answer-link-end', `${end.says}, and ${name} leads on.`);
}

/** The end of an authorisation, or of what was created, after which nothing begins either; undefined where it goes on. */
function endOf(kind: AnswerKind, json: JsonObject): { says: string; ofCreation: boolean } | undefined {
  const over = endedWith(kind, json);
  if (over !== undefined) return { says: `The status is ${over}`, ofCreation: true };
  const fact = scaStatus(stringMember(json, 'scaStatus') ?? '');
  return fact?.final === true ? { says: `scaStatus is ${fact.code}`, ofCreation: false } : undefined;
}

/** The approach is fixed as soon as a step is offered, or an authorisation has been started. */
function isApproachDue(kind: AnswerKind, json: JsonObject, names: readonly LinkName[]): boolean {
  if (kind === 'authorisation-update' || kind === 'cancel') return false;
  const leads = names.some((name) => isSteering(name) && !begins(name));
  return leads || (names.includes('scaStatus') && isOpen(kind, json));
}

/** What is still to be authorised has a link that leads on. */
function judgeNext(
  found: AnswerFindings,
  kind: AnswerKind,
  json: JsonObject,
  approach: string | undefined,
): void {
  const links = linksOf(json);
  // Where the PSU acts elsewhere, the status alone is left to be asked for; so it may be where the approach is not told.
  const isElsewhere = approach === 'DECOUPLED' || !isApproach(approach);
  if ([...links.keys()].some(isSteering) || (isElsewhere && links.has('scaStatus'))) return;
  // A wrong form was told already.
  if (found.list.some(({ pointer }) => pointer.startsWith('/_links'))) return;
  if (isOpen(kind, json)) found.at('body', '/_links').add('answer-link-missing', 'No link leads on.');
}

const isApproach = (approach = ''): boolean => checkHeaderValue('ASPSP-SCA-Approach', approach).ok;

/** The final status of what was created; undefined where it goes on. */
function endedWith(kind: AnswerKind, json: JsonObject): string | undefined {
  if (kind === 'consent-creation') {
    const status = stringMember(json, 'consentStatus');
    return status !== undefined && isFinalConsent(status) ? status : undefined;
  }
  if (kind !== 'payment-initiation' && kind !== 'basket-creation') return undefined;
  const status = stringMember(json, 'transactionStatus');
  return status !== undefined && isFinalTransaction(status) ? status : undefined;
}

/** Whether something is still to be authorised. */
function isOpen(kind: AnswerKind, json: JsonObject): boolean {
  if (kind === 'authorisation-start' || kind === 'authorisation-update')
    return scaStatus(stringMember(json, 'scaStatus') ?? '') !== undefined;
  if (kind === 'cancel') return !isFinalTransaction(stringMember(json, 'transactionStatus') ?? '');
  const own = stringMember(json, kind === 'consent-creation' ? 'consentStatus' : 'transactionStatus');
  return own === 'RCVD' || own === 'received';
}

function judgeApproach(found: AnswerFindings, names: readonly LinkName[], approach: string): void {
  const away = names.filter((name) => name === 'scaRedirect' || name === 'scaOAuth');
  const typed = names.filter((name) => name === 'authoriseTransaction');
  const wrong =
    approach === 'EMBEDDED'
      ? away
      : approach === 'DECOUPLED'
        ? [...away, ...typed]
        : approach === 'REDIRECT'
          ? typed
          : [];
  for (const name of wrong)
    found
      .at('body', `/_links/${name}`)
      .add('answer-link-approach', `The approach is ${approach}, and ${name} is a link of another one.`);
}

/** A page of a list may be at an address of the bank's own, but not at another place of the interface. */
const page =
  /\/transactions(?:[/?]|$)|^(?!.*\/(?:(?:card-)?accounts|consents|(?:bulk-|periodic-)?payments|signing-baskets|funds-confirmations)(?:[/?]|$))/;
const authorisation = '/(?:cancellation-)?authorisations';
const byName: Readonly<Partial<Record<LinkName, RegExp>>> = {
  scaStatus: new RegExp(`${authorisation}/[^/?]+(?:\\?.*)?$`),
  status: /\/status(?:\?.*)?$/,
  startAuthorisation: new RegExp(`${authorisation}(?:\\?.*)?$`),
  account: /\/accounts(?:\/[^/?]+)?(?:\?.*)?$/,
  cardAccount: /\/card-accounts(?:\/[^/?]+)?(?:\?.*)?$/,
  balances: /\/(?:card-)?accounts\/[^/?]+\/balances(?:\?.*)?$/,
  transactions: /\/(?:card-)?accounts\/[^/?]+\/transactions(?:\?.*)?$/,
  cardTransactions: /\/card-accounts\/[^/?]+\/transactions(?:\?.*)?$/,
  ...{ first: page, next: page, previous: page, last: page },
  transactionDetails: /\/accounts\/[^/?]+\/transactions\/[^/?]+(?:\?.*)?$/,
};

/** Where a link of the interface must lead, as the end of its path. */
function placeOf(name: LinkName): RegExp | undefined {
  const own = byName[name];
  if (own !== undefined) return own;
  const { kind, where, method } = linkFact(name);
  if ((kind !== 'steering' && name !== 'confirmation') || where !== 'api') return undefined;
  return method === 'POST' ? byName.startAuthorisation : byName.scaStatus;
}

function isForeign(href: string, origins: ReadonlySet<string> | undefined): boolean {
  const origin = parseUrl(href.startsWith('//') ? `https:${href}` : href)?.origin;
  return origins !== undefined && origin !== undefined && !origins.has(origin);
}

/** What the links of an object must lead to. */
export interface LinkTargets {
  /** The id of the resource of the answer, where it has one. */
  readonly id?: string | undefined;
  /** The id of the account that the object belongs to, where there is one. */
  readonly owner?: string | undefined;
  /** Whether the authorisations are those of a cancellation; undefined where the answer is about none. */
  readonly ofCancellation?: boolean;
  /** The servers of the bank; undefined where they are not known. */
  readonly origins: ReadonlySet<string> | undefined;
}

/** Judges whether the links of an object lead to the places of their names, and to what they must lead to. */
export function judgeTargets(at: AnswerPlace, json: JsonObject, targets: LinkTargets): void {
  for (const [name, href] of linksOf(json)) {
    const link = at.in('_links').in(name);
    // One that is spelt otherwise, or has a wrong form, was told already.
    if (member(member(json, '_links'), name) === undefined || link.isFaulty) continue;
    if (linkFact(name).where !== 'api') continue;
    if (name !== 'download' && isForeign(href, targets.origins)) {
      // A bank may have several servers, of which nobody here has heard.
      link.add('answer-link-target', `${name} leads to another server: ${quoted(href)}.`, 'should');
      continue;
    }
    const where = wrongTarget(name, href, targets);
    if (where !== undefined) link.add('answer-link-target', `${name} ${where} ${quoted(href)}.`);
  }
}

/** Where a link leads, in words that its address follows; undefined where it leads to its place. */
function wrongTarget(name: LinkName, href: string, targets: LinkTargets): string | undefined {
  if (placeOf(name)?.test(href) === false) return 'leads to';
  const { id, owner, ofCancellation } = targets;
  return (
    otherAuthorisation(href, ofCancellation) ??
    (linkFact(name).kind === 'data' ? otherAccount(href, owner) : otherResource(href, id))
  );
}

function otherAuthorisation(href: string, ofCancellation: boolean | undefined): string | undefined {
  const match = /\/(cancellation-)?authorisations(?:[/?]|$)/.exec(href);
  if (ofCancellation === undefined || match === null || (match[1] !== undefined) === ofCancellation)
    return undefined;
  return `leads to an authorisation of ${ofCancellation ? 'the payment, not of its cancellation' : 'a cancellation'}:`;
}

function otherAccount(href: string, owner: string | undefined): string | undefined {
  const account = /\/(?:card-)?accounts\/([^/?]+)/.exec(href)?.[1];
  if (account === undefined || owner === undefined || isIdIn(account, owner)) return undefined;
  return `leads to another account than ${quoted(owner)}:`;
}

function otherResource(href: string, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const parts = href.split(/[/?]/);
  const ownAt = parts.findIndex((part) => isIdIn(part, id));
  if (ownAt < 0) return `leads away from ${quoted(id)}:`;
  // The samples of the files have such links, and no operation has such a path.
  const isBare = /^(?:bulk-|periodic-)?payments$/.test(parts[ownAt - 1] ?? '');
  return isBare ? 'leaves out the product:' : undefined;
}

const isIdIn = (segment: string, id: string): boolean => segment === id || segment === encodeURIComponent(id);

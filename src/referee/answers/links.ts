import { parseUrl } from '../../base/url.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { isFinalConsent, isFinalTransaction, scaStatus } from '../../standard/xs2a/codes.ts';
import { checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { canonicalLink, checkBrowserUrl, linkFact } from '../../standard/xs2a/links.ts';
import type { LinkName } from '../../standard/xs2a/links.ts';
import type { AnswerKind } from '../../standard/xs2a/operations.ts';
import type { AnswerFindings } from './finding.ts';
import { quoted } from './finding.ts';

/** Spellings that a file has beside that of the list of links. */
const ofFiles = new Set(['card-account', 'card']);

/** Judges the form and the names of links, and whether those are there that their object cannot be without. */
export function judgeLinkForms(
  found: AnswerFindings,
  pointer: string,
  links: JsonObject,
  due: readonly string[] = [],
): void {
  for (const name of due)
    if (!Object.hasOwn(links, name))
      found.add('answer-link-missing', 'body', `${pointer}/${name}`, `The link ${name} is missing.`);
  for (const [name, link] of Object.entries(links)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const canonical = canonicalLink(name);
    if (canonical !== undefined && canonical !== name && !ofFiles.has(name))
      found.add('answer-link-name', 'body', at, `${quoted(name)} is no link; it is spelt ${canonical}.`);
    const why = wrongForm(link, canonical);
    if (why !== undefined) found.add('answer-link-form', 'body', at, `The link ${name} ${why}.`);
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
  const links = linksOf(json);
  const steering = [...links.keys()].filter(isSteering);
  const status = stringMember(json, 'scaStatus');
  const fact = status === undefined ? undefined : scaStatus(status);
  const over = endedWith(kind, json);
  if (over !== undefined) {
    for (const name of steering)
      found.add('answer-link-end', 'body', `/_links/${name}`, `The status is ${over}, and ${name} leads on.`);
    return;
  }
  if (fact?.final === true) {
    const open = steering.filter((name) => !begins(name));
    for (const name of open)
      found.add(
        'answer-link-end',
        'body',
        `/_links/${name}`,
        `scaStatus is ${fact.code}, and ${name} leads on.`,
      );
    return;
  }
  const leads = steering.some((name) => !begins(name));
  const isStarted = links.has('scaStatus') && isOpen(kind, json, status);
  if (approach !== undefined) judgeApproach(found, [...links.keys()], approach);
  else if ((leads || isStarted) && kind !== 'authorisation-update' && kind !== 'cancel')
    found.add(
      'answer-approach',
      'header',
      'ASPSP-SCA-Approach',
      'The links are those of an approach, and it is missing.',
    );
  // Where the PSU acts elsewhere, the status alone is left to be asked for; so it may be where the approach is not told.
  const isElsewhere = approach === 'DECOUPLED' || !isApproach(approach);
  if (steering.length > 0 || (isElsewhere && links.has('scaStatus'))) return;
  // A wrong form was told already.
  if (found.list.some(({ pointer }) => pointer.startsWith('/_links'))) return;
  if (isOpen(kind, json, status)) found.add('answer-link-missing', 'body', '/_links', 'No link leads on.');
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
function isOpen(kind: AnswerKind, json: JsonObject, status: string | undefined): boolean {
  if (kind === 'authorisation-start' || kind === 'authorisation-update')
    return status !== undefined && scaStatus(status) !== undefined;
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
    found.add(
      'answer-link-approach',
      'body',
      `/_links/${name}`,
      `The approach is ${approach}, and ${name} is a link of another one.`,
    );
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

/**
 * Judges whether the links lead to the places of their names: below the resource of the answer where it has an id, to the account
 * that is their owner where there is one, to the servers of the bank where they are known, and to the authorisations of what the
 * answer is about: of the payment or `ofCancellation`.
 */
export function judgeTargets(
  found: AnswerFindings,
  json: JsonObject,
  pointer: string,
  {
    id,
    owner,
    ofCancellation,
    origins,
  }: {
    id?: string | undefined;
    owner?: string | undefined;
    ofCancellation?: boolean;
    origins: ReadonlySet<string> | undefined;
  },
): void {
  for (const [name, href] of linksOf(json)) {
    // One that is spelt otherwise was told already.
    if (member(member(json, '_links'), name) === undefined) continue;
    const { where, kind } = linkFact(name);
    if (where !== 'api') continue;
    const at = `${pointer}/_links/${name}`;
    // So was a wrong form.
    if (found.list.some((one) => one.pointer === at)) continue;
    if (name !== 'download' && isForeign(href, origins)) {
      const what = `${name} leads to another server: ${quoted(href)}.`;
      // A bank may have several servers, of which nobody here has heard.
      found.add('answer-link-target', 'body', at, what, 'should');
      continue;
    }
    const place = placeOf(name);
    if (place !== undefined && !place.test(href)) {
      found.add('answer-link-target', 'body', at, `${name} leads to ${quoted(href)}.`);
      continue;
    }
    const [, cancels] = /\/(cancellation-)?authorisations(?:[/?]|$)/.exec(href) ?? [
      undefined,
      ofCancellation,
    ];
    if (ofCancellation !== undefined && Boolean(cancels) !== ofCancellation) {
      const what = ofCancellation ? 'the payment, not of its cancellation' : 'a cancellation';
      found.add(
        'answer-link-target',
        'body',
        at,
        `${name} leads to an authorisation of ${what}: ${quoted(href)}.`,
      );
      continue;
    }
    const account = kind === 'data' ? /\/(?:card-)?accounts\/([^/?]+)/.exec(href)?.[1] : undefined;
    if (
      account !== undefined &&
      owner !== undefined &&
      account !== owner &&
      account !== encodeURIComponent(owner)
    ) {
      found.add(
        'answer-link-target',
        'body',
        at,
        `${name} leads to another account than ${quoted(owner)}: ${quoted(href)}.`,
      );
      continue;
    }
    if (kind === 'data' || id === undefined) continue;
    const parts = href.split(/[/?]/);
    const ownAt = parts.findIndex((part) => part === id || part === encodeURIComponent(id));
    if (ownAt < 0)
      found.add('answer-link-target', 'body', at, `${name} leads away from ${quoted(id)}: ${quoted(href)}.`);
    // The samples of the files have such links, and no operation has such a path.
    else if (/^(?:bulk-|periodic-)?payments$/.test(parts[ownAt - 1] ?? ''))
      found.add('answer-link-target', 'body', at, `${name} leaves out the product: ${quoted(href)}.`);
  }
}

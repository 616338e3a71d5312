import {
  isFinalConsent,
  isFinalSca,
  isFinalTransaction,
  isUsableConsent,
} from '../../standard/xs2a/codes.ts';
import type { Call, Reply } from '../trust/call.ts';
import type { Scenario } from '../rules/scenario.ts';

type Links = Readonly<Record<string, { href: string }>>;

/** Misspellings of links in the description of the service and the prose of the official files. */
const misspeltStarts: Readonly<Record<string, string>> = {
  startAuthorisationWithPsuIdentification: 'startAuthorisationWithPsuIdentfication',
  startAuthorisationWithAuthenticationMethodSelection: 'startAuthorisationWithAuthentciationMethodSelection',
};
/** Further misspellings of links in the examples of the official files and the guidelines. */
const misspelt: Readonly<Record<string, string>> = {
  ...misspeltStarts,
  startAuthorisationWithPsuAuthentication: 'startAuthenticationWithPsuAuthentication',
  updatePsuAuthentication: 'udpatePsuAuthentication',
  selectAuthenticationMethod: 'selectAuthenticationMethods',
  authoriseTransaction: 'transactionAuthorisation',
  scaRedirect: 'redirect',
};
const keepsApart: ReadonlySet<string> = new Set(['scaRedirect', 'scaOAuth']);

/** Changes the links and codes of an answer where the scenario departs from the standard. */
export function deviate(reply: Reply, { scenario, origin }: Pick<Call, 'scenario' | 'origin'>): Reply {
  const { hrefs, links, statuses } = scenario;
  const standard = hrefs === 'relative' && links === 'standard' && statuses === 'standard';
  if (standard || reply.body === undefined) return reply;
  const body = withLinks(reply.body, scenario, origin) as object;
  return { ...reply, body: statuses === 'unknown' ? withUnknownStatus(body) : body };
}

/** Links stand in the answer, and in each account and transaction of a list. */
function withLinks(value: unknown, scenario: Scenario, origin: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withLinks(item, scenario, origin));
  const { _links, ...rest } = value as Record<string, unknown>;
  const changed = _links === undefined ? undefined : linksIn(scenario, _links as Links, origin);
  const others = Object.entries(rest).map(([name, item]) => [name, withLinks(item, scenario, origin)]);
  return { ...Object.fromEntries(others), ...(changed && { _links: changed }) };
}

function linksIn({ hrefs, links }: Scenario, known: Links, origin: string): Links | undefined {
  if (links === 'none') return undefined;
  const kept = Object.entries(known).filter(([name]) => links !== 'no-sca-status' || name !== 'scaStatus');
  const spellings = { misspelt, service: misspeltStarts }[links as string] ?? {};
  const named = kept.map(([name, { href }]): [string, { href: string }] => [
    spellings[name] ?? name,
    { href: keepsApart.has(name) ? href : hrefIn(hrefs, href, origin) },
  ]);
  return Object.fromEntries(
    links === 'unknown' ? [...named, ['bankNews', { href: '/v1/bank-news' }]] : named,
  );
}

function hrefIn(form: Scenario['hrefs'], href: string, origin: string): string {
  switch (form) {
    case 'relative':
      return href;
    case 'absolute':
      return origin + href;
    case 'without-slash':
      return href.slice(1);
    case 'without-product':
      return href.replace(/^((?:\/[^/]+)+?\/(?:bulk-|periodic-)?payments)\/[^/]+/, '$1');
    case 'foreign':
      return `https://inner-gateway.invalid${href}`;
  }
}

function withUnknownStatus(body: {
  transactionStatus?: string;
  scaStatus?: string;
  consentStatus?: string;
}): object {
  const { transactionStatus, scaStatus, consentStatus } = body;
  return {
    ...body,
    ...(transactionStatus !== undefined &&
      !isFinalTransaction(transactionStatus) && { transactionStatus: 'ACXX' }),
    ...(scaStatus !== undefined && !isFinalSca(scaStatus) && { scaStatus: 'somewhereBetween' }),
    ...(consentStatus !== undefined &&
      !isFinalConsent(consentStatus) &&
      !isUsableConsent(consentStatus) && { consentStatus: 'underReview' }),
  };
}

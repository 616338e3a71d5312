import { ObkError } from '../../base/errors.ts';
import { accountOf } from '../../standard/formats/json/json-members.ts';
import { accountIdentity } from '../../standard/formats/rows/account-identity.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isJsonObject, member } from '../../standard/xs2a/json.ts';
import type { LinkPolicy } from '../../standard/xs2a/links.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import { matchRequest } from '../../standard/xs2a/request.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import { pathBelowPrefix } from '../call/own-links.ts';
import type { ReportKeeper } from './report-keeper.ts';

/** No bank keeps so many pages of one list. */
const mostPages = 10_000;

/** Looks at each link to a further page before it is followed; throws REPORT_ENDLESS where the pages go in a circle or on and on. */
export function pageGuard(...hint: readonly string[]): (next: string) => void {
  const links = new Set<string>();
  return (next) => {
    const count = links.size + 1;
    if (links.has(next))
      throw endless(`page ${String(count)} leads back to a page that was read before`, hint);
    if (count >= mostPages) throw endless(`there are more than ${String(mostPages)} pages`, hint);
    links.add(next);
  };
}

/** The error of pages that do not come to an end; `why` begins small. */
export function endless(why: string, hint: readonly string[]): ObkError {
  return new ObkError({
    code: 'REPORT_ENDLESS',
    title: 'The pages of this report never end.',
    detail: `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}; the rows read before are right.`,
    hint: [...hint, 'obk log show @last -vvv'],
  });
}

/** The accounts that the first page of a report names; all its pages must be of these. */
export interface OneReport extends OneAccount {
  readonly keeper: ReportKeeper;
}

interface OneAccount {
  /** An account that a page names; throws ANSWER_UNREADABLE for one that no page before named. */
  account(number: string | undefined): void;
  /** From now on no further account is believed, if there was one. */
  pageEnds(): void;
}

export function oneReport(keeper: ReportKeeper): OneReport {
  return { keeper, ...oneAccount() };
}

function oneAccount(): OneAccount {
  const known = new Set<string>();
  let begun = false;
  return {
    account(number) {
      if (number === undefined) return;
      const bare = accountIdentity(number);
      if (!begun || known.size === 0) known.add(bare);
      if (known.has(bare)) return;
      throw new ObkError({
        code: 'ANSWER_UNREADABLE',
        title: 'A page of this report is of another account.',
        detail: `It is of ${JSON.stringify(number.slice(0, 40))}, and the first page is not; its transactions are left out.`,
        hint: ['obk log show @last -vvv'],
      });
    },
    pageEnds() {
      begun = true;
    },
  };
}

/** Looks at each page of a call before it is used; throws ANSWER_UNREADABLE where it names another account than the first one. */
export function sameAccountOnPages(): (page: Answer) => void {
  const one = oneAccount();
  return ({ json }) => {
    const reports = isJsonObject(json) ? Object.values(json).filter(isJsonObject) : [];
    for (const part of [json, ...reports])
      for (const name of ['account', 'cardAccount']) one.account(accountOf(member(part, name)));
    one.pageEnds();
  };
}

/** The call whose further pages are read. */
interface PagedCall {
  variant: Variant;
  operation: Operation;
  params: PathParams;
  links: LinkPolicy;
}

/** Throws LINK_REFUSED for a link to a further page that leads to another operation, or to that of another resource. */
export function needSameCall(href: string, { variant, operation, params, links }: PagedCall): void {
  const path = pathBelowPrefix(href, links);
  const match = path === undefined ? undefined : matchRequest(variant, 'GET', variant.prefix + path);
  const account = params['account-id'];
  if (match === undefined || 'known' in match) {
    if (account !== undefined) needSameAccount(href, account);
    return;
  }
  const found = 'operation' in match ? match : undefined;
  const isSame =
    found?.operation.id === operation.id &&
    Object.entries(found.params).every(([name, value]) => params[name as keyof PathParams] === value);
  if (isSame) return;
  throw new ObkError({
    code: 'LINK_REFUSED',
    title: 'A link to a further page leads elsewhere.',
    detail: `${JSON.stringify(href.slice(0, 300))} is not followed: it is no page of what was asked for.`,
    hint: ['obk log show @last -vvv'],
  });
}

/** Throws LINK_REFUSED for a link to the transactions of another account than was asked for. */
export function needSameAccount(href: string, account: string): void {
  const named = /\/(?:card-)?accounts\/([^/?#]+)\/transactions(?![^/?#])/.exec(href)?.[1];
  if (named === undefined || decoded(named) === account) return;
  throw new ObkError({
    code: 'LINK_REFUSED',
    title: 'A link to a page of this report leads to another account.',
    detail: `${JSON.stringify(href.slice(0, 300))} is not followed: it is not of ${JSON.stringify(account)}.`,
    hint: ['obk log show @last -vvv'],
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

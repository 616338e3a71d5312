import { ObkError } from '../errors.ts';
import type { ReportKeeper } from './report-keeper.ts';

/** What is known of a report over all its pages: they are of the accounts that its first page names. */
export interface OneReport {
  readonly keeper: ReportKeeper;
  /** An account that a page names; throws ANSWER_UNREADABLE for one that no page before named. */
  account(number: string | undefined): void;
  /** From now on no further account is believed, if there was one. */
  pageEnds(): void;
}

export function oneReport(keeper: ReportKeeper): OneReport {
  const known = new Set<string>();
  let begun = false;
  return {
    keeper,
    account(number) {
      if (number === undefined) return;
      const bare = number.replace(/\s/g, '');
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

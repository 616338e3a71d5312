import { ObkError } from '../../base/errors.ts';

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

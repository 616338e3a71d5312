import { nearest } from '../base/nearest.ts';
import { checkIsoDate } from '../standard/xs2a/check.ts';
import { bookingStatusesOf, valuesIn } from '../standard/xs2a/code-lists.ts';
import type { Operation, QueryRule } from '../standard/xs2a/operations.ts';
import type { Findings } from './finding.ts';
import type { Terms } from './request.ts';

/** Judges the query of a request: which parameters there are, their forms, and what they say together. */
export function judgeQuery(
  found: Findings,
  terms: Terms,
  operation: Operation,
  query: URLSearchParams,
): void {
  const { query: rules } = operation;
  const seen = new Set<string>();
  for (const [name, value] of query) {
    if (seen.has(name)) {
      found.add('query-twice', 'query', name, `${name} comes more than once.`);
      continue;
    }
    seen.add(name);
    const rule = rules.find((one) => one.name === name);
    if (rule === undefined) judgeUnknown(found, terms, operation, name);
    else judgeValue(found, terms, operation, rule, value);
  }
  if (rules.some(({ name }) => name === 'bookingStatus')) judgeReport(found, terms, query);
}

/** The words of which banks make the parameters of their page links. */
const pageWords = /cursor|page|offset|limit|next|prev|scroll|token|start|items|skip|size|key/i;

function judgeUnknown(
  found: Findings,
  { ownParameters }: Terms,
  { id, query: rules }: Operation,
  name: string,
): void {
  if (ownParameters?.includes(name) === true) return;
  const known = rules.map((rule) => rule.name);
  const bare = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  const meant = known.find((one) => bare(one) === bare(name)) ?? nearest(name, known)[0];
  // Links to further pages have parameters of the bank.
  if (meant === undefined && known.includes('bookingStatus') && pageWords.test(name)) return;
  found.add(
    'query-unknown',
    'query',
    name,
    `${id} has no parameter ${name}${meant === undefined ? '' : `; ${meant} was probably meant`}.`,
  );
}

function judgeValue(
  found: Findings,
  { variant }: Terms,
  { id }: Operation,
  { name, type }: QueryRule,
  value: string,
): void {
  const wrong = (why: string) => {
    found.add('query-form', 'query', name, `${name} is not right: ${why}.`);
  };
  if (type === 'boolean') {
    // The guidelines also write the name alone.
    if (!['true', 'false', ''].includes(value)) wrong('it is neither true nor false');
  } else if (type === 'date') {
    const checked = checkIsoDate(value);
    if (!checked.ok) wrong(checked.why);
  } else if (type === 'bookingStatus') {
    const values = valuesIn(variant.framework, bookingStatusesOf(id));
    if (!values.includes(value)) wrong(`it is not one of ${values.join(', ')}`);
  } else if (value === '') {
    wrong('it is empty');
  }
}

const isSet = (query: URLSearchParams, name: string): boolean =>
  query.has(name) && query.get(name) !== 'false';

/** A list of transactions: its period, or what is new. */
function judgeReport(found: Findings, terms: Terms, query: URLSearchParams): void {
  const status = query.get('bookingStatus');
  if (status === null) found.add('query-missing', 'query', 'bookingStatus', 'bookingStatus is missing.');
  const [from, to] = [query.get('dateFrom'), query.get('dateTo')];
  const delta = isSet(query, 'deltaList')
    ? 'deltaList'
    : query.has('entryReferenceFrom')
      ? 'entryReferenceFrom'
      : undefined;
  if (status === 'information') {
    for (const name of ['dateFrom', 'dateTo', 'deltaList', 'entryReferenceFrom'])
      if (isSet(query, name))
        found.add(
          'query-ignored',
          'query',
          name,
          `Standing orders have no days: ${name} says nothing beside bookingStatus=information.`,
        );
    return;
  }
  if (isSet(query, 'deltaList') && query.has('entryReferenceFrom'))
    found.add(
      'query-combination',
      'query',
      'entryReferenceFrom',
      'deltaList and entryReferenceFrom exclude each other.',
      {
        code: 'FORMAT_ERROR',
      },
    );
  if (delta !== undefined && status === 'pending')
    found.add(
      'query-combination',
      'query',
      delta,
      `${delta} tells what is new in the books, and pending asks for what is not booked.`,
    );
  if (delta !== undefined && from !== null)
    found.add(
      'query-ignored',
      'query',
      'dateFrom',
      `${delta} asks for what is new, whatever the day: dateFrom says nothing.`,
    );
  if (delta === undefined && from === null)
    found.add(
      'query-missing',
      'query',
      'dateFrom',
      'dateFrom is missing, and neither deltaList nor entryReferenceFrom stands for it.',
    );
  judgePeriod(found, terms, from, to);
}

function judgePeriod(found: Findings, { now }: Terms, from: string | null, to: string | null): void {
  if (from === null || !checkIsoDate(from).ok) return;
  if (to !== null && checkIsoDate(to).ok && from > to)
    found.add('period', 'query', 'dateFrom', `dateFrom ${from} is after dateTo ${to}.`);
  // A day ahead of UTC is still today somewhere.
  else if (from > new Date(now.getTime() + dayMs).toISOString().slice(0, 10))
    found.add('period-future', 'query', 'dateFrom', `dateFrom ${from} is to come.`);
}

const dayMs = 86_400_000;

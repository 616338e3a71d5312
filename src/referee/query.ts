import { nearest } from '../base/nearest.ts';
import { checkIsoDate } from '../standard/xs2a/check.ts';
import { bookingStatusesOf, valuesIn } from '../standard/xs2a/code-lists.ts';
import type { QueryRule } from '../standard/xs2a/operations.ts';
import type { Findings } from './finding.ts';
import type { JudgedCall, Terms } from './request.ts';

/** Judges the query of a request: which parameters there are, their forms, and what they say together. */
export function judgeQuery(found: Findings, call: JudgedCall): void {
  const { query, terms } = call;
  const { query: rules } = call.operation;
  const seen = new Set<string>();
  for (const [name, value] of query) {
    if (seen.has(name)) {
      found.at('query', name).add('query-twice', `${name} comes more than once.`);
      continue;
    }
    seen.add(name);
    const rule = rules.find((one) => one.name === name);
    if (rule === undefined) judgeUnknown(found, call, name);
    else judgeValue(found, call, rule, value);
  }
  if (rules.some(({ name }) => name === 'bookingStatus')) judgeReport(found, terms, query);
}

/** The words of which banks make the parameters of their page links. */
const pageWords = /cursor|page|offset|limit|next|prev|scroll|token|start|items|skip|size|key/i;

function judgeUnknown(found: Findings, { operation, terms }: JudgedCall, name: string): void {
  if (terms.ownParameters?.includes(name) === true) return;
  const known = operation.query.map((rule) => rule.name);
  const bare = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  const meant = known.find((one) => bare(one) === bare(name)) ?? nearest(name, known)[0];
  // Links to further pages have parameters of the bank.
  if (meant === undefined && known.includes('bookingStatus') && pageWords.test(name)) return;
  found
    .at('query', name)
    .add(
      'query-unknown',
      `${operation.id} has no parameter ${name}${meant === undefined ? '' : `; ${meant} was probably meant`}.`,
    );
}

function judgeValue(
  found: Findings,
  { operation, terms }: JudgedCall,
  { name, type }: QueryRule,
  value: string,
): void {
  const wrong = (why: string) => {
    found.at('query', name).add('query-form', `${name} is not right: ${why}.`);
  };
  if (type === 'boolean') {
    // The guidelines also write the name alone.
    if (!['true', 'false', ''].includes(value)) wrong('it is neither true nor false');
  } else if (type === 'date') {
    const checked = checkIsoDate(value);
    if (!checked.ok) wrong(checked.why);
  } else if (type === 'bookingStatus') {
    const values = valuesIn(terms.variant.framework, bookingStatusesOf(operation.id));
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
  if (status === null) found.at('query', 'bookingStatus').add('query-missing', 'bookingStatus is missing.');
  const [from, to] = [query.get('dateFrom'), query.get('dateTo')];
  const delta = isSet(query, 'deltaList')
    ? 'deltaList'
    : query.has('entryReferenceFrom')
      ? 'entryReferenceFrom'
      : undefined;
  if (status === 'information') {
    for (const name of ['dateFrom', 'dateTo', 'deltaList', 'entryReferenceFrom'])
      if (isSet(query, name))
        found
          .at('query', name)
          .add(
            'query-ignored',
            `Standing orders have no days: ${name} says nothing beside bookingStatus=information.`,
          );
    return;
  }
  if (isSet(query, 'deltaList') && query.has('entryReferenceFrom'))
    found
      .at('query', 'entryReferenceFrom')
      .add('query-combination', 'deltaList and entryReferenceFrom exclude each other.', {
        code: 'FORMAT_ERROR',
      });
  if (delta !== undefined && status === 'pending')
    found
      .at('query', delta)
      .add(
        'query-combination',
        `${delta} tells what is new in the books, and pending asks for what is not booked.`,
      );
  if (delta !== undefined && from !== null)
    found
      .at('query', 'dateFrom')
      .add('query-ignored', `${delta} asks for what is new, whatever the day: dateFrom says nothing.`);
  if (delta === undefined && from === null)
    found
      .at('query', 'dateFrom')
      .add(
        'query-missing',
        'dateFrom is missing, and neither deltaList nor entryReferenceFrom stands for it.',
      );
  judgePeriod(found, terms, from, to);
}

function judgePeriod(found: Findings, { now }: Terms, from: string | null, to: string | null): void {
  if (from === null || !checkIsoDate(from).ok) return;
  if (to !== null && checkIsoDate(to).ok && from > to)
    found.at('query', 'dateFrom').add('period', `dateFrom ${from} is after dateTo ${to}.`);
  // A day ahead of UTC is still today somewhere.
  else if (from > new Date(now.getTime() + dayMs).toISOString().slice(0, 10))
    found.at('query', 'dateFrom').add('period-future', `dateFrom ${from} is to come.`);
}

const dayMs = 86_400_000;

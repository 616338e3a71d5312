import { scaStatus } from '../../standard/xs2a/codes.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { AnswerKind } from '../../standard/xs2a/operations.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import { quoted } from './finding.ts';
import type { AnswerFindings } from './finding.ts';

/** What a request asked for, as far as its answer depends on it. */
export interface Asked {
  readonly params: PathParams;
  readonly query: URLSearchParams;
  /** The JSON of the request, where it is there. */
  readonly json: JsonValue | undefined;
}

/** Judges what an answer says against what was asked for. */
export function judgeContent(found: AnswerFindings, kind: AnswerKind, json: JsonObject, asked: Asked): void {
  if (kind === 'transactions') judgeReport(found, json['transactions'], '/transactions', asked);
  if (kind === 'card-transactions') judgeReport(found, json['cardTransactions'], '/cardTransactions', asked);
  if (kind === 'account' || kind === 'card-account') judgeAccount(found, json, asked.params['account-id']);
  if (kind === 'transaction') judgeTransaction(found, json, asked.params['transactionId']);
  if (kind === 'funds-confirmation') judgeFunds(found, json);
  judgeMethods(found, json, asked.json);
}

/** The lists that each word of bookingStatus asks for. */
const lists: Readonly<Partial<Record<string, readonly string[]>>> = {
  booked: ['booked'],
  pending: ['pending'],
  both: ['booked', 'pending'],
  information: ['information'],
  all: ['booked', 'pending', 'information'],
};

/** The query of a whole report; others are a bank's own, such as the cursor of a page. */
const ofReports = new Set(['bookingStatus', 'dateFrom', 'dateTo', 'withBalance']);

function judgeReport(
  found: AnswerFindings,
  report: JsonValue | undefined,
  pointer: string,
  { query }: Asked,
): void {
  if (!isJsonObject(report)) return;
  const wished = query.get('bookingStatus') ?? '';
  const due = lists[wished];
  // A page by a cursor of the bank's own may have what is left of the first call.
  if (due !== undefined)
    for (const name of ['booked', 'pending', 'information']) {
      const list = report[name];
      if (due.includes(name) || !Array.isArray(list) || list.length === 0) continue;
      found.add(
        'answer-report-booking',
        'body',
        `${pointer}/${name}`,
        `bookingStatus is ${wished}, and there is ${name}.`,
      );
    }
  const booked = report['booked'];
  // What is downloaded, or comes on a further page, is not here.
  const isWhole = [...query.keys()].every((name) => ofReports.has(name));
  const isElsewhere = member(report['_links'], 'download') !== undefined;
  if (due?.includes('booked') === true && booked === undefined && isWhole && !isElsewhere)
    found.add(
      'answer-report-booking',
      'body',
      `${pointer}/booked`,
      `bookingStatus is ${wished}, and booked is missing.`,
    );
  const [from, to] = [query.get('dateFrom'), query.get('dateTo')];
  if (!Array.isArray(booked) || query.has('entryReferenceFrom') || query.has('deltaList')) return;
  for (const [at, entry] of booked.entries()) {
    const day = stringMember(entry, 'bookingDate');
    if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) continue;
    const why =
      from !== null && day < from
        ? `before dateFrom ${from}`
        : to !== null && day > to
          ? `after dateTo ${to}`
          : undefined;
    if (why !== undefined)
      found.add(
        'answer-report-dates',
        'body',
        `${pointer}/booked/${String(at)}/bookingDate`,
        `${day} is ${why}.`,
      );
  }
}

function judgeAccount(found: AnswerFindings, json: JsonObject, asked: string | undefined): void {
  const name = isJsonObject(json['cardAccount']) ? 'cardAccount' : 'account';
  const isWrapped = isJsonObject(json[name]);
  const given = stringMember(isWrapped ? json[name] : json, 'resourceId');
  if (given === undefined || asked === undefined || given === asked) return;
  found.add(
    'answer-report-account',
    'body',
    `${isWrapped ? `/${name}` : ''}/resourceId`,
    `${quoted(given)} is not the account ${quoted(asked)} that was asked for.`,
  );
}

function judgeTransaction(found: AnswerFindings, json: JsonObject, asked: string | undefined): void {
  const outer = json['transactionsDetails'];
  // The file has it wrapped twice from 1.3.8 on.
  const inner = outer === undefined ? undefined : member(outer, 'transactionDetails');
  const given = stringMember(inner ?? outer, 'transactionId');
  if (given === undefined || asked === undefined || given === asked) return;
  found.add(
    'answer-report-account',
    'body',
    `/transactionsDetails/${inner === undefined ? '' : 'transactionDetails/'}transactionId`,
    `${quoted(given)} is not the transaction ${quoted(asked)} that was asked for.`,
  );
}

function judgeFunds(found: AnswerFindings, json: JsonObject): void {
  for (const [name, value] of Object.entries(json)) {
    const isMoney = /amount|balance|limit/i.test(name) || member(value, 'amount') !== undefined;
    if (name !== 'fundsAvailable' && isMoney)
      found.add('answer-funds', 'body', `/${name}`, `${name} tells more than yes or no.`);
  }
}

function judgeMethods(found: AnswerFindings, json: JsonObject, sent: JsonValue | undefined): void {
  const chosen = stringMember(json['chosenScaMethod'], 'authenticationMethodId');
  const wished = stringMember(sent, 'authenticationMethodId');
  if (chosen !== undefined && wished !== undefined && chosen !== wished)
    found.add(
      'answer-sca-method',
      'body',
      '/chosenScaMethod/authenticationMethodId',
      `${quoted(wished)} was asked for, and ${quoted(chosen)} chosen.`,
    );
  const offered = json['scaMethods'];
  if (
    Array.isArray(offered) &&
    offered.length === 0 &&
    member(json['_links'], 'selectAuthenticationMethod') !== undefined
  )
    found.add('answer-sca-method', 'body', '/scaMethods', 'A method is to be chosen, and none is offered.');
  const ids = Array.isArray(offered) ? offered.map((one) => stringMember(one, 'authenticationMethodId')) : [];
  if (chosen !== undefined && wished === undefined && ids.length > 0 && !ids.includes(chosen))
    found.add(
      'answer-sca-method',
      'body',
      '/chosenScaMethod/authenticationMethodId',
      `${quoted(chosen)} is chosen, which is not offered.`,
    );
  for (const [at, id] of ids.entries())
    if (id !== undefined && ids.indexOf(id) < at)
      found.add(
        'answer-sca-method',
        'body',
        `/scaMethods/${String(at)}/authenticationMethodId`,
        `${quoted(id)} is offered twice, so that the choice is not known.`,
      );
  const status = stringMember(json, 'scaStatus');
  if (status === undefined || scaStatus(status)?.final !== true) return;
  for (const name of ['scaMethods', 'challengeData'])
    if ((json[name] ?? null) !== null)
      found.add('answer-sca-end', 'body', `/${name}`, `${name} comes with ${status}.`);
}

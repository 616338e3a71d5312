import { scaStatus } from '../../standard/xs2a/codes.ts';
import { isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { AnswerKind } from '../../standard/xs2a/operations.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import { quoted } from './finding.ts';
import type { AnswerPlace } from './finding.ts';

/** What a request asked for, as far as its answer depends on it. */
export interface Asked {
  readonly params: PathParams;
  readonly query: URLSearchParams;
  /** The JSON of the request, where it is there. */
  readonly json: JsonValue | undefined;
}

/** Judges what an answer says against what was asked for. */
export function judgeContent(at: AnswerPlace, kind: AnswerKind, json: JsonObject, asked: Asked): void {
  if (kind === 'transactions') judgeReport(at.in('transactions'), json['transactions'], asked);
  if (kind === 'card-transactions') judgeReport(at.in('cardTransactions'), json['cardTransactions'], asked);
  if (kind === 'account' || kind === 'card-account') judgeAccount(at, json, asked.params['account-id']);
  if (kind === 'transaction') judgeTransaction(at, json, asked.params['transactionId']);
  if (kind === 'funds-confirmation') judgeFunds(at, json);
  judgeMethods(at, json, asked.json);
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

function judgeReport(at: AnswerPlace, report: JsonValue | undefined, { query }: Asked): void {
  if (!isJsonObject(report)) return;
  judgeLists(at, report, query);
  const booked = report['booked'];
  if (!Array.isArray(booked) || query.has('entryReferenceFrom') || query.has('deltaList')) return;
  for (const [index, entry] of booked.entries()) {
    const day = stringMember(entry, 'bookingDate');
    const why =
      day === undefined ? undefined : whyNotBetween(day, query.get('dateFrom'), query.get('dateTo'));
    if (day !== undefined && why !== undefined)
      at.in('booked').in(index).in('bookingDate').add('answer-report-dates', `${day} is ${why}.`);
  }
}

/** The lists of a report are those that bookingStatus asks for. */
function judgeLists(at: AnswerPlace, report: JsonObject, query: URLSearchParams): void {
  const wished = query.get('bookingStatus') ?? '';
  const due = lists[wished];
  // A page by a cursor of the bank's own may have what is left of the first call.
  if (due === undefined) return;
  for (const name of ['booked', 'pending', 'information']) {
    const list = report[name];
    if (due.includes(name) || !Array.isArray(list) || list.length === 0) continue;
    at.in(name).add('answer-report-booking', `bookingStatus is ${wished}, and there is ${name}.`);
  }
  // What is downloaded, or comes on a further page, is not here.
  const isWhole = [...query.keys()].every((name) => ofReports.has(name));
  const isElsewhere = member(report['_links'], 'download') !== undefined;
  if (due.includes('booked') && report['booked'] === undefined && isWhole && !isElsewhere)
    at.in('booked').add('answer-report-booking', `bookingStatus is ${wished}, and booked is missing.`);
}

function whyNotBetween(day: string, from: string | null, to: string | null): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  if (from !== null && day < from) return `before dateFrom ${from}`;
  return to !== null && day > to ? `after dateTo ${to}` : undefined;
}

function judgeAccount(at: AnswerPlace, json: JsonObject, asked: string | undefined): void {
  const name = isJsonObject(json['cardAccount']) ? 'cardAccount' : 'account';
  const isWrapped = isJsonObject(json[name]);
  const given = stringMember(isWrapped ? json[name] : json, 'resourceId');
  if (given === undefined || asked === undefined || given === asked) return;
  const what = `${quoted(given)} is not the account ${quoted(asked)} that was asked for.`;
  (isWrapped ? at.in(name) : at).in('resourceId').add('answer-report-account', what);
}

function judgeTransaction(at: AnswerPlace, json: JsonObject, asked: string | undefined): void {
  const outer = json['transactionsDetails'];
  // The file has it wrapped twice from 1.3.8 on.
  const inner = outer === undefined ? undefined : member(outer, 'transactionDetails');
  const given = stringMember(inner ?? outer, 'transactionId');
  if (given === undefined || asked === undefined || given === asked) return;
  const what = `${quoted(given)} is not the transaction ${quoted(asked)} that was asked for.`;
  const details = at.in('transactionsDetails');
  (inner === undefined ? details : details.in('transactionDetails'))
    .in('transactionId')
    .add('answer-report-account', what);
}

function judgeFunds(at: AnswerPlace, json: JsonObject): void {
  for (const [name, value] of Object.entries(json)) {
    const isMoney = /amount|balance|limit/i.test(name) || member(value, 'amount') !== undefined;
    if (name !== 'fundsAvailable' && isMoney)
      at.in(name).add('answer-funds', `${name} tells more than yes or no.`);
  }
}

function judgeMethods(at: AnswerPlace, json: JsonObject, sent: JsonValue | undefined): void {
  const offered = json['scaMethods'];
  const ids = Array.isArray(offered) ? offered.map((one) => stringMember(one, 'authenticationMethodId')) : [];
  judgeChosen(at, json, stringMember(sent, 'authenticationMethodId'), ids);
  const methods = at.in('scaMethods');
  const mayChoose = member(json['_links'], 'selectAuthenticationMethod') !== undefined;
  if (Array.isArray(offered) && offered.length === 0 && mayChoose)
    methods.add('answer-sca-method', 'A method is to be chosen, and none is offered.');
  for (const [index, id] of ids.entries())
    if (id !== undefined && ids.indexOf(id) < index)
      methods
        .in(index)
        .in('authenticationMethodId')
        .add('answer-sca-method', `${quoted(id)} is offered twice, so that the choice is not known.`);
  const status = stringMember(json, 'scaStatus');
  if (status === undefined || scaStatus(status)?.final !== true) return;
  for (const name of ['scaMethods', 'challengeData'])
    if ((json[name] ?? null) !== null) at.in(name).add('answer-sca-end', `${name} comes with ${status}.`);
}

/** The method that is chosen is the one that was asked for, or else one of those that are offered. */
function judgeChosen(
  at: AnswerPlace,
  json: JsonObject,
  wished: string | undefined,
  offered: readonly (string | undefined)[],
): void {
  const chosen = stringMember(json['chosenScaMethod'], 'authenticationMethodId');
  if (chosen === undefined) return;
  const place = at.in('chosenScaMethod').in('authenticationMethodId');
  if (wished === undefined) {
    if (offered.length > 0 && !offered.includes(chosen))
      place.add('answer-sca-method', `${quoted(chosen)} is chosen, which is not offered.`);
  } else if (chosen !== wished)
    place.add('answer-sca-method', `${quoted(wished)} was asked for, and ${quoted(chosen)} chosen.`);
}

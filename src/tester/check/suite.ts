import { BankRefusal, ObkError } from '../../base/errors.ts';
import type {
  CaseCall,
  CaseFinding,
  CaseResult,
  CaseVerdict,
  CheckRun,
} from '../../settings/records/check-run.ts';
import type { JudgedAnswer } from '../../referee/answers/answer.ts';
import { judgeAnswer } from '../../referee/answers/judge-answer.ts';
import { AnswerOrder } from '../../referee/answers/order.ts';
import { refusalRules } from '../../referee/answers/refusals.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { absence } from '../../standard/xs2a/variants.ts';
import { operation as operationOf, isOperationId } from '../../standard/xs2a/operations.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { dialectOf } from '../../client/call/bank-answers.ts';
import { viewOfExchange } from '../../client/exchange/exchange-view.ts';
import type { Target } from '../../client/exchange/target.ts';
import type { CallInput } from '../../client/exchange/prepared.ts';
import type { EndedExchange } from '../../client/exchange/verdict.ts';
import { areaOf, areasOf, kindsOfRules } from './areas.ts';
import { cases } from './cases.ts';
import type { Case } from './case.ts';
import { NotTested } from './course.ts';
import type { Course } from './course.ts';
import { describedBy } from './described.ts';
import { warningsOf } from './summary.ts';
import { ownOrigins } from './own-origins.ts';
import { toleratedFindings } from './tolerated-findings.ts';
import { Waivers, isOldWaiver } from './waivers.ts';
import type { Tried } from './waivers.ts';

/** A call that removes something. */
export interface Removal {
  operation: OperationId;
  params: NonNullable<CallInput['params']>;
}

/** A suite judges answers; refusals are an area by their cases. */
const kindsOfSuite = kindsOfRules.filter((kind) => kind !== 'requests' && kind !== 'refusals');

/** What the answer to a wrong request says: a finding, or why it says nothing; neither where it is a right refusal. */
interface Refused {
  finding?: CaseFinding;
  why?: string;
}

/** What removes that which an operation creates. */
const removals: Readonly<Partial<Record<OperationId, OperationId>>> = {
  initiatePayment: 'cancelPayment',
  createConsent: 'deleteConsent',
  createSigningBasket: 'deleteSigningBasket',
};
const removing: ReadonlySet<string> = new Set(Object.values(removals));

/** A suite that is running: the exchanges of its cases come in by `seen`. */
export class Suite {
  readonly #waivers: Waivers;
  readonly #order: AnswerOrder;
  readonly #target: Target;
  readonly #open = new Map<string, Removal>();
  #calls: EndedExchange[] = [];
  /** Operations whose right call has succeeded: only then a refusal of a wrong one says something. */
  readonly #succeeded = new Set<string>();
  readonly #statuses: { status: number | null; operation: OperationId }[] = [];

  /** The cases as they ended, for those that need them. */
  readonly #ended = new Map<string, CaseResult>();
  readonly #isAsked: (name: string) => boolean;

  /** `isAsked` tells the cases that were asked for from those that run because these need them. */
  constructor(target: Target, today: string, isAsked: (name: string) => boolean = () => true) {
    this.#isAsked = isAsked;
    this.#target = target;
    this.#waivers = new Waivers(target.profile.waivers, today);
    this.#order = new AnswerOrder({ variant: target.variant });
  }

  /** Takes an exchange of the case that runs; returns whether something was created or removed by it. */
  seen(exchange: EndedExchange): boolean {
    this.#calls.push(exchange);
    const { prepared, verdict } = exchange;
    const { id } = prepared.operation;
    if (verdict.outcome !== 'DONE' || !isOperationId(id)) return false;
    const operation = removals[id];
    if (operation === undefined) return removing.has(id) && this.#open.delete(keyOf(prepared.input.params));
    const { paymentId, consentId, basketId } = (verdict.answer as Answer).ids;
    const made = Object.entries({ paymentId, consentId, basketId }).filter(
      ([, value]) => value !== undefined,
    );
    const params = { ...prepared.input.params, ...(Object.fromEntries(made) as Removal['params']) };
    this.#open.set(keyOf(params), { operation, params });
    return true;
  }

  /** The calls that remove what was created and is still there. */
  get open(): readonly Removal[] {
    return [...this.#open.values()];
  }

  /** Takes a case as an earlier run has tried it. */
  take(result: CaseResult): CaseResult {
    this.#waivers.remember(result);
    this.#ended.set(result.case, result);
    for (const { operation, status } of result.calls)
      if (isOperationId(operation)) this.#statuses.push({ status, operation });
    if (result.verdict === 'pass' && result.area !== 'refusals') this.#succeeded.add(result.operation);
    return result;
  }

  /** Tries one case. Throws only what no case can have caused, such as an interruption. */
  async run(one: Case, course: Course): Promise<CaseResult> {
    const result = await this.#tried(one, course);
    this.#ended.set(one.name, result);
    return result;
  }

  /** Why a case is not tested: what became of one that it needs, before what it lacks because of that. */
  #notTested({ needs = [] }: Case, missing: string): string {
    for (const name of needs) {
      const { verdict, why = 'it gave no reason' } = this.#ended.get(name) ?? {};
      if (verdict === 'not tested') return why;
      if (verdict === 'inconclusive' || verdict === 'not applicable') return `${name} is ${verdict}: ${why}`;
    }
    return missing;
  }

  async #tried(one: Case, course: Course): Promise<CaseResult> {
    this.#calls = [];
    const { name, about, operation, kind } = one;
    const base = { case: name, about, area: kind === 'wrong' ? 'refusals' : areaOf(operation), operation };
    const none = { findings: [], calls: [] };
    const absent = absence(this.#target.variant, operation);
    if (absent !== undefined) return { ...base, ...none, verdict: 'not applicable', why: absent };
    let why: string | undefined;
    try {
      await one.run(course);
    } catch (error) {
      this.#target.run.signal?.throwIfAborted();
      if (error instanceof NotTested)
        return { ...base, ...none, verdict: 'not tested', why: this.#notTested(one, error.message) };
      if (!(error instanceof ObkError)) throw error;
      if (error.code === 'NOT_OFFERED')
        return { ...base, ...none, verdict: 'not applicable', why: error.title };
      why = reasonOf(error);
      if (this.#calls.length === 0) return { ...base, ...none, verdict: 'not tested', why };
    }
    const findings = this.#calls.flatMap((exchange) => this.#judged(exchange));
    const refusal = kind === 'wrong' ? this.#refusal(one) : undefined;
    if (refusal?.finding !== undefined) findings.push(refusal.finding);
    const calls = this.#calls.map(callOf);
    const open = findings.filter(({ level, waived }) => level !== 'may' && waived === undefined);
    const verdict: CaseVerdict =
      open.length > 0
        ? 'fail'
        : findings.some(({ waived }) => waived !== undefined)
          ? 'waived'
          : this.#withoutFindings(one, refusal);
    const reason = refusal?.why ?? why ?? this.#refusedBecause();
    return {
      ...base,
      verdict,
      ...(verdict !== 'pass' && verdict !== 'fail' && reason !== undefined && { why: reason }),
      findings,
      calls,
    };
  }

  /** How the bank refused the last call that it refused. */
  #refusedBecause(): string | undefined {
    const refused = this.#calls.findLast(({ verdict }) => verdict.outcome !== 'DONE')?.verdict;
    return refused !== undefined && 'error' in refused ? reasonOf(refused.error) : undefined;
  }

  /** How a case without findings ended. */
  #withoutFindings({ kind, operation }: Case, refusal: Refused | undefined): CaseVerdict {
    if (kind === 'wrong') return refusal?.why === undefined ? 'pass' : 'inconclusive';
    const statuses = this.#calls.map(({ answer }) => answer?.status);
    if (statuses.some((status) => status !== undefined && status < 300)) {
      this.#succeeded.add(operation);
      return 'pass';
    }
    return statuses.length > 0 && statuses.every((status) => status === 405 || status === 501)
      ? 'not applicable'
      : 'inconclusive';
  }

  #judged(exchange: EndedExchange): CaseFinding[] {
    const { prepared, answer } = exchange;
    const { id } = prepared.operation;
    if (!isOperationId(id)) return [];
    const status = answer?.status ?? null;
    this.#statuses.push({ status, operation: id });
    if (answer === undefined) return [];
    const op = operationOf(id);
    const dialect = dialectOf(this.#target, op, prepared.input);
    const judged: JudgedAnswer = {
      method: prepared.request.method,
      target: prepared.path,
      requestHeaders: prepared.request.headers.flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as const] : [],
      ),
      requestBody: prepared.hasSecret ? undefined : Buffer.from(prepared.request.body),
      status: answer.status,
      headers: answer.headers,
      body: answer.rest === undefined ? answer.body : undefined,
      matched: { operation: op, params: prepared.input.params ?? {} },
      origins: ownOrigins([prepared.request.url, this.#target.links.base], this.#target.profile),
    };
    const found = [
      ...judgeAnswer(judged, { variant: this.#target.variant, dialect }).findings,
      ...this.#order.next(judged, dialect),
    ].filter((one) => !describedBy(this.#target.profile, id, answer.status, one));
    return [
      ...found.map((one): CaseFinding => ({ side: 'answer', ...one })),
      ...toleratedFindings(exchange.tolerated),
    ].map((one) => this.#waivers.apply(one, { operation: id, status }));
  }

  /** What is to be said of the answer to a wrong request: a finding, or why it says nothing. */
  #refusal({ refusal, operation }: Case): Refused {
    // What was taken all the same is removed by a call of its own.
    const last = this.#calls.findLast(({ prepared }) => prepared.operation.id === operation)?.answer;
    if (refusal === undefined) return {};
    if (last === undefined) return { why: 'no answer came' };
    const { level, says, source, statuses } = refusalRules[refusal];
    const { status } = last;
    // What refuses the right call as well has not looked at what is wrong.
    if (status === 401 && !this.#succeeded.has(operation)) return { why: 'no right call was taken' };
    if (statuses.includes(status)) return {};
    if (status === 429 || status >= 500) return { why: `the answer is ${String(status)}` };
    const finding: CaseFinding = {
      ...{ side: 'answer', rule: refusal, place: 'status', pointer: '', why: says, source },
      level: status < 400 ? level : 'should',
      what: `The answer is ${String(status)}; a refusal is ${statuses.join(' or ')}.`,
    };
    return { finding: this.#waivers.apply(finding, { operation, status }) };
  }

  /** The whole of a check from its cases. */
  summary(results: readonly CaseResult[]): Pick<CheckRun, 'verdict' | 'warnings' | 'areas' | 'waivers'> {
    const waivers = this.#waivers.results(triedBy(results));
    const isBad = results.some(({ verdict }) => verdict === 'fail') || waivers.some(isOldWaiver);
    const conclusive = results.some(
      ({ case: name, verdict }) => (verdict === 'pass' || verdict === 'waived') && this.#isAsked(name),
    );
    return {
      verdict: isBad ? 'fail' : conclusive ? 'pass' : 'inconclusive',
      warnings:
        this.#statuses.length === 0 ? ['No call was made: nothing was judged.'] : warningsOf(this.#statuses),
      areas: areasOf(results, kindsOfSuite),
      waivers,
    };
  }
}

/** Why a case says nothing, with the bank's own code where it has refused. */
const reasonOf = (error: ObkError): string =>
  error instanceof BankRefusal
    ? `${error.title} (${[error.httpStatus, error.bankCode ?? ''].join(' ').trim()})`
    : error.title;

const keyOf = (params: Removal['params'] = {}): string => JSON.stringify(Object.entries(params).sort());

/** What cases have tried, as far as their ends say something. */
function triedBy(results: readonly CaseResult[]): Tried {
  const conclusive = results.filter(({ verdict }) => /^(pass|fail|waived)$/.test(verdict));
  const ended = new Map(results.map(({ case: name, verdict }) => [name, verdict]));
  const whole = (kind: Case['kind']) =>
    cases.every((one) => {
      const verdict = ended.get(one.name) ?? 'not tested';
      return one.kind !== kind || (verdict !== 'not tested' && verdict !== 'inconclusive');
    });
  const refusals = cases.flatMap(({ name, refusal }) =>
    refusal !== undefined && conclusive.some((one) => one.case === name) ? [refusal] : [],
  );
  return {
    answers: conclusive.flatMap(({ calls }) => calls),
    refusals: new Set(refusals),
    reads: whole('read'),
    writes: whole('write'),
  };
}

function callOf(exchange: EndedExchange): CaseCall {
  const view = viewOfExchange(exchange);
  const { method, url, requestId, answer } = view;
  const operation = exchange.prepared.operation.id;
  return { method, url, operation, requestId, status: answer?.status ?? null, facts: view };
}

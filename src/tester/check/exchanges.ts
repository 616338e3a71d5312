import type { Ports } from '../../client/ports.ts';
import type { Profile } from '../../settings/records/profile.ts';
import type { AnswerFinding } from '../../referee/answers/finding.ts';
import type { JudgedAnswer } from '../../referee/answers/answer.ts';
import { judgeAnswer } from '../../referee/answers/judge-answer.ts';
import { matchedOperation } from '../../referee/path.ts';
import { targetOf } from '../../referee/request.ts';
import { AnswerOrder } from '../../referee/answers/order.ts';
import type { Level } from '../../referee/answers/rules.ts';
import type { RefereeFinding } from '../../referee/finding.ts';
import { operation as operationOf } from '../../standard/xs2a/operations.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import type { Framework, Variant } from '../../standard/xs2a/variants.ts';
import { dialectOf } from '../../client/call/bank-answers.ts';
import type { CapturedRequest } from '../../client/evidence/captured-request.ts';
import {
  authorities,
  isForeign,
  judgeCapture,
  notOfTheInterface,
  variantOfTarget,
} from '../../client/evidence/judge-requests.ts';
import { withoutMasked } from '../../client/evidence/masked-capture.ts';
import { judgeAnswer as readAnswerOf } from '../../client/exchange/judge.ts';
import { toldTolerated, toleratedIn } from '../../client/exchange/verdict.ts';
import type { Toleration } from '../../settings/records/wire.ts';
import type { WaiverResult } from '../../settings/records/check-run.ts';
import { describedBy } from './described.ts';
import { ownOrigins } from './own-origins.ts';
import { toleratedFindings } from './tolerated-findings.ts';
import { Waivers } from './waivers.ts';

/** One thing that is wrong with a request or an answer. */
export interface SideFinding {
  side: 'request' | 'answer';
  rule: string;
  level: Level;
  place: string;
  pointer: string;
  what: string;
  why: string;
  source: string;
  /** Why it is taken, where the description of the bank waives it. */
  waived?: string;
}

/** A call with what is to be said of both sides. */
export interface CheckedExchange {
  /** Its number among the calls, from 1. */
  entry: number;
  method: string;
  target: string;
  /** Null where no answer is known. */
  status: number | null;
  operation: OperationId | null;
  framework: Framework;
  findings: readonly SideFinding[];
  notTested: readonly string[];
  notes: readonly string[];
}

/** The bank that the calls were for, as far as it is known. */
export interface CheckingOptions {
  /** The profile of the bank: its framework and how it writes its answers. */
  profile?: Profile | undefined;
  framework?: Framework | undefined;
  needsSignature?: boolean;
  /** PEM files of CAs; without any the issuers of certificates are not judged. */
  trust?: readonly string[];
}

/** Judges captured calls one after the other, both sides of each; the requests by the referee. Throws INPUT_INVALID. */
export async function judgeExchanges(
  { files, clock }: Pick<Ports, 'files' | 'clock'>,
  captures: readonly CapturedRequest[],
  options: CheckingOptions,
): Promise<{ exchanges: CheckedExchange[]; waivers: WaiverResult[] }> {
  const certificates = await authorities(files, options.trust ?? []);
  const judge = new ExchangeJudge(clock, options, certificates);
  const exchanges: CheckedExchange[] = [];
  const origins = originsOfBank(captures, options.framework ?? options.profile?.framework);
  for (const captured of captures) {
    const isElsewhere = captured.origin !== undefined && origins?.has(captured.origin) === false;
    const whose = captures.length === 1 ? 'meant' : isElsewhere ? 'foreign' : 'by its path';
    exchanges.push(await judge.next(captured, whose, origins));
  }
  return { exchanges, waivers: judge.waivers() };
}

/** The servers of which some call is one of the interface: a browser calls others as well. Undefined where none is. */
function originsOfBank(
  captures: readonly CapturedRequest[],
  framework: Framework | undefined,
): ReadonlySet<string> | undefined {
  const own = captures.flatMap(({ origin, method, path }) => {
    const variant = variantOfTarget(path, framework);
    const matched = matchedOperation({ variant }, method, targetOf(path).path);
    return origin === undefined || matched === undefined ? [] : [origin];
  });
  return own.length === 0 ? undefined : new Set(own);
}

/** Judges calls as they come; the order of the answers is judged as well. */
export class ExchangeJudge {
  readonly #clock: Ports['clock'];
  readonly #options: Omit<CheckingOptions, 'trust'>;
  readonly #certificates: Awaited<ReturnType<typeof authorities>>;
  readonly #orders = new Map<string, AnswerOrder>();
  readonly #waivers: Waivers;
  readonly #answers: { operation: OperationId; status: number | null }[] = [];
  #count = 0;

  constructor(
    clock: Ports['clock'],
    options: Omit<CheckingOptions, 'trust'>,
    certificates?: Awaited<ReturnType<typeof authorities>>,
  ) {
    this.#clock = clock;
    this.#options = options;
    this.#certificates = certificates;
    this.#waivers = new Waivers(options.profile?.waivers, clock.now().toISOString().slice(0, 10));
  }

  /** What became of the waivers of the bank's description: calls that were made try only what they are. */
  waivers(): WaiverResult[] {
    return this.#waivers.results({
      answers: this.#answers,
      refusals: new Set(),
      reads: false,
      writes: false,
    });
  }

  /**
   * Judges the next call; one that is meant for the interface is judged whatever its path is, a foreign one never. `called` are the
   * servers of the bank that other calls were made to.
   */
  async next(
    captured: CapturedRequest,
    whose: 'meant' | 'by its path' | 'foreign',
    called: ReadonlySet<string> = new Set(),
  ): Promise<CheckedExchange> {
    const { framework: asked, profile, needsSignature = false } = this.#options;
    const variant = variantOfTarget(captured.path, asked ?? profile?.framework);
    this.#count += 1;
    const about = {
      entry: this.#count,
      method: captured.method,
      target: captured.path,
      status: captured.answer?.status ?? null,
      framework: variant.framework,
      notes: captured.notes,
    };
    if (whose === 'foreign' || (whose === 'by its path' && isForeign(captured)))
      return { ...about, operation: null, findings: [], notTested: [notOfTheInterface] };
    const signing = { needsSignature, certificates: this.#certificates };
    const request = await judgeCapture(captured, variant, this.#clock, signing);
    const { operation } = request;
    const origins = ownOrigins([captured.origin, ...called], profile);
    const answer = this.#judgeAnswer(captured, variant, operation, origins);
    const findings: SideFinding[] = [
      ...request.findings.map(ofRequest),
      ...answer.findings.map(ofAnswer),
      ...toleratedFindings(toleratedOf(captured, variant, operation, profile)),
    ];
    const judged = { operation: operation ?? '', status: about.status };
    if (operation !== null && answer.notTested.length === 0) this.#answers.push({ ...judged, operation });
    return {
      ...about,
      operation,
      findings: findings.map((one) => this.#waivers.apply(one, judged)),
      notTested: [...request.notTested, ...answer.notTested],
    };
  }

  #judgeAnswer(
    { method, path, headers, body, lacksBody, answer }: CapturedRequest,
    variant: Variant,
    operation: OperationId | null,
    origins: ReadonlySet<string> | undefined,
  ): { findings: readonly AnswerFinding[]; notTested: readonly string[] } {
    if (answer === undefined) return { findings: [], notTested: ['the answer, which is not there'] };
    const { profile } = this.#options;
    const order = this.#orders.get(variant.prefix) ?? new AnswerOrder({ variant });
    this.#orders.set(variant.prefix, order);
    const dialect =
      profile === undefined || operation === null
        ? undefined
        : dialectOf({ profile }, operationOf(operation), {});
    const judged: JudgedAnswer = {
      method,
      target: path,
      requestHeaders: headers,
      requestBody: lacksBody === true ? undefined : body,
      status: answer.status,
      headers: answer.headers,
      body: answer.body,
      origins,
    };
    const { findings, notTested } = judgeAnswer(judged, { variant, ...(dialect && { dialect }) });
    const isKnown = (one: AnswerFinding) =>
      profile !== undefined && operation !== null && describedBy(profile, operation, answer.status, one);
    const all = [...findings, ...order.next(judged, dialect)].filter((one) => !isKnown(one));
    const known = withoutMasked({ headers: answer.headers, body: answer.body ?? new Uint8Array() }, all);
    return { findings: known.findings, notTested: [...notTested, ...known.notTested] };
  }
}

/** What obk would tolerate in an answer that another client got. */
function toleratedOf(
  { method, path, answer }: CapturedRequest,
  variant: Variant,
  id: OperationId | null,
  profile: Profile | undefined,
): Toleration[] {
  if (id === null || answer?.body === undefined) return [];
  const operation = operationOf(id);
  const dialect = profile && dialectOf({ profile }, operation, {});
  const about = { operation, path, requestId: '', write: method !== 'GET', intent: '', dialect };
  const { status, headers, body } = answer;
  return toldTolerated(toleratedIn(readAnswerOf(about, { status, headers, body }, variant)));
}

const levels = { error: 'must', warning: 'should', note: 'may' } as const;

/** A finding of the referee about a request in the words of both sides. */
export const ofRequest = ({
  rule,
  severity,
  place,
  pointer,
  what,
  why,
  source,
}: RefereeFinding): SideFinding => ({
  side: 'request',
  ...{ rule, level: levels[severity], place, pointer, what, why, source },
});

const ofAnswer = (finding: AnswerFinding): SideFinding => ({ side: 'answer', ...finding });

import { fileVersionOf } from '../standard/xs2a/origin.ts';
import { codesAt } from '../standard/xs2a/message-places.ts';
import type { Operation } from '../standard/xs2a/operations.ts';
import type { Framework } from '../standard/xs2a/variants.ts';
import { sectionOf } from './sections.ts';
import { MessageFindings } from './place.ts';
import type { FindingPlace } from './place.ts';
import { rules } from './rules.ts';
import type { Reply, Rule, RuleId, Severity } from './rules.ts';

/** The part of a request that a finding is about; `call` is the call among others. */
export type CallPart = 'path' | 'header' | 'query' | 'body' | 'connection' | 'call';

/** One thing that is wrong with a request. */
export interface RefereeFinding {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly place: CallPart;
  /** The name of a header or of a query parameter, the segment of the path, or a JSON pointer (RFC 6901) into the body. */
  readonly pointer: string;
  readonly what: string;
  readonly why: string;
  /** Guidelines with their section, OpenAPI file, RFC or standard. */
  readonly source: string;
  /** The HTTP status and the tppMessage code that a bank answers; empty where that status has no code. */
  readonly status: number;
  readonly code: string;
}

/** What a check may say otherwise than its rule does. */
export interface Otherwise {
  readonly severity?: Severity;
  readonly status?: number;
  readonly code?: string;
}

/** A place of a request. */
export type CallPlace = FindingPlace<RefereeFinding, Otherwise>;

/** Collects the findings about one request. */
export class Findings extends MessageFindings<RefereeFinding, Otherwise> {
  readonly #operation: Operation | undefined;
  readonly #most: number;

  constructor(framework: Framework, operation: Operation | undefined, most = mostFindings) {
    super(framework);
    this.#operation = operation;
    this.#most = most;
  }

  put({ part, pointer }: CallPlace, rule: RuleId, what: string, otherwise: Otherwise = {}): void {
    if (this.list.length >= this.#most) return;
    const { why, source, severity, status, code }: Rule = { ...rules[rule], ...otherwise };
    this.list.push({
      rule,
      severity,
      place: part,
      pointer: clippedText(pointer, 200),
      what: clippedText(what, 500),
      why,
      source: this.#sourceOf(source),
      ...this.#answer(status, code),
    });
  }

  #sourceOf(source: string): string {
    if (this.#operation === undefined || !source.startsWith('guidelines, data')) return source;
    const { method, path } = this.#operation;
    return `${sectionOf(this.#operation)}; file ${fileVersionOf(this.framework)}, ${method} ${path}`;
  }

  /** The framework and the service may have another code for it, or none. */
  #answer(status: number, code: string): { status: number; code: string } {
    if (code === '' || this.#operation === undefined) return { status, code };
    const known = (at: number) => codesAt(this.framework, this.#operation as Operation, at);
    if (known(status).includes(code)) return { status, code };
    const [other, instead] = earlier[code] ?? [];
    if (other !== undefined && instead !== undefined && known(other).includes(instead))
      return { status: other, code: instead };
    return { status, code: '' };
  }
}

/** A text of the call, short enough for a finding. */
export const clippedText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}...`;

/** A body of many mistakes is told by its first ones. */
const mostFindings = 100;

/** The code to send if the framework of the call does not have the usual one yet. */
const earlier: Readonly<Record<string, Reply>> = {
  SCA_INVALID: [409, 'STATUS_INVALID'],
  ROLE_INVALID: [401, 'CERTIFICATE_INVALID'],
};

/** A refusal of the bank for a reason that no rule of the interface has, as a finding. */
export function refusedFinding(refusal: {
  status: number;
  code: string;
  text: string;
  path: string;
}): RefereeFinding {
  const { severity, why, source } = rules.refused;
  const { status, code, text, path } = refusal;
  return { rule: 'refused', severity, place: 'call', pointer: path, what: text, why, source, status, code };
}

import type { AnswerDialect } from '../../standard/xs2a/answer-dialect.ts';
import type { AnswerKind } from '../../standard/xs2a/operations.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Matched } from '../request.ts';

/** An answer as it came, or as somebody logged it, with the request that it belongs to. */
export interface JudgedAnswer {
  readonly method: string;
  /** Path and query as on the request line. */
  readonly target: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  /** Undefined where it is not available; what depends on it is not judged then. */
  readonly requestBody: Uint8Array | undefined;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined where it is not available, or not whole; nothing of it is judged then. */
  readonly body: Uint8Array | undefined;
  /** The operation, where it is known without the path: a bank may have it at a place of its own. */
  readonly matched?: Matched;
  /** The servers that its links may lead to (`https://bank.example`); undefined where that is not known. */
  readonly origins?: ReadonlySet<string> | undefined;
}

/** An answer to a call of one of the operations, as the judges of its parts read it. */
export interface AnsweredCall extends Matched {
  readonly query: URLSearchParams;
  readonly answer: JudgedAnswer;
  /** What the operation answers with this status; undefined where that is not a success. */
  readonly kind: AnswerKind | undefined;
}

/** The bank whose answers are judged. */
export interface AnswerTerms {
  readonly variant: Variant;
  /** How the bank is known to write its answers otherwise; they are judged as the standard would write them. */
  readonly dialect?: AnswerDialect;
}

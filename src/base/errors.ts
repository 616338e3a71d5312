import { defined } from './defined.ts';

/** The process exit codes of obk; frozen, documented in `obk help exit-codes`. */
export const exitCodes = {
  ok: 0,
  internal: 1,
  usage: 2,
  config: 3,
  authNeeded: 4,
  rejected: 5,
  bankError: 6,
  notSent: 7,
  pending: 8,
  declined: 9,
  expectation: 10,
  throttled: 11,
  unknown: 12,
  interrupted: 130,
  terminated: 143,
} as const;

/** One exit code, 0 to 143. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of every error code, unless the bank's own code decides. */
export const errorExits = {
  // usage: the call itself is wrong, nothing was sent
  USAGE: exitCodes.usage,
  INPUT_INVALID: exitCodes.usage,
  INTERACTION_NEEDED: exitCodes.usage,
  NOT_CONFIRMED: exitCodes.usage,
  DUPLICATE_PAYMENT: exitCodes.usage,
  INTENT_KEY_REUSED: exitCodes.usage,
  NOT_OFFERED: exitCodes.usage,
  RESOURCE_NOT_SAVED: exitCodes.usage,
  ID_AMBIGUOUS: exitCodes.usage,
  ACCOUNT_UNKNOWN: exitCodes.usage,
  SECRET_REFUSED_BEFORE: exitCodes.usage,
  RETURN_REFUSED: exitCodes.usage,
  SECRET_FORM: exitCodes.usage,
  STEP_NOT_ALLOWED: exitCodes.usage,
  // configuration and state
  PROFILE_UNKNOWN: exitCodes.config,
  PROFILE_INVALID: exitCodes.config,
  ENVIRONMENT_REQUIRED: exitCodes.config,
  CONFIG_UNREADABLE: exitCodes.config,
  CONFIG_NOT_WRITTEN: exitCodes.config,
  STATE_UNREADABLE: exitCodes.config,
  STATE_NOT_WRITTEN: exitCodes.config,
  STATE_NEWER: exitCodes.config,
  STATE_UNREACHABLE: exitCodes.config,
  LOCK_BUSY: exitCodes.config,
  KEY_FILE: exitCodes.config,
  KEY_PASSPHRASE: exitCodes.config,
  KEY_MISMATCH: exitCodes.config,
  CERTIFICATE_FILE: exitCodes.config,
  CERTIFICATE_EXPIRED: exitCodes.config,
  CERTIFICATE_WEAK: exitCodes.config,
  JOURNEY_UNTRUSTED: exitCodes.config,
  SIGNING_FAILED: exitCodes.config,
  SECRET_REFERENCE: exitCodes.config,
  TOKEN_STORE: exitCodes.config,
  PROXY_INVALID: exitCodes.config,
  CONNECTION_INSECURE: exitCodes.config,
  POLICY: exitCodes.config,
  CREDENTIALS_ELSEWHERE: exitCodes.config,
  LISTENER_FAILED: exitCodes.config,
  SANDBOX_UNAVAILABLE: exitCodes.config,
  // the wire
  NOT_SENT: exitCodes.notSent,
  OUTCOME_UNKNOWN: exitCodes.unknown,
  INTENT_IN_PROGRESS: exitCodes.pending,
  SCA_IN_PROGRESS: exitCodes.pending,
  WAIT_OVER: exitCodes.pending,
  ANSWER_UNREADABLE: exitCodes.bankError,
  ANSWER_TOO_LARGE: exitCodes.bankError,
  ANSWER_LOST: exitCodes.bankError,
  REPORT_ENDLESS: exitCodes.bankError,
  REDIRECTED: exitCodes.bankError,
  BANK_FAILED: exitCodes.bankError,
  REFUSED: exitCodes.rejected,
  AUTH_NEEDED: exitCodes.authNeeded,
  CONSENT_NEEDED: exitCodes.authNeeded,
  BANK_CONFIG: exitCodes.config,
  THROTTLED: exitCodes.throttled,
  ACCESS_BUDGET: exitCodes.throttled,
  // the conversation
  DECLINED: exitCodes.declined,
  FEES_TOO_HIGH: exitCodes.declined,
  LINK_REFUSED: exitCodes.rejected,
  CONVERSATION_STUCK: exitCodes.rejected,
  // the process
  INTERRUPTED: exitCodes.interrupted,
  TERMINATED: exitCodes.terminated,
  OUTPUT_LOST: exitCodes.internal,
  INTERNAL: exitCodes.internal,
} as const satisfies Record<string, ExitCode>;

/** The stable code of an error of obk; scripts may rely on it. */
export type ErrorCode = keyof typeof errorExits;

/** The resource that an error concerns, so that no script ever loses an id. */
export interface ErrorResource {
  paymentId?: string;
  consentId?: string;
  basketId?: string;
  authorisationId?: string;
  transactionStatus?: string;
  consentStatus?: string;
  scaStatus?: string;
}

/** A resource that an answer of this run has shown to exist, with the last status that one named. */
export interface ProvedResource {
  status?: string;
}

/** What a bank may refuse for good: an entry of the PSU, the PSU, or the thing that was asked for. */
export const refusedThings = ['secret', 'psu', 'payment', 'cancellation', 'consent', 'basket'] as const;

/** One of `refusedThings`. */
export type Refused = (typeof refusedThings)[number];

/** The parts of an ObkError; `detail` says why, `hint` holds runnable next steps. */
export interface ErrorParts {
  code: ErrorCode;
  title: string;
  detail?: string | undefined;
  hint?: readonly string[];
  cause?: unknown;
  /** Overrides the exit code of `code` where the bank's own code decides. */
  exit?: ExitCode;
  resource?: ErrorResource | undefined;
  choices?: Choices;
  refused?: Refused | undefined;
}

/** A word of the command line, and those that may have been meant by it. */
export interface Choices {
  typed: string;
  among: readonly { id: string; says?: string }[];
}

/** Every failure that a user can meet: what (title), why (detail), what next (hint) and the exit code. */
export class ObkError extends Error {
  override readonly name: string = 'ObkError';
  readonly code: ErrorCode;
  readonly exit: ExitCode;
  readonly title: string;
  readonly detail: string | undefined;
  readonly hint: readonly string[];
  readonly choices: Choices | undefined;
  /** With exit 9: what the bank has refused, as far as that is certain. */
  readonly refused: Refused | undefined;
  /** The command line of the run with each of the choices in place of what was typed; a script takes none of them by itself. */
  again: readonly string[] = [];
  resource: ErrorResource | undefined;
  /** The document of the command, where the error is a result of it: it is printed with the next step of the error. */
  document: Readonly<Record<string, unknown>> | undefined;
  /** What answers of the bank have proved of `resource` in this run; undefined where none did. */
  proved: ProvedResource | undefined;
  /** The profile of the run that failed, once it is known: what `hint` names is meant for it. */
  profile:
    { name?: string; usual: boolean; builtIn: boolean; bank?: { at?: string; tenant?: string } } | undefined;

  constructor(parts: ErrorParts) {
    super(parts.title, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = parts.code;
    this.exit = parts.exit ?? errorExits[parts.code];
    this.title = parts.title;
    this.detail = parts.detail;
    this.hint = parts.hint ?? [];
    this.resource = parts.resource;
    this.choices = parts.choices;
    this.refused = parts.refused;
  }
}

/** Another run was first, after this one had looked: what it did is to be looked at again. Nothing was sent. */
export class IntentHeld extends ObkError {
  override readonly name = 'IntentHeld';

  constructor() {
    super({
      code: 'INTENT_IN_PROGRESS',
      title: 'Another process has begun this payment, or one like it.',
      detail: 'It was first; nothing was sent here.',
      hint: ['Run this again with the same --intent-key to see what became of it.'],
    });
  }
}

/** The error of what a key has sealed that this run does not have: a list leaves it out, and nothing is decided without it. */
export class SealedElsewhere extends ObkError {
  override readonly name = 'SealedElsewhere';
}

/** A failure that a command may go on after; not a bug, and not the end that a person or the system has wished for. */
export function isFailure(error: unknown): error is ObkError {
  return error instanceof ObkError && !isInterruption(error);
}

/** Ctrl-C, an unanswered question, or SIGTERM. */
export function isInterruption({ code }: ObkError): boolean {
  return code === 'INTERRUPTED' || code === 'TERMINATED';
}

/** One message of a bank: category ERROR or WARNING, and what it has of a code, a path and a text. */
export interface BankMessage {
  category: string;
  code?: string;
  path?: string;
  text?: string;
}

/** The parts that a refusal adds to an error: where it came from and the bank's own words. */
export interface RefusalParts extends ErrorParts {
  httpStatus: number;
  requestId: string;
  operation: string;
  method: string;
  path: string;
  messages: readonly BankMessage[];
  /** The code that decides, where it is not the first one. */
  bankCode?: string | undefined;
  retryAfter?: string | undefined;
}

/** A complete answer of the bank that refuses the call; the code in the body decides `exit`. */
export class BankRefusal extends ObkError {
  override readonly name = 'BankRefusal';
  readonly httpStatus: number;
  readonly requestId: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly messages: readonly BankMessage[];
  /** The error code of the bank that decides, or undefined where the answer had none. */
  readonly bankCode: string | undefined;
  readonly retryAfter: string | undefined;

  constructor(parts: RefusalParts) {
    super(parts);
    this.httpStatus = parts.httpStatus;
    this.requestId = parts.requestId;
    this.operation = parts.operation;
    this.method = parts.method;
    this.path = parts.path;
    this.messages = parts.messages;
    this.bankCode =
      parts.bankCode ??
      parts.messages.find(({ category, code }) => category !== 'WARNING' && code !== undefined)?.code;
    this.retryAfter = parts.retryAfter;
  }

  /** The same refusal with what is known of it here; `more` is put below what the bank said. */
  with({ more, ...parts }: Partial<ErrorParts> & { more?: string | undefined }): BankRefusal {
    const { code, exit, title, hint, resource, refused, cause } = this;
    const { httpStatus, requestId, operation, method, path, messages, bankCode, retryAfter } = this;
    const detail = [parts.detail ?? this.detail, more].filter((text) => text !== undefined).join('\n');
    return new BankRefusal({
      ...{ code, title, hint, refused, cause, httpStatus, requestId, operation, method, path, messages },
      ...(parts.code === undefined ? { exit } : {}),
      ...defined({ resource, bankCode, retryAfter }),
      ...parts,
      ...(detail === '' ? {} : { detail }),
    });
  }
}

/** A changing request left and its outcome is not known (exit 12): never to be sent again by itself. */
export class OutcomeUnknown extends ObkError {
  override readonly name = 'OutcomeUnknown';
  readonly intent: string;
  readonly requestId: string;
  readonly operation: string;
  readonly httpStatus: number | undefined;
  /** What the bank said, where it is no proof. */
  readonly messages: readonly BankMessage[];

  constructor(
    parts: ErrorParts & {
      intent: string;
      requestId: string;
      operation: string;
      httpStatus?: number | undefined;
      messages?: readonly BankMessage[];
    },
  ) {
    super(parts);
    this.intent = parts.intent;
    this.requestId = parts.requestId;
    this.operation = parts.operation;
    this.httpStatus = parts.httpStatus;
    this.messages = parts.messages ?? [];
  }
}

/** Why a question stays without an answer where nothing else is known. */
export const nobodyToAsk = 'There is nobody to ask (no terminal, CI, or --no-input).';

/** A question in a run without a person to ask; `flags` name every option that would have answered it. */
export class InteractionNeeded extends ObkError {
  override readonly name = 'InteractionNeeded';
  readonly flags: readonly string[];

  constructor(flags: readonly string[], parts: Partial<ErrorParts> = {}) {
    super({
      code: 'INTERACTION_NEEDED',
      title: flags.length === 1 ? `Missing ${flags[0] ?? ''}.` : `Missing: ${flags.join(', ')}.`,
      detail: nobodyToAsk,
      ...parts,
    });
    this.flags = flags;
  }
}

/** Why the transport failed, in one word. */
export type TransportReason =
  | 'dns'
  | 'connect'
  | 'proxy'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'truncated'
  | 'too-large'
  | 'malformed'
  | 'aborted'
  | 'journal'
  | 'invalid';

/** A request without a complete answer; `sent` is the marker: false means that no byte of it left. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  readonly sent: boolean;
  readonly reason: TransportReason;
  /** Status and headers where at least they arrived (a truncated 201 keeps its Location). */
  readonly partial: { status: number; headers: readonly (readonly [string, string])[] } | undefined;
  /** Advice that fits better than that of the reason. */
  readonly hint: readonly string[] | undefined;
  /** The error of this machine that stopped the request: a key, a file or a variable; it goes before NOT_SENT. */
  readonly code: ErrorCode | undefined;

  constructor(parts: {
    sent: boolean;
    reason: TransportReason;
    message: string;
    cause?: unknown;
    partial?: { status: number; headers: readonly (readonly [string, string])[] };
    hint?: readonly string[];
    code?: ErrorCode;
  }) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.sent = parts.sent;
    this.reason = parts.reason;
    this.hint = parts.hint;
    this.code = parts.code;
    this.partial = parts.partial;
  }
}

import { forProfile, line } from '../../base/command-line.ts';
import { cleanLine } from '../../base/clean.ts';
import { BankRefusal, ObkError, OutcomeUnknown, exitCodes } from '../../base/errors.ts';
import type { BankMessage, ErrorResource, Refused } from '../../base/errors.ts';
import { messageAdvice } from '../../standard/xs2a/advice.ts';
import { httpStatuses } from '../../standard/xs2a/http-statuses.ts';
import type { Style } from './style.ts';
import { fold, isProse } from './wrap.ts';

/** The document that `--json` prints on stderr when a command fails. */
export interface ErrorDocument {
  error: {
    code: string;
    title: string;
    detail: string | null;
    hint: readonly string[];
    exitCode: number;
    httpStatus: number | null;
    requestId: string | null;
    operation: string | null;
    tppMessages: readonly BankMessage[];
    /** Advice for the bank's code, if known. */
    advice: string | null;
    /** With exit 9: what the bank has refused, as far as that is certain. */
    refused: Refused | null;
    resource: ErrorResource | null;
    docs: string;
    next: string | null;
    intent?: string;
    retryAfter?: string;
  };
}

/** Returns any thrown value as an ObkError; any other error is a bug of obk. */
export function asObkError(thrown: unknown): ObkError {
  if (thrown instanceof ObkError) return thrown;
  return new ObkError({
    code: 'INTERNAL',
    title: 'Something went wrong inside obk.',
    detail: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown),
    hint: ['Run it again with --debug for the stack.'],
    cause: thrown,
  });
}

/** The error as one JSON object. */
export function errorDocument(error: ObkError): ErrorDocument {
  const refusal = error instanceof BankRefusal ? error : undefined;
  const unknown = error instanceof OutcomeUnknown ? error : undefined;
  const from = refusal ?? unknown;
  return {
    error: {
      code: error.code,
      title: error.title,
      detail: error.detail ?? null,
      hint: [...error.again, ...hintsOf(error)],
      exitCode: error.exit,
      httpStatus: from?.httpStatus ?? null,
      requestId: from?.requestId ?? null,
      operation: from?.operation ?? null,
      tppMessages: from?.messages ?? [],
      advice: adviceOn(error) ?? null,
      refused: error.refused ?? null,
      resource: error.resource ?? null,
      docs: 'obk help exit-codes',
      next: nextOf(error),
      ...(unknown === undefined ? {} : { intent: unknown.intent }),
      ...(refusal?.retryAfter === undefined ? {} : { retryAfter: refusal.retryAfter }),
    },
  };
}

/**
 * Returns the hints, for the profile that failed; if a full disk kept a created resource from being saved, also the
 * command that continues with it.
 */
function hintsOf(error: ObkError): readonly string[] {
  const { hint, profile, code } = error;
  const own = profile === undefined ? hint : hint.map((one) => forProfile(one, profile));
  const after = code === 'STATE_NOT_WRITTEN' ? onward(error) : undefined;
  return after === undefined || own.includes(after) ? own : [...own, after];
}

/** Returns the first hint that is a command, else the command that continues with the resource. */
function nextOf(error: ObkError): string | null {
  const runnable = hintsOf(error).find((line) => line.startsWith('obk ') && !/^obk help| --help/.test(line));
  if (runnable !== undefined) return runnable.replace(/\s+#.*$/, '');
  return isGone(error) || isRefusedRead(error) ? null : (onward(error) ?? null);
}

/** True if the bank refuses to say where the resource stands: the command that asks for it would lead in a circle. */
const isRefusedRead = (error: ObkError): boolean =>
  error instanceof BankRefusal &&
  error.exit === exitCodes.rejected &&
  /^get(?!.*Sca).*Status$/.test(error.operation);

/** Returns the command that continues with the resource of an error. */
function onward({ resource, profile }: ObkError): string | undefined {
  for (const noun of ['payment', 'consent', 'basket'] as const) {
    const id = resource?.[`${noun}Id`];
    if (id === undefined) continue;
    const next = line`obk ${noun} ${resource?.scaStatus === undefined ? 'status' : 'authorise'} ${id}`;
    return profile === undefined ? next : forProfile(next, profile);
  }
  return undefined;
}

/** True if the bank does not know the resource, so that no command can continue with it. */
const isGone = (error: ObkError): boolean =>
  error instanceof BankRefusal && (error.httpStatus === 404 || error.bankCode === 'CONSENT_UNKNOWN');

/** The document that exit 12 prints on stdout. */
export function unknownDocument(error: OutcomeUnknown): Readonly<Record<string, unknown>> {
  return {
    intent: error.intent,
    requestId: error.requestId,
    next: nextOf(error),
  };
}

/** The code of the bank that decided, where obk can explain it. */
function codeOf({ bankCode: code }: BankRefusal): string | undefined {
  return code !== undefined && Object.hasOwn(messageAdvice, code) ? code : undefined;
}

/** What helps: by the code of the bank, and where it gave none by the HTTP status. */
function adviceOn(error: ObkError): string | undefined {
  if (!(error instanceof BankRefusal)) return undefined;
  const code = codeOf(error);
  const own = code === undefined ? undefined : messageAdvice[code]?.advice;
  if (code === 'FORMAT_ERROR' && error.operation === 'initiatePayment')
    return `${own ?? ''} obk payment lint checks a payment before it is sent.`;
  if (own !== undefined) return own;
  if (error.bankCode !== undefined) return undefined;
  return httpStatuses.find(({ status }) => status === error.httpStatus)?.advice;
}

/** A command that is cut cannot be pasted; no shell accepts a longer one. */
const longest = 8192;

/** The error as text: title, the bank's words, detail, hints, request. */
export function errorText(error: ObkError, style: Style): string {
  const folded = (line: string) => (style.tty ? fold(line, Math.max(40, style.width)) : [line]);
  const [first = '', ...more] = folded(`✗ ${cleanLine(error.title)}`);
  const lines: string[] = [];
  if (error instanceof BankRefusal) lines.push(...bankLines(error));
  if (error.detail !== undefined) {
    lines.push(...error.detail.split('\n').map((line) => `  ${cleanLine(line)}`));
  }
  if (error instanceof BankRefusal && error.retryAfter !== undefined)
    lines.push(`  ${cleanLine(waitText(error.retryAfter))}`);
  const advice = error.hint.length === 0 ? adviceOn(error) : undefined;
  if (advice !== undefined) lines.push(`  ${advice}`);
  const left = isGone(error) ? undefined : resourceLine(error);
  if (left !== undefined) lines.push(`  ${left}`);
  const hints = [...error.again, ...hintsOf(error)].flatMap((hint, at) => {
    const shown = `${at === 0 ? '  Try:  ' : '        '}${cleanLine(hint, longest)}`;
    return isProse(hint) ? folded(shown) : [shown];
  });
  const request = requestLine(error);
  const title = [`${style.bad('✗')} ${style.bold(first.slice(2))}`, ...more.map((line) => style.bold(line))];
  const last = request === undefined ? [] : folded(`  ${request}`).map((line) => style.dim(line));
  return `${[...title, ...lines.flatMap(folded), ...hints, ...last].join('\n')}\n`;
}

/** Retry-After (RFC 9110, 10.2.3) in words: seconds or a date. */
function waitText(retryAfter: string): string {
  const unit = /^\d+$/.test(retryAfter) ? (retryAfter === '1' ? ' second' : ' seconds') : '';
  return `The bank asks to wait ${unit === '' ? `until ${retryAfter}` : `${retryAfter}${unit}`} (Retry-After).`;
}

/** The bank's own words, each message once. */
function bankLines(error: BankRefusal): string[] {
  const from = `(${String(error.httpStatus)}) from ${error.method} ${cleanLine(error.path)}`;
  const plain = from.replace(/^\((\d+)\)/, 'HTTP $1');
  if (error.messages.length === 0) return [`  ${plain}`];
  const grouped = new Map<string, number>();
  for (const { category, code, path, text } of error.messages) {
    const words = [
      [category === 'WARNING' ? 'warning' : '', code ?? ''].filter((word) => word !== '').join(' '),
      category === 'WARNING' ? '' : code === undefined ? plain : from,
      path === undefined ? '' : `at ${path}`,
      text === undefined ? '' : `— "${text}"`,
    ];
    const line = cleanLine(words.filter((word) => word !== '').join(' '));
    grouped.set(line, (grouped.get(line) ?? 0) + 1);
  }
  const lines = [...grouped].map(
    ([line, count]) => `  ${line}${count > 1 ? ` (${String(count)} times)` : ''}`,
  );
  const shown = lines.slice(0, 3);
  if (lines.length > shown.length) shown.push(`  … and ${String(lines.length - shown.length)} more`);
  return shown;
}

/** Returns the line on the resource of an error, so that its id is not lost; it exists where an answer of this run has proved it. */
function resourceLine({ resource = {}, proved }: ObkError): string | undefined {
  const { paymentId, consentId, basketId, authorisationId, transactionStatus, consentStatus, scaStatus } =
    resource;
  const what = [
    paymentId === undefined ? '' : `payment ${paymentId}`,
    consentId === undefined ? '' : `consent ${consentId}`,
    basketId === undefined ? '' : `basket ${basketId}`,
  ].filter((part) => part !== '')[0];
  if (what === undefined) return undefined;
  const status = transactionStatus ?? consentStatus;
  const states = [
    status === undefined || status === proved?.status ? status : `last known status ${status}`,
    authorisationId === undefined ? undefined : `authorisation ${authorisationId}`,
    scaStatus,
  ].filter((part) => part !== undefined);
  const known = states.length === 0 ? '' : ` (${states.join(', ')})`;
  return cleanLine(
    proved === undefined ? `This is about the ${what}${known}.` : `The ${what} exists${known}.`,
  );
}

function requestLine(error: ObkError): string | undefined {
  if (!(error instanceof BankRefusal) && !(error instanceof OutcomeUnknown)) return undefined;
  const code = error instanceof BankRefusal ? codeOf(error) : undefined;
  const explain = code === undefined ? '' : `  ·  obk explain ${code}`;
  return `Request ${cleanLine(error.requestId)}  ·  obk log show @last -vvv${explain}`;
}

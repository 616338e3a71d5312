import type { ServerResponse } from 'node:http';
import type { BankFault } from '../../settings/records/bank-state.ts';
import { codesAt } from '../../standard/xs2a/message-places.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import { refusalReply } from '../payments/authorisations.ts';
import { readEdit, withEdit } from '../rules/faults.ts';
import { Refusal } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';
import { answerOf, bytesOf, send, withErrorForm } from './answer.ts';
import type { Answer } from './answer.ts';
import type { Reply } from '../trust/call.ts';

const html = '<!doctype html><html lang="en"><title>Bad gateway</title><h1>502 Bad Gateway</h1></html>\n';
/** Text with escape sequences that clear the screen, write the clipboard and reverse the direction of writing. */
const escapeSequence = '\u001b[2J\u001b]52;c;b2Jr\u0007\u202eyenom';

/** True for a fault that applies before the operation does anything. */
export function appliesFirst(fault: BankFault): boolean {
  return (
    fault.kind === 'drop-before' ||
    fault.kind === 'redirect' ||
    (fault.kind === 'status' && (fault.status ?? 500) < 500)
  );
}

/** Applies a fault before the operation runs. */
export function applyBefore(fault: BankFault, url: URL, answer: Answer, outgoing: ServerResponse): void {
  if (fault.kind === 'drop-before') outgoing.destroy();
  else if (fault.kind === 'redirect') send(outgoing, { status: 307, headers: { Location: url.href } });
  else send(outgoing, answer);
}

/**
 * Returns the answer of a fault that is a status: one of 400 or more as the interface has it, with a tppMessage where
 * one is known for the status; a raw one is the status alone, as a gateway in front of a bank answers.
 */
export function statusAnswer({ status = 500, raw }: BankFault, struck: Struck): Answer {
  const headers: Record<string, string> = status === 429 || status === 503 ? { 'Retry-After': '1' } : {};
  if (raw === true || status < 400) return { status, headers };
  const { variant, operation, scenario, requestId } = struck;
  const code = codeFor(codesAt(variant.framework, operation, status), status);
  const body = refusalReply(new Refusal(status, code, 'A fault was asked for.'));
  return answerOf(withErrorForm({ ...body, headers }, scenario), requestId);
}

/** The request that a fault strikes. */
export interface Struck {
  variant: Variant;
  operation: Operation;
  scenario: Scenario;
  requestId: string | null;
}

/** Where the interface has several codes at a status, those that do not put the blame on a certificate or a consent. */
const likely = ['TOKEN_INVALID', 'SERVICE_BLOCKED'];

/** The code at a status; none where the interface has none, and no body either. */
function codeFor(codes: readonly string[], status: number): string {
  const [first] = codes;
  if (first !== undefined) return likely.find((code) => codes.includes(code)) ?? first;
  if (status < 500) return '';
  return status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
}

/** Applies a fault to the answer of an operation that is committed. */
export async function applyAfter(
  fault: BankFault,
  reply: Reply,
  whole: Answer,
  outgoing: ServerResponse,
): Promise<void> {
  switch (fault.kind) {
    case 'drop-after-commit':
      outgoing.destroy();
      return;
    case 'status':
      send(outgoing, whole);
      return;
    case 'delay':
      await pause(fault.delayMs ?? 2000, outgoing);
      send(outgoing, whole);
      return;
    case 'html': {
      const headers = { ...reply.headers, 'Content-Type': 'text/html; charset=utf-8' };
      send(outgoing, { status: fault.status ?? 502, headers, content: html });
      return;
    }
    case 'truncate':
      truncate(whole, outgoing);
      return;
    case 'drip':
      drip(whole, outgoing, fault.delayMs ?? 1000);
      return;
    case 'escape':
      send(outgoing, { ...whole, content: JSON.stringify(withEscape(bodyOf(reply))) });
      return;
    case 'edit': {
      const edit = readEdit(fault.edit ?? '');
      const made = { ...whole, content: bytesOf(whole).toString('utf8') };
      send(outgoing, edit === undefined ? whole : withEdit(made, edit));
      return;
    }
    default:
      send(outgoing, whole);
  }
}

/** Returns the JSON of an answer; the body of a payment is in bytes. */
function bodyOf({ body, content }: Reply): object {
  if (content === undefined || !/json$/.test(content.type) || !('bytes' in content)) return body ?? {};
  return JSON.parse(Buffer.from(content.bytes).toString('utf8')) as object;
}

function withEscape(body: object): object {
  const { tppMessages } = body as { tppMessages?: readonly { text?: string }[] };
  if ('detail' in body) return { ...body, detail: escapeSequence };
  if (tppMessages === undefined) return { ...body, psuMessage: escapeSequence };
  return { ...body, tppMessages: tppMessages.map((message) => ({ ...message, text: escapeSequence })) };
}

function pause(ms: number, outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    outgoing.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Sends the right Content-Length and half of the body, then cuts the connection. */
function truncate(whole: Answer, outgoing: ServerResponse): void {
  const bytes = sendHead(whole, outgoing);
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy());
}

/** Sends the headers of the answer and returns its body. */
function sendHead(whole: Answer, outgoing: ServerResponse): Buffer {
  const bytes = bytesOf(whole);
  outgoing.writeHead(whole.status, { ...whole.headers, 'Content-Length': bytes.length });
  return bytes;
}

/** Sends one byte at a time. */
function drip(whole: Answer, outgoing: ServerResponse, everyMs: number): void {
  const bytes = sendHead(whole, outgoing);
  let at = 0;
  const timer = setInterval(() => {
    outgoing.write(bytes.subarray(at, at + 1));
    if (++at < bytes.length) return;
    clearInterval(timer);
    outgoing.end();
  }, everyMs);
  outgoing.once('close', () => {
    clearInterval(timer);
  });
}

import { ObkError } from '../../base/errors.ts';
import type { BankFault } from '../../settings/records/bank-state.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import type { Database } from '../books/database.ts';

/** Strikes every operation. */
export const anyOperation = '*';

interface FaultRow {
  faultId: bigint;
  operation: string;
  kind: BankFault['kind'];
  status: bigint | null;
  delayMs: bigint | null;
  raw: bigint | null;
  edit: string | null;
  remaining: bigint;
}

const read = (row: FaultRow): BankFault => ({
  operation: row.operation,
  kind: row.kind,
  ...(row.status !== null && { status: Number(row.status) }),
  ...(row.delayMs !== null && { delayMs: Number(row.delayMs) }),
  ...(row.raw === 1n && { raw: true }),
  ...(row.edit !== null && { edit: row.edit }),
  count: Number(row.remaining),
});

/** The operations whose resources a TPP is notified of. */
const notifying: readonly string[] = [
  'initiatePayment',
  'createConsent',
  'createSigningBasket',
] satisfies OperationId[];

/** Adds a fault for the next requests of an operation, or for the next notifications of what it makes; throws USAGE where there can be none. */
export function addFault(log: Database, fault: BankFault): void {
  const { kind, operation } = fault;
  if (kind.startsWith('push-') && operation !== anyOperation && !notifying.includes(operation))
    throw new ObkError({
      code: 'USAGE',
      title: `There are no notifications of ${operation} for ${kind} to strike.`,
      detail: `It strikes those of what ${notifying.join(', ')} make.`,
      hint: [`obk sandbox fault add initiatePayment ${kind}`],
    });
  if (kind === 'edit' && readEdit(fault.edit ?? '') === undefined)
    throw new ObkError({
      code: 'USAGE',
      title: `${JSON.stringify(fault.edit ?? '')} is no edit of an answer.`,
      detail: `An edit is ${editForms}.`,
      hint: ['obk sandbox fault add createConsent edit /consentId=7'],
    });
  log.run(
    'INSERT INTO faults (operation, kind, status, delayMs, remaining, raw, edit) VALUES (?, ?, ?, ?, ?, ?, ?)',
    fault.operation,
    fault.kind,
    fault.status ?? null,
    fault.delayMs ?? null,
    fault.count,
    fault.raw === true ? 1 : null,
    fault.edit ?? null,
  );
}

const select = 'SELECT faultId, operation, kind, status, delayMs, remaining, raw, edit FROM faults';

/** The pending faults, in the order of their adding; `count` is the remaining number. */
export function allFaults(log: Database): BankFault[] {
  return log.all<FaultRow>(`${select} ORDER BY faultId`).map(read);
}

/** Forgets all faults. */
export function clearFaults(log: Database): void {
  log.run('DELETE FROM faults');
}

/**
 * Takes the oldest fault that strikes a call of this operation, or a notification of what it made; each fault once. One by
 * plain http shows no certificate: a foreign one waits for the next by TLS.
 */
export function takeFault(
  log: Database,
  operation: string,
  strikes: 'call' | 'push' | 'plain-push' = 'call',
): BankFault | undefined {
  const find = () =>
    log.one<FaultRow>(
      `${select} WHERE operation IN (?, ?) AND (kind LIKE 'push-%') = ? AND kind <> ? ORDER BY faultId LIMIT 1`,
      operation,
      anyOperation,
      Number(strikes !== 'call'),
      strikes === 'plain-push' ? 'push-foreign-certificate' : '',
    );
  if (find() === undefined) return undefined;
  return log.atomically(() => {
    const row = find();
    if (row === undefined) return undefined;
    if (row.remaining > 1n)
      log.run('UPDATE faults SET remaining = remaining - 1 WHERE faultId = ?', row.faultId);
    else log.run('DELETE FROM faults WHERE faultId = ?', row.faultId);
    return read(row);
  });
}

/** One thing in an answer that is written otherwise: the status, a header, the body or a member of it. */
export type AnswerEdit =
  | { readonly status: number }
  | { readonly body: string }
  | { readonly header: string; readonly to: string | undefined }
  | { readonly pointer: readonly string[]; readonly to: unknown };

/** An answer as far as it is edited. */
interface Edited {
  status: number;
  headers: Readonly<Record<string, string>>;
  content: string;
}

/** How an edit is written, for people. */
export const editForms = 'status=200, body=TEXT, NAME:=VALUE, NAME:, /pointer=VALUE or /pointer';

/**
 * Reads an edit: `status=200`, `body=TEXT`, `Location:=URL` for a header and `/paymentId=7` for a member by its JSON pointer, where the value
 * is JSON or else a text; `Location:` and `/paymentId` leave it out. Undefined for any other text.
 */
export function readEdit(text: string): AnswerEdit | undefined {
  const [, status] = /^status=([2-5]\d\d)$/.exec(text) ?? [];
  if (status !== undefined) return { status: Number(status) };
  if (text.startsWith('body=')) return { body: text.slice('body='.length) };
  const [, name, to] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(?:=([\x20-\x7e]+))?$/.exec(text) ?? [];
  if (name !== undefined) return { header: name, to };
  const [, pointer, value] = /^((?:\/(?:[^=~/]|~[01])+)+)(?:=(.*))?$/s.exec(text) ?? [];
  if (pointer === undefined) return undefined;
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { pointer: steps, to: value === undefined ? undefined : valueOf(value) };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Writes an answer otherwise in one thing; one that has no JSON keeps its members. */
export function withEdit(answer: Edited, edit: AnswerEdit): Edited {
  if ('status' in edit) return { ...answer, status: edit.status };
  if ('body' in edit) return { ...answer, content: edit.body };
  if ('header' in edit) {
    const kept = Object.entries(answer.headers).filter(
      ([name]) => name.toLowerCase() !== edit.header.toLowerCase(),
    );
    const set: [string, string][] = edit.to === undefined ? [] : [[edit.header, edit.to]];
    return { ...answer, headers: Object.fromEntries([...kept, ...set]) };
  }
  const json = valueOf(answer.content);
  if (!isObject(json)) return answer;
  const { pointer, to } = edit;
  let at: unknown = json;
  for (const step of pointer.slice(0, -1))
    at = isObject(at) && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
  const last = pointer.at(-1) ?? '';
  if (!isObject(at)) return answer;
  if (to !== undefined)
    Object.defineProperty(at, last, { value: to, enumerable: true, writable: true, configurable: true });
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else Reflect.deleteProperty(at, last);
  return { ...answer, content: JSON.stringify(json) };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

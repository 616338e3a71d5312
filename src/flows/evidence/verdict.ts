import type { ExchangeView } from '../../records/exchange.ts';
import type { Ticket } from '../../records/ticket.ts';

/** One sentence about how it stands: what the last call that failed says, else the status; null where nothing is known. */
export function verdictOf(
  exchanges: readonly ExchangeView[],
  status: Pick<Ticket['statuses'][number], 'value' | 'meaning'> | undefined,
): string | null {
  const unknown = exchanges.findLast(
    ({ outcome, resolution }) => outcome === 'UNKNOWN' && resolution === undefined,
  );
  if (unknown !== undefined) return `the outcome of ${unknown.operation} is unknown`;
  const last = exchanges.at(-1);
  const failed = last === undefined || last.outcome === 'DONE' ? undefined : last;
  if (failed?.answer !== undefined && failed.outcome !== undefined) {
    const [message] = failed.answer.messages;
    const why = message?.code ?? `HTTP ${String(failed.answer.status)}`;
    const where = message?.path === undefined ? '' : ` in ${message.path}`;
    return `refused by the bank: ${why}${where} (${failed.operation})`;
  }
  if (failed?.failure !== undefined)
    return failed.failure.left ? `no answer to ${failed.operation}` : `${failed.operation} was not sent`;
  if (status === undefined) return null;
  return status.meaning === null ? status.value : `${status.value}: ${status.meaning}`;
}

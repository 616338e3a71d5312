import type { ExchangeView } from '../../records/exchange.ts';
import type { Ticket } from '../../records/ticket.ts';
import { readErrorBody } from '../../xs2a/tpp-messages.ts';

/** One sentence about how it stands: what the last call that failed says, else the status; null where nothing is known. */
export function verdictOf(
  exchanges: readonly ExchangeView[],
  status: Pick<Ticket['statuses'][number], 'value' | 'meaning'> | undefined,
): string | null {
  const unknown = exchanges.findLast(
    ({ outcome, resolution }) => outcome === 'UNKNOWN' && resolution === undefined,
  );
  if (unknown !== undefined) {
    const { answer } = unknown;
    const why = answer === undefined ? 'no answer' : `the bank answered ${reasonIn(answer)}`;
    return `the outcome of ${unknown.operation} is unknown (${why})`;
  }
  const last = exchanges.at(-1);
  const failed = last === undefined || last.outcome === 'DONE' ? undefined : last;
  if (failed?.answer !== undefined && failed.outcome !== undefined) {
    const [message] = failed.answer.messages;
    const where = message?.path === undefined ? '' : ` in ${message.path}`;
    return `refused by the bank: ${message?.code ?? reasonIn(failed.answer)}${where} (${failed.operation})`;
  }
  if (failed?.failure !== undefined)
    return failed.failure.left ? `no answer to ${failed.operation}` : `${failed.operation} was not sent`;
  if (status === undefined) return null;
  return status.meaning === null ? status.value : `${status.value}: ${status.meaning}`;
}

const mostWords = 80;

/** The status of an answer with its code, or with the first words of one that has none. */
function reasonIn({ status, body, headers }: NonNullable<ExchangeView['answer']>): string {
  const said = `HTTP ${String(status)}`;
  const type = headers.find(({ name }) => /^content-type$/i.test(name))?.value;
  const { shape, text = '', messages } = readErrorBody(Buffer.from(body), type);
  const [message] = messages;
  if (message !== undefined) return `${said}, ${message.code}`;
  const words = shape === 'html' ? `HTML of a gateway or web server, ${text}` : text;
  const short = words.replace(/\s+/g, ' ').trim();
  if (short === '') return said;
  return `${said}, ${short.length > mostWords ? `${short.slice(0, mostWords)}…` : short}`;
}

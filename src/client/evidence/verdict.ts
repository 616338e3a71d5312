import type { ExchangeView } from '../../settings/records/exchange.ts';
import type { Ticket } from '../../settings/records/ticket.ts';
import { decisiveCode, hasExit } from '../../standard/xs2a/bank-messages.ts';
import { readErrorBody } from '../../standard/xs2a/tpp-messages.ts';

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
    const { messages, status: http } = failed.answer;
    const code = decisiveCode(messages);
    const message = messages.find((one) => one.code === code);
    const where = message?.path === undefined ? '' : ` in ${message.path}`;
    const said = code === undefined || hasExit(code) ? code : `HTTP ${String(http)}, ${code}`;
    return `refused by the bank: ${said ?? reasonIn(failed.answer)}${where} (${failed.operation})`;
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
  const { shape, text = '', messages } = readErrorBody(Buffer.from(body), { contentType: type });
  const code = decisiveCode(messages) ?? messages.find((one) => one.text !== undefined)?.text;
  if (code !== undefined) return `${said}, ${short(code)}`;
  const words = shape === 'html' ? `HTML of a gateway or web server, ${text}` : text;
  return words.trim() === '' ? said : `${said}, ${short(words)}`;
}

function short(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > mostWords ? `${line.slice(0, mostWords)}…` : line;
}

import type { Context } from '../../context.ts';
import type { Journal, JournalRecord } from '../../ports.ts';
import { usageError } from '../flags.ts';

type Of<Type extends JournalRecord['type']> = Extract<JournalRecord, { type: Type }>;

/** One call of a run: what was prepared, and how it ended. */
export interface Exchange {
  prepared: Of<'prepared'>;
  sending: boolean;
  end: Of<'answered'> | Of<'failed'> | undefined;
  resolved: Of<'resolved'> | undefined;
}

/** One run with its calls in order. */
export interface RunRecord {
  run: string;
  head: Of<'run'> | undefined;
  exchanges: readonly Exchange[];
  exit: number | undefined;
}

/** Reads a run and puts its records together by call. */
export async function readRun(journal: Journal, run: string): Promise<RunRecord> {
  const records = await journal.read(run);
  const exchanges: Exchange[] = [];
  let head: Of<'run'> | undefined;
  let exit: number | undefined;
  for (const record of records) {
    if (record.type === 'run') head = record;
    else if (record.type === 'ended') exit = record.exit;
    else if (record.type === 'prepared') {
      exchanges.push({ prepared: record, sending: false, end: undefined, resolved: undefined });
    } else {
      const own = exchanges.find(({ prepared }) => prepared.exchange === record.exchange);
      if (own === undefined) continue;
      if (record.type === 'sending') own.sending = true;
      else if (record.type === 'resolved') own.resolved = record;
      else own.end = record;
    }
  }
  return { run, head, exchanges, exit };
}

/** The run that a word names: @last, @last-2, or the beginning of an id. */
export async function findRun(context: Context, word: string): Promise<string> {
  const all = await context.ports.journal.runs();
  // The run that asks is no run to look at.
  const runs = all.filter(({ run }) => run !== context.ports.journal.run);
  const back = /^@last(?:-(\d{1,4}))?$/.exec(word);
  const matches =
    back === null
      ? runs.filter(({ run }) => run === word || (word.length >= 4 && run.startsWith(word)))
      : [runs[Number(back[1] ?? 0)]].filter((run) => run !== undefined);
  const [only, other] = matches;
  if (only !== undefined && (other === undefined || only.run === word)) return only.run;
  throw usageError(
    other === undefined
      ? `The journal has no run ${JSON.stringify(word)}.`
      : `${JSON.stringify(word)} fits several runs.`,
    'obk log list',
  );
}

/** What a call came to, in one word or a status. */
export function outcomeOf({ end, sending }: Exchange): string {
  if (end?.type === 'answered')
    return end.outcome === 'UNKNOWN' ? `UNKNOWN (${end.status})` : String(end.status);
  if (end?.type === 'failed') return `${end.outcome}: ${end.reason}`;
  return sending ? 'UNKNOWN: no answer recorded' : 'NOT_SENT';
}

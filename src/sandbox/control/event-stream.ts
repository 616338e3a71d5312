import { eventsAfter, lastEvent } from '../rules/events.ts';
import type { BankEvent } from '../rules/events.ts';
import type { RunningBank } from '../trust/call.ts';
import type { ControlHandler } from './control-call.ts';
import { Problem } from './problem.ts';

/** How often the ledger is asked for more: another process may have written it. */
const lookMs = 200;
/** A stream says something now and then, so that nobody on the way takes it for dead. */
const beatMs = 15_000;
/** So many events are read in one go, and no more before they are sent. */
const batch = 100;
/** So many listen to one ledger at once: a test that forgets to close its streams shall not slow the bank down. */
const mostStreams = 64;
/** The streams of each ledger. */
const streams = new WeakMap<object, number>();

/** What happens, as server-sent events (HTML, 9.2). */
export const eventStream = {
  followEvents({ bank, given }) {
    const open = streams.get(bank.ledger) ?? 0;
    if (open >= mostStreams) throw tooMany();
    streams.set(bank.ledger, open + 1);
    const last = given['Last-Event-ID'];
    const from = last === undefined ? lastEvent(bank.ledger.log) : Number(last);
    return new Response(streamOf(bank, from), {
      headers: {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        // The connection is of no further use, and the bank would wait for it.
        Connection: 'close',
      },
    });
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;

const tooMany = (): Problem =>
  new Problem(429, {
    title: `${String(mostStreams)} streams of events are open already.`,
    detail: 'The bank does not take more; each one stays until its reader closes it.',
    next: ['Close a stream that is read no more, or let several readers share one.'],
    headers: { 'Retry-After': '1' },
  });

/** Reads the ledger only when who listens takes more, and ends with the bank. */
function streamOf(bank: RunningBank, from: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  let isOpen = true;
  const leave = () => {
    if (isOpen) streams.set(bank.ledger, (streams.get(bank.ledger) ?? 1) - 1);
    isOpen = false;
  };
  let after = from;
  let spoke = performance.now();
  return new ReadableStream(
    {
      start(controller) {
        controller.enqueue(encoder.encode(': the bank speaks when something happens\n\n'));
      },
      async pull(controller) {
        const ended = AbortSignal.any([bank.ending, gone.signal]);
        for (;;) {
          const events = ended.aborted ? [] : eventsAfter(bank.ledger.log, after, batch);
          const beat = performance.now() - spoke > beatMs;
          if (events.length > 0 || beat) {
            after = events.at(-1)?.eventId ?? after;
            spoke = performance.now();
            const text = events.map(written).join('');
            controller.enqueue(encoder.encode(text === '' ? ': still there\n\n' : text));
            return;
          }
          if (ended.aborted) {
            leave();
            if (!gone.signal.aborted) controller.close();
            return;
          }
          await pause(lookMs, ended);
        }
      },
      cancel() {
        leave();
        gone.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

/** An event as its stream has it. */
const written = ({ eventId, kind, data }: BankEvent): string =>
  `id: ${String(eventId)}\nevent: ${kind}\ndata: ${data}\n\n`;

function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      ended.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    ended.addEventListener('abort', done);
  });
}

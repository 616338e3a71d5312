import { eventsAfter, lastEvent } from '../rules/events.ts';
import type { BankEvent } from '../rules/events.ts';
import type { Database } from '../books/database.ts';
import { Problem } from './problem.ts';
import { integer, text } from '../openapi/schema.ts';
import type { Operations } from './control-call.ts';

/** How often the ledger is asked for more: another process may have written it. */
const lookMs = 200;
/** A stream says something now and then, so that nobody on the way takes it for dead. */
const beatMs = 15_000;
/** So many events are read in one go, and no more before they are sent. */
const batch = 100;
/** An event that ends beyond so many bytes of a batch waits for the next one: 64 slow readers hold little memory. */
const batchBytes = 64 * 1024;
/** So many listen to one ledger at once: a test that forgets to close its streams shall not slow the bank down. */
const mostStreams = 64;
/** The streams of each ledger. */
const streams = new WeakMap<object, number>();

/** What happens, as server-sent events (HTML, 9.2). */
export const eventStream = {
  followEvents: {
    at: 'GET /events',
    summary: 'What happens, as it happens',
    about:
      'Server-sent events: `call` (an element of /calls), `payment`, `consent` and `basket` (id and status), `authorisation` (a new one or its new scaStatus), `decision` (an authorisation has ended: finalised, exempted or failed) and `reset`. The id of an event goes into Last-Event-ID to go on after it; the last 10,000 are kept, and `missed` (how many `events`) says that those after it are not. A number that the bank has not given yet is of an earlier bank: then comes `reset`, and all from the beginning. The stream ends with the bank, and where its reader takes nothing for two minutes; 64 may be open at once.',
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        description:
          'Goes on after this event; without it the stream begins with what happens next. 0 is the beginning.',
        schema: integer(undefined, { minimum: 0 }),
        example: 0,
      },
    ],
    gives: {
      status: 200,
      about: 'A stream without end.',
      type: 'text/event-stream',
      schema: text(),
      example:
        'id: 7\nevent: payment\ndata: {"id":"3d9a81b3-a47d-4130-8765-a9c0ff861b99","status":"RCVD"}\n\n',
    },
    also: [429],
    run({ bank, given }) {
      const open = streams.get(bank.ledger) ?? 0;
      if (open >= mostStreams) throw tooMany();
      streams.set(bank.ledger, open + 1);
      const last = given['Last-Event-ID'];
      const from = last === undefined ? lastEvent(bank.ledger.log) : Number(last);
      const leave = () => {
        streams.set(bank.ledger, (streams.get(bank.ledger) ?? 1) - 1);
      };
      return new Response(streamOf({ log: bank.ledger.log, ending: bank.ending }, from, leave), {
        headers: {
          'Content-Type': 'text/event-stream; charset=utf-8',
          'Cache-Control': 'no-store',
          // The connection is of no further use, and the bank would wait for it.
          Connection: 'close',
        },
      });
    },
  },
} as const satisfies Operations;

const tooMany = (): Problem =>
  new Problem(429, {
    title: `${String(mostStreams)} streams of events are open already.`,
    detail: 'The bank does not take more; each one stays until its reader closes it.',
    next: ['Close a stream that is read no more, or let several readers share one.'],
    headers: { 'Retry-After': '1' },
  });

/**
 * Reads the ledger only when who listens takes more, and ends with the bank; `leave` runs once, when it has ended. Who takes
 * nothing is cut by the server, as every silent connection is.
 */
export function streamOf(
  bank: { log: Database; ending: AbortSignal },
  from: number,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  gone.signal.addEventListener('abort', leave, { once: true });
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
          const events = ended.aborted ? [] : nextEvents(bank.log, after);
          const beat = performance.now() - spoke > beatMs;
          if (events.length > 0 || beat) {
            after = events.at(-1)?.eventId ?? after;
            spoke = performance.now();
            const text = events.map(written).join('');
            controller.enqueue(encoder.encode(text === '' ? ': still there\n\n' : text));
            return;
          }
          if (ended.aborted) {
            if (!gone.signal.aborted) controller.close();
            gone.abort();
            return;
          }
          await pause(lookMs, ended);
        }
      },
      cancel() {
        gone.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The next batch; where the bank has forgotten what came after `after`, or never gave that number, it says so first. */
function nextEvents(log: Database, after: number): BankEvent[] {
  const last = lastEvent(log);
  if (after > last) return [{ eventId: 0, kind: 'reset', id: '', data: '{}' }];
  const events = withinBytes(eventsAfter(log, after, batch));
  const [first] = events;
  const missed = first === undefined ? 0 : first.eventId - after - 1;
  if (first === undefined || missed === 0) return events;
  const data = JSON.stringify({ events: missed });
  return [{ eventId: first.eventId - 1, kind: 'missed', id: '', data }, ...events];
}

/** The first of the events, and those after it that are not too long together. */
function withinBytes(events: readonly BankEvent[]): BankEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ data }) => (bytes += Buffer.byteLength(data)) > batchBytes);
  return events.slice(0, end < 0 ? events.length : Math.max(end, 1));
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

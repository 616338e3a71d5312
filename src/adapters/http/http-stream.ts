import { TransportFailure } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { HttpAnswer, HttpLimits } from '../../client/ports/http.ts';
import { collectedEarly } from '../system/collected-early.ts';
import { decodedStream } from './http-decode.ts';

/** The bytes of an answer as they arrive; the bank is held back while they are not read. */
export interface Inflow {
  bytes: AsyncGenerator<Uint8Array>;
  push(chunk: Uint8Array): void;
  /** Nothing more comes: the answer is whole, or this is why it is not. */
  end(failure?: TransportFailure): void;
}

interface InflowOptions {
  limits: HttpLimits;
  clock: Clock;
  flow: { pause(): void; resume(): void };
  /** The bank sends nothing, or too slowly to come to an end. */
  stalled(message: string): void;
  /** The reader has left. */
  left(): void;
}

/** Bytes buffered while nobody reads; most answers fit into this first piece. */
const heldBytes = 256 * 1024;
/** Bytes per millisecond that a bank must send on average, once the deadline of a usual answer is over. */
const slowest = 16;

export function openInflow(options: InflowOptions): Inflow {
  const { limits, clock, flow } = options;
  const queue: Uint8Array[] = [];
  let held = 0;
  let total = 0;
  let waited = 0;
  let ended: { failure: TransportFailure | undefined } | undefined;
  let wake: () => void = () => undefined;

  /** Only while somebody waits for the bank does its time run. */
  const more = async () => {
    const since = clock.monotonic();
    const arrived = new AbortController();
    const patience = Math.min(limits.firstByteMs, limits.deadlineMs + total / slowest - waited);
    const come = new Promise<void>((resolve) => (wake = resolve));
    clock.sleep(Math.max(0, patience), arrived.signal).then(
      () => {
        options.stalled(`the answer stopped, or came too slowly, after ${total} bytes`);
      },
      () => undefined,
    );
    flow.resume();
    await come;
    arrived.abort();
    waited += clock.monotonic() - since;
  };

  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = queue.shift();
        if (chunk !== undefined) {
          held -= chunk.length;
          yield chunk;
        } else if (ended === undefined) await more();
        else if (ended.failure === undefined) return;
        else throw ended.failure;
      }
    } finally {
      options.left();
    }
  }

  return {
    bytes: bytes(),
    push(chunk) {
      queue.push(chunk);
      held += chunk.length;
      total += chunk.length;
      if (held >= heldBytes) flow.pause();
      wake();
    },
    end(failure) {
      ended ??= { failure };
      // After an interrupt, bytes that have already arrived are dropped.
      if (failure?.reason === 'aborted') queue.length = 0;
      wake();
    },
  };
}

/**
 * Reads the beginning of an answer: the whole of most. `done` is called when the last byte was taken. Throws
 * TransportFailure, as does `rest`, also where more than `maxBytes` come out of it.
 */
export async function beginningOf(
  { rest, ...answer }: HttpAnswer,
  maxBytes: number,
  done: () => void,
): Promise<HttpAnswer> {
  if (rest === undefined) return answer;
  const bytes = taken(collectedEarly(capped(decodedStream(answer, rest), answer, maxBytes)), done);
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < heldBytes;) {
    const next = await bytes.next();
    if (next.done === true) return { ...answer, body: Buffer.concat(chunks) };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { ...answer, body: Buffer.concat(chunks), rest: bytes };
}

async function* taken(bytes: AsyncGenerator<Uint8Array>, done: () => void): AsyncGenerator<Uint8Array> {
  yield* bytes;
  done();
}

async function* capped(
  bytes: AsyncGenerator<Uint8Array>,
  { status, headers }: HttpAnswer,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) {
      const message = `the answer is larger than ${maxBytes} bytes`;
      throw new TransportFailure({ sent: true, reason: 'too-large', message, partial: { status, headers } });
    }
    yield chunk;
  }
}

import { TransportFailure } from '../../base/errors.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import type { Target } from './target.ts';
import type { Verdict } from './verdict.ts';

/**
 * Wraps the rest of a streamed answer. `seen` gets each piece first. `end` is called exactly once, whether the stream
 * ends, fails or is abandoned; throws the error of the verdict that `end` returns.
 */
export async function watched<A>(
  rest: AsyncGenerator<Uint8Array>,
  { run }: Target,
  seen: (piece: Uint8Array) => Promise<void> | undefined,
  end: (broken: TransportFailure | undefined, whole: boolean) => Promise<Verdict<A>>,
): Promise<AsyncGenerator<Uint8Array>> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let broken: TransportFailure | undefined;
    let whole = false;
    let verdict: Verdict<A>;
    try {
      yield new Uint8Array();
      for await (const piece of rest) {
        await seen(piece);
        yield piece;
      }
      whole = true;
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      broken = error;
    } finally {
      await rest.return(undefined);
      verdict = await end(broken, whole);
    }
    run.signal?.throwIfAborted();
    if ((broken !== undefined || whole) && verdict.outcome !== 'DONE') throw verdict.error;
  }
  const begun = bytes();
  // A generator that was never started would not run its `finally` when it is closed.
  await begun.next();
  return begun;
}

/** All bytes of an answer; of a streamed one, piece by piece. */
export async function* bytesOf({ body, rest }: Answer): AsyncGenerator<Uint8Array> {
  try {
    yield body;
    if (rest !== undefined) yield* rest;
  } finally {
    await rest?.return(undefined);
  }
}

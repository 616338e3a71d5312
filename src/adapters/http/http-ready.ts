import type { Socket } from 'node:net';
import type { TransportFailure } from '../../base/errors.ts';

/** Resolves at the event; rejects where the socket ends before it. */
export async function ready(
  socket: Socket,
  event: string,
  signal: AbortSignal,
  why: (error: Error) => TransportFailure,
): Promise<void> {
  const done = new Promise<void>((resolve) =>
    socket.once(event, () => {
      resolve();
    }),
  );
  await Promise.race([done, lost(socket, signal, why)]);
}

/** Rejects when the socket ends, or is ended by the signal; else it stays open. */
export function lost(
  socket: Socket,
  signal: AbortSignal,
  why: (error: Error) => TransportFailure,
): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => socket.destroy();
    socket.on('error', (error: Error) => {
      reject(why(error));
    });
    socket.on('close', () => {
      signal.removeEventListener('abort', stop);
      reject(why(new Error('the other side closed the connection')));
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

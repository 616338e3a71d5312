import { TransportFailure } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { ReceivedNotification } from '../ports/notifications.ts';

const limits = { connectMs: 2_000, firstByteMs: 5_000, deadlineMs: 5_000, maxBytes: 64 * 1024 };

/**
 * Hands a notification on as it came, once, and follows no redirect; returns the status of the answer, or null where there
 * was no whole one. A program that is not there, or is slow, ends nothing.
 */
export async function forward(
  { http, notices }: Pick<Ports, 'http' | 'notices'>,
  url: string,
  { requestId, body }: ReceivedNotification,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const headers = [
      ['Content-Type', 'application/json'],
      ['X-Request-ID', requestId],
    ] as const;
    const request = { method: 'POST', url, headers, body } as const;
    return (await http.send(request, { limits, connection: {}, fresh: true, signal })).status;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TransportFailure)) throw error;
    notices.warn(`A notification was not handed on: ${error.message}.`);
    return null;
  }
}

import { ObkError } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import type { ReceivedNotification } from '../../ports/notifications.ts';

const limits = { connectMs: 5_000, firstByteMs: 10_000, deadlineMs: 15_000, maxBytes: 64 * 1024 };

/** Hands a notification on as it came, once; returns the status of the answer, or null where there was none. */
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
    if (!(error instanceof ObkError) || signal.aborted) throw error;
    notices.warn(`A notification was not handed on: ${error.title}`);
    return null;
  }
}

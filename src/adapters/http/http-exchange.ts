import { TransportFailure } from '../../base/errors.ts';
import type { TransportReason } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Http, HttpAnswer, HttpLimits } from '../../client/ports/http.ts';
import type { Header } from '../../settings/records/wire.ts';
import { decodeBody } from './http-decode.ts';
import { drop } from './http-line.ts';
import type { Line } from './http-line.ts';
import type { CheckedRequest } from './http-request-check.ts';
import { openInflow } from './http-stream.ts';
import type { Inflow } from './http-stream.ts';
import { endsByClose, sumsOf } from './http-sums.ts';
import type { Sums } from './http-sums.ts';

type Options = Parameters<Http['send']>[1];

/**
 * Sends one request on a line and reads the whole answer; of one that streams, nothing but its head. Whatever ends it first
 * counts, and everything after it is ignored: answer, loss, a limit of time or size, the signal.
 */
export function exchange(
  line: Line,
  request: CheckedRequest,
  options: Options,
  clock: Clock,
): Promise<HttpAnswer> {
  const { limits, signal } = options;
  const { host } = request.origin;
  return new Promise((resolve, reject) => {
    let sent = false;
    let sums: Sums | undefined;
    let partial: { status: number; headers: readonly Header[] } | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    let inflow: Inflow | undefined;
    let isOver = false;
    /** Ends the waiting for a limit of time. */
    const waiting: Partial<Record<keyof HttpLimits, () => void>> = {};
    let lostBefore: (() => void) | undefined;

    const end = (act: () => void) => {
      if (isOver) return;
      isOver = true;
      signal?.removeEventListener('abort', interrupt);
      waiting.connectMs?.();
      waiting.firstByteMs?.();
      waiting.deadlineMs?.();
      lostBefore?.();
      act();
    };
    const fail = (reason: TransportReason, message: string, cause?: unknown, hint?: readonly string[]) => {
      const failure = new TransportFailure({
        ...{ sent, reason, message, cause },
        ...(partial && { partial }),
        ...(hint && { hint }),
      });
      end(() => {
        drop(line);
        if (inflow === undefined) reject(failure);
        else inflow.end(failure);
      });
    };
    const failWith = (error: unknown) => {
      if (error instanceof TransportFailure) fail(error.reason, error.message, error.cause, error.hint);
      else fail(reasonOf(error as Error, partial !== undefined), `${host}: ${(error as Error).message}`);
    };
    const interrupt = () => {
      fail('aborted', 'the request was interrupted', signal?.reason);
    };
    const limit = (name: keyof HttpLimits, what: string) => {
      waiting[name] = clock.after(limits[name], () => {
        fail('timeout', `${host}: ${what} within ${limits[name]} ms`);
      });
    };

    const beforeFirstByte = async () => {
      waiting.connectMs?.();
      try {
        await options.onSending?.();
      } catch (cause) {
        const message = 'the record that must precede the first byte could not be written';
        throw new TransportFailure({ sent: false, reason: 'journal', message, cause });
      }
      if (isOver) throw new Error('over');
      if (line.socket?.destroyed !== false) {
        const message = `${host}: the connection was lost before anything was sent`;
        throw new TransportFailure({ sent: false, reason: 'reset', message });
      }
      sent = true;
      line.gate?.begin();
      // Undici takes a body that has no length for whole when its connection is reset.
      const lost = (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET') failWith(error);
      };
      line.socket.prependListener('error', lost);
      lostBefore = () => line.socket?.off('error', lost);
      limit('firstByteMs', 'no answer began');
    };

    const answerOf = (head: NonNullable<typeof partial>, decoded: Uint8Array): HttpAnswer => ({
      ...head,
      body: decoded,
      ...(sums && { sums: sums.sums }),
      ...(endsByClose(head.status, head.headers) && { endedByClose: true }),
      ...(line.tls && { tls: line.tls }),
    });
    const stream = (head: NonNullable<typeof partial>) => {
      waiting.deadlineMs?.();
      const flow = {
        pause: () => line.gate?.hold(),
        resume: () => line.gate?.open(),
      };
      const opened = openInflow({
        ...{ limits, clock, flow },
        stalled: (message) => {
          fail('timeout', `${host}: ${message}`);
        },
        left: () => {
          end(() => {
            drop(line);
          });
        },
      });
      inflow = opened;
      resolve({ ...answerOf(head, new Uint8Array()), rest: opened.bytes });
    };

    const dispatch = () => {
      const { method, path, headers } = request;
      const body = request.body.length > 0 ? Buffer.from(request.body) : null;
      line.client.dispatch(
        { method, path, headers, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (controller, status) => {
            if (status < 100)
              fail('malformed', `${host}: the answer has the status ${String(status).padStart(3, '0')}`);
            if (status < 200) return;
            waiting.firstByteMs?.();
            partial = { status, headers: headersOf(controller.rawHeaders as Buffer[]) };
            sums = sumsOf(partial.headers);
            if (options.stream !== undefined && status < 300) stream(partial);
          },
          onResponseData: (_controller, chunk) => {
            const most = inflow === undefined ? limits.maxBytes : (options.stream?.maxBytes ?? 0);
            size += chunk.length;
            sums?.update(chunk);
            if (size > most) fail('too-large', `the answer is larger than ${most} bytes`);
            else if (inflow === undefined) chunks.push(chunk);
            else inflow.push(chunk);
          },
          onResponseEnd: () => {
            if (inflow !== undefined) {
              end(() => inflow?.end());
              return;
            }
            const head = partial ?? { status: 0, headers: [] };
            decodeBody(head, Buffer.concat(chunks), limits.maxBytes).then((decoded) => {
              end(() => {
                resolve(answerOf(head, decoded));
              });
            }, failWith);
          },
          onResponseError: (_controller, error) => {
            failWith(error);
          },
        },
      );
    };

    if (signal?.aborted) {
      interrupt();
      return;
    }
    signal?.addEventListener('abort', interrupt, { once: true });
    limit('deadlineMs', 'the answer was not complete');
    if (line.socket) {
      beforeFirstByte().then(dispatch).catch(failWith);
      return;
    }
    limit('connectMs', 'no connection');
    line.beforeFirstByte = beforeFirstByte;
    try {
      dispatch();
    } catch (error) {
      failWith(error);
    }
  });
}

function headersOf(raw: Buffer[]): Header[] {
  const headers: Header[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.push([raw[index]?.toString('latin1') ?? '', raw[index + 1]?.toString('latin1') ?? '']);
  }
  return headers;
}

/** The error itself is not passed on as cause: undici's parser errors carry the bytes of the answer. */
function reasonOf(error: NodeJS.ErrnoException, begun: boolean): TransportReason {
  const code = error.code ?? '';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large';
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return 'invalid';
  if (/^ERR_(?:SSL|TLS)_/.test(code)) return 'tls';
  if (error.name === 'HTTPParserError' && !error.message.includes('EOF')) return 'malformed';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !begun) return 'malformed';
  return begun ? 'truncated' : 'reset';
}

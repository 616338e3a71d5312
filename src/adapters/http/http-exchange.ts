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
import { createHash } from 'node:crypto';

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
  return new Promise((resolve, reject) => {
    new Exchange({ line, request, options, clock, resolve, reject }).begin();
  });
}

interface Sending {
  line: Line;
  request: CheckedRequest;
  options: Options;
  clock: Clock;
  resolve(answer: HttpAnswer): void;
  reject(failure: TransportFailure): void;
}

type Head = Pick<HttpAnswer, 'status' | 'headers'>;

/** One request and its answer, until the first event that ends them. Undici calls the methods whose names begin with `on`. */
class Exchange {
  readonly #sending: Sending;
  readonly #host: string;
  #sent = false;
  #head: Head | undefined;
  #sums: Sums | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  /** The body of an answer that streams. */
  #inflow: Inflow | undefined;
  #isOver = false;
  /** Ends the waiting for a limit of time. */
  readonly #waiting: Partial<Record<keyof HttpLimits, () => void>> = {};
  #lostBefore: (() => void) | undefined;

  constructor(sending: Sending) {
    this.#sending = sending;
    this.#host = sending.request.origin.host;
  }

  begin(): void {
    const { line, options } = this.#sending;
    const { signal } = options;
    if (signal?.aborted) {
      this.#interrupt();
      return;
    }
    signal?.addEventListener('abort', this.#interrupt, { once: true });
    this.#limit('deadlineMs', 'the answer was not complete');
    if (line.socket) {
      this.#beforeFirstByte()
        .then(() => {
          this.#dispatch();
        })
        .catch(this.#failWith);
      return;
    }
    this.#limit('connectMs', 'no connection');
    line.beforeFirstByte = () => this.#beforeFirstByte();
    try {
      this.#dispatch();
    } catch (error) {
      this.#failWith(error);
    }
  }

  onRequestStart(): void {
    // Undici calls no other method on an object without this one.
  }

  onResponseStart(controller: { rawHeaders?: unknown }, status: number): void {
    if (status < 100)
      this.#fail('malformed', `${this.#host}: the answer has the status ${String(status).padStart(3, '0')}`);
    if (status < 200) return;
    this.#waiting.firstByteMs?.();
    this.#head = { status, headers: headersOf(controller.rawHeaders as Buffer[]) };
    this.#sums = sumsOf(this.#head.headers);
    if (this.#sending.options.stream !== undefined && status < 300) this.#stream(this.#head);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const { limits, stream } = this.#sending.options;
    const most = this.#inflow === undefined ? limits.maxBytes : (stream?.maxBytes ?? 0);
    this.#size += chunk.length;
    this.#sums?.update(chunk);
    if (this.#size > most) this.#fail('too-large', `the answer is larger than ${most} bytes`);
    else if (this.#inflow === undefined) this.#chunks.push(chunk);
    else this.#inflow.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#inflow !== undefined) {
      this.#end(() => this.#inflow?.end());
      return;
    }
    const head = this.#head ?? { status: 0, headers: [] };
    decodeBody(head, Buffer.concat(this.#chunks), this.#sending.options.limits.maxBytes).then((decoded) => {
      this.#end(() => {
        this.#sending.resolve(this.#answerOf(head, decoded));
      });
    }, this.#failWith);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#failWith(error);
  }

  #end(act: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sending.options.signal?.removeEventListener('abort', this.#interrupt);
    this.#waiting.connectMs?.();
    this.#waiting.firstByteMs?.();
    this.#waiting.deadlineMs?.();
    this.#lostBefore?.();
    act();
  }

  #fail(reason: TransportReason, message: string, cause?: unknown, hint?: readonly string[]): void {
    const failure = new TransportFailure({
      ...{ sent: this.#sent, reason, message, cause },
      ...(this.#head && { partial: this.#head }),
      ...(hint && { hint }),
    });
    this.#end(() => {
      drop(this.#sending.line);
      if (this.#inflow === undefined) this.#sending.reject(failure);
      else this.#inflow.end(failure);
    });
  }

  readonly #failWith = (error: unknown): void => {
    if (error instanceof TransportFailure) this.#fail(error.reason, error.message, error.cause, error.hint);
    else
      this.#fail(
        reasonOf(error as Error, this.#head !== undefined),
        `${this.#host}: ${(error as Error).message}`,
      );
  };

  readonly #interrupt = (): void => {
    this.#fail('aborted', 'the request was interrupted', this.#sending.options.signal?.reason);
  };

  #limit(name: keyof HttpLimits, what: string): void {
    const { options, clock } = this.#sending;
    const ms = options.limits[name];
    this.#waiting[name] = clock.after(ms, () => {
      this.#fail('timeout', `${this.#host}: ${what} within ${ms} ms`);
    });
  }

  async #beforeFirstByte(): Promise<void> {
    const { line, options } = this.#sending;
    this.#waiting.connectMs?.();
    try {
      await options.onSending?.();
    } catch (cause) {
      const message = 'the record that must precede the first byte could not be written';
      throw new TransportFailure({ sent: false, reason: 'journal', message, cause });
    }
    if (this.#isOver) throw new Error('over');
    if (line.socket?.destroyed !== false) {
      const message = `${this.#host}: the connection was lost before anything was sent`;
      throw new TransportFailure({ sent: false, reason: 'reset', message });
    }
    this.#sent = true;
    line.gate?.begin();
    // Undici takes a body that has no length for whole when its connection is reset.
    const lost = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') this.#failWith(error);
    };
    line.socket.prependListener('error', lost);
    this.#lostBefore = () => line.socket?.off('error', lost);
    this.#limit('firstByteMs', 'no answer began');
  }

  #dispatch(): void {
    const { line, request } = this.#sending;
    const { method, path, headers } = request;
    const body = request.body.length > 0 ? Buffer.from(request.body) : null;
    line.client.dispatch({ method, path, headers, body }, this);
  }

  #answerOf(head: Head, decoded: Uint8Array): HttpAnswer {
    const { tls } = this.#sending.line;
    return {
      ...head,
      body: decoded,
      ...(this.#sums && { sums: this.#sums.sums }),
      ...(endsByClose(head.status, head.headers) && { endedByClose: true }),
      ...(tls && { tls }),
    };
  }

  #stream(head: Head): void {
    this.#waiting.deadlineMs?.();
    const { line, options, clock } = this.#sending;
    this.#inflow = openInflow({
      ...{ limits: options.limits, clock },
      flow: {
        pause: () => line.gate?.hold(),
        resume: () => line.gate?.open(),
      },
      stalled: (message) => {
        this.#fail('timeout', `${this.#host}: ${message}`);
      },
      left: () => {
        this.#end(() => {
          drop(line);
        });
      },
    });
    this.#sending.resolve({ ...this.#answerOf(head, new Uint8Array()), rest: this.#inflow.bytes });
  }
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

/** Hashes the bytes of an answer as they come, where a header says what they should be. */
interface Sums {
  update(chunk: Uint8Array): void;
  sums: NonNullable<HttpAnswer['sums']>;
}

const named = /^(?:digest|content-digest|repr-digest)$/i;

/** Undefined for an answer that names no digest: most do not, and hashing takes its time. */
function sumsOf(headers: readonly Header[]): Sums | undefined {
  if (!headers.some(([name]) => named.test(name))) return undefined;
  const hashes = { 'SHA-256': createHash('sha256'), 'SHA-512': createHash('sha512') };
  return {
    update(chunk) {
      for (const hash of Object.values(hashes)) hash.update(chunk);
    },
    // A copy: who asks twice gets the same.
    sums: (algorithm) => hashes[algorithm].copy().digest('base64'),
  };
}

/** Whether nothing but the end of the connection says where the body ends (RFC 9112, section 6.3). */
function endsByClose(status: number, headers: readonly Header[]): boolean {
  if (status === 204 || status === 304) return false;
  return !headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
}

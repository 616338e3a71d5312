import { TransportFailure } from '../../../src/base/errors.ts';
import type { TransportReason } from '../../../src/base/errors.ts';
import type {
  Http,
  HttpAnswer,
  HttpConnection,
  HttpLimits,
  HttpRequest,
} from '../../../src/client/ports/http.ts';
import type { Header } from '../../../src/settings/records/wire.ts';
import { Secret } from '../../../src/base/secret.ts';

/** A request as the fake saw it; header values are revealed so that tests can look at them. */
export interface SeenRequest {
  method: string;
  url: string;
  /** Path and query of the URL. */
  path: string;
  headers: readonly Header[];
  body: string;
  bytes: Uint8Array;
  fresh: boolean;
  limits: HttpLimits;
  connection: HttpConnection;
  /** The value of a header, by its name in any case. */
  header(name: string): string | undefined;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies of every shape
  json(): any;
}

type Headers = readonly Header[] | Readonly<Record<string, string>>;

interface Scripted {
  status?: number;
  headers?: Headers;
  /** A string or bytes as they are, anything else as JSON; JSON also sets Content-Type unless given. */
  body?: unknown;
  tls?: HttpAnswer['tls'];
  /** Looks at the request; throws where it is wrong. */
  check?: (request: SeenRequest) => void | Promise<void>;
}

interface ScriptedFailure {
  sent: boolean;
  reason: TransportReason;
  partial?: { status: number; headers: readonly Header[] };
  check?: Scripted['check'];
}

interface Step {
  method: string;
  path: string | RegExp;
  answer?: Scripted;
  failure?: ScriptedFailure;
}

/** The network as a script: requests must come in this order, all of them, and no others. */
export interface FakeHttp extends Http {
  readonly requests: readonly SeenRequest[];
  /** `path` is path and query (or the whole URL, or a pattern over either). */
  expect(method: string, path: string | RegExp, answer?: Scripted): FakeHttp;
  expectFailure(method: string, path: string | RegExp, failure: ScriptedFailure): FakeHttp;
  /** Throws if an expected request never came. */
  verify(): void;
}

export function fakeHttp(): FakeHttp {
  const steps: Step[] = [];
  const requests: SeenRequest[] = [];
  const wrong: Error[] = [];

  const http: FakeHttp = {
    requests,
    expect(method, path, answer = {}) {
      steps.push({ method, path, answer });
      return http;
    },
    expectFailure(method, path, failure) {
      steps.push({ method, path, failure });
      return http;
    },
    offeredCiphers: () => Promise.resolve([0x1301]),
    proxy: () => Promise.resolve(undefined),
    verify() {
      if (wrong[0]) throw wrong[0];
      if (steps.length > 0) {
        throw new Error(
          `never requested: ${steps.map((step) => `${step.method} ${String(step.path)}`).join(', ')}`,
        );
      }
    },
    async send(request, options) {
      const seen = look(request, options);
      requests.push(seen);
      const step = steps.shift();
      if (!step || step.method !== seen.method || !matches(step.path, seen)) {
        const expected = step ? `expected ${step.method} ${String(step.path)}` : 'expected nothing more';
        const error = new Error(`unexpected request ${seen.method} ${seen.url}: ${expected}`);
        wrong.push(error);
        throw error;
      }
      if (options.signal?.aborted) throw fail({ sent: false, reason: 'aborted' });
      if (step.failure?.sent === false) {
        await step.failure.check?.(seen);
        throw fail(step.failure);
      }
      try {
        await options.onSending?.();
      } catch (cause) {
        throw fail({ sent: false, reason: 'journal' }, cause);
      }
      await (step.failure ?? step.answer)?.check?.(seen);
      if (step.failure) throw fail(step.failure);
      const answer = complete(step.answer ?? {});
      if (answer.body.length > options.limits.maxBytes) {
        const { status, headers } = answer;
        throw fail({ sent: true, reason: 'too-large', partial: { status, headers } });
      }
      return answer;
    },
    close: () => Promise.resolve(),
  };
  return http;
}

function look(request: HttpRequest, options: Parameters<Http['send']>[1]): SeenRequest {
  const url = new URL(request.url);
  const headers = request.headers.map(([name, value]): Header => [
    name,
    value instanceof Secret ? value.reveal() : value,
  ]);
  const body = Buffer.from(request.body).toString('utf8');
  return {
    method: request.method,
    url: request.url,
    path: request.url.slice(url.origin.length),
    headers,
    body,
    bytes: request.body,
    fresh: options.fresh,
    limits: options.limits,
    connection: options.connection,
    header: (name) => headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
    json: () => JSON.parse(body),
  };
}

function matches(path: string | RegExp, seen: SeenRequest): boolean {
  if (typeof path === 'string') return path === seen.path || path === seen.url;
  return path.test(seen.path) || path.test(seen.url);
}

function complete({ status = 200, headers, body, tls }: Scripted): HttpAnswer {
  const list: Header[] = Array.isArray(headers) ? [...(headers as Header[])] : Object.entries(headers ?? {});
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  if (body !== undefined && !raw && !list.some(([name]) => name.toLowerCase() === 'content-type')) {
    list.push(['Content-Type', 'application/json']);
  }
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const bytes = body instanceof Uint8Array ? body : Buffer.from(text);
  return { status, headers: list, body: bytes, ...(tls && { tls }) };
}

function fail(failure: Omit<ScriptedFailure, 'check'>, cause?: unknown): TransportFailure {
  const { sent, reason, partial } = failure;
  const message = `scripted failure: ${reason}`;
  return new TransportFailure({ sent, reason, message, cause, ...(partial && { partial }) });
}

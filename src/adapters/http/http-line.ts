import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
// The client alone: the whole package costs twice as much to load. A test guards the path.
import Client from 'undici/lib/dispatcher/client.js';
import type { Way, Dialled } from './http-way.ts';
import type { HttpAnswer } from '../../client/ports/http.ts';
import { TransportFailure } from '../../base/errors.ts';
import { bareHost, proxyHelp, tunnel } from './http-proxy.ts';
import { ready } from './http-ready.ts';

const maxHeaderSize = 16_384;

/** One connection, used for one request at a time and never made a second time. */
export interface Line {
  client: Client;
  socket: Socket | undefined;
  gate: Gate | undefined;
  tls: HttpAnswer['tls'];
  /** Runs between the connection and the first byte of the present exchange. */
  beforeFirstByte: () => Promise<void>;
  /** Ends the attempt to connect. */
  hangUp: AbortController;
}

export function openLine(origin: URL, way: Way, reusable: boolean): Line {
  let used = false;
  const client = new Client(origin, {
    pipelining: reusable ? 1 : 0,
    maxHeaderSize,
    // Time is measured by our own limits: undici's are idle timers.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (_options, callback) => {
      if (used) {
        // Undici dials again by itself when a connection dies before its request is written.
        callback(new Error('the connection was lost'), null);
        return;
      }
      used = true;
      dial(origin, way, line.hangUp.signal)
        .then(async (dialled) => {
          line.socket = dialled.socket;
          line.gate = gateOf(dialled.socket);
          line.tls = dialled.tls;
          await line.beforeFirstByte();
          return dialled.socket;
        })
        .then(
          (socket) => {
            withoutTiering(() => {
              callback(null, socket);
            });
          },
          (error: unknown) => {
            callback(error as Error, null);
          },
        );
    },
  });
  const line: Line = {
    client,
    socket: undefined,
    gate: undefined,
    tls: undefined,
    beforeFirstByte: () => Promise.resolve(),
    hangUp: new AbortController(),
  };
  return line;
}

let parserMade = false;

/**
 * Undici makes its parser with the first connection. Before Node 22 its WebAssembly would be optimised on a thread that the
 * end of the process waits for. The flag does not stay: with it Node compiles its own modules anew, past their code cache.
 */
function withoutTiering(connected: () => void): void {
  if (parserMade || Number(process.versions.node.split('.')[0]) >= 22) {
    connected();
    return;
  }
  parserMade = true;
  setFlagsFromString('--wasm-tiering-budget=1000000000');
  try {
    connected();
  } finally {
    setFlagsFromString('--wasm-tiering-budget=1800000');
  }
}

/** One shared reason, since this error is never shown and needs no stack. */
const dropped = new Error('the line was dropped');

/** Ends a line whatever it is doing. */
export function drop(line: Line): void {
  line.hangUp.abort(dropped);
  line.socket?.destroy();
  // It can only say that it was destroyed already.
  line.client.destroy().catch(() => undefined);
}

/** Makes the TCP connection (through the proxy) and, for https, the TLS session; no byte of a request leaves here. */
async function dial(origin: URL, way: Way, signal: AbortSignal): Promise<Dialled> {
  const secure = origin.protocol === 'https:';
  const host = bareHost(origin);
  const port = Number(origin.port || (secure ? 443 : 80));
  const { proxy } = way;
  const tcp = connectTcp(proxy ? { host: proxy.host, port: proxy.port } : { host, port }).setNoDelay(true);
  await ready(tcp, 'connect', signal, (error) =>
    proxy ? unreachable(error, `the proxy ${proxy.shown}`, [proxyHelp]) : unreachable(error, origin.host),
  );
  if (proxy !== undefined) await tunnel(tcp, proxy, { host: origin.hostname, port }, signal);
  if (!secure) return { socket: tcp };
  const { agree } = await import('./http-tls.ts');
  return agree(tcp, origin, way, signal);
}

function unreachable(
  error: NodeJS.ErrnoException,
  shown: string,
  hint?: readonly string[],
): TransportFailure {
  // Several addresses tried: the aggregate itself says nothing.
  const first: NodeJS.ErrnoException = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const reason = /^E(?:NOTFOUND|AI_)/.test(first.code ?? '') ? 'dns' : 'connect';
  return new TransportFailure({
    sent: false,
    reason,
    message: `${shown}: ${first.message}`,
    cause: error,
    ...(hint && { hint }),
  });
}

/**
 * Stands between a socket and undici's parser, which takes an unasked 100 for a fault and fails an assertion if a
 * connection ends while it is paused.
 */
interface Gate {
  /** Another answer begins: what comes before its own head is looked at. */
  begin(): void;
  /** The parser gets nothing until `open`; the socket fills up and holds the bank back. */
  hold(): void;
  open(): void;
}

/** The status is known by then. */
const enough = 'HTTP/1.1 100'.length;
/** The longest head that is accepted, in bytes. */
const longest = 16_384;

/** Puts a gate before the reader of a socket. */
function gateOf(socket: Socket): Gate {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let held = false;
  let passing = false;
  let head = Buffer.alloc(0);
  socket.read = (size?: number) => {
    if (held) return null;
    const chunk = read(size);
    if (passing || chunk === null) return chunk;
    head = Buffer.concat([head, chunk]);
    while (isInterim(head)) {
      const end = head.indexOf('\r\n\r\n');
      if (end < 0 && head.length < longest) return null;
      if (end < 0) break;
      head = head.subarray(end + 4);
    }
    if (head.length < enough && couldBeInterim(head)) return null;
    passing = true;
    const rest = head;
    head = Buffer.alloc(0);
    return rest;
  };
  return {
    begin() {
      passing = false;
      held = false;
      head = Buffer.alloc(0);
    },
    hold() {
      held = true;
    },
    open() {
      if (!held) return;
      held = false;
      socket.emit('readable');
    },
  };
}

/** Any interim answer but a change of protocol; clients skip them (RFC 9110, section 15.2). */
const isInterim = (head: Buffer): boolean => /^HTTP\/1\.[01] 1(?!01)[0-9]{2}/.test(start(head));
const couldBeInterim = (head: Buffer): boolean =>
  'HTTP/1.1 1'.startsWith(start(head).replace('HTTP/1.0', 'HTTP/1.1').slice(0, 10));
const start = (head: Buffer): string => head.subarray(0, enough).toString('latin1');

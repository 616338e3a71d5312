import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
// The client alone: the whole package costs twice as much to load. A test guards the path.
import Client from 'undici/lib/dispatcher/client.js';
import { dial } from './http-dial.ts';
import { gateOf } from './http-gate.ts';
import type { Gate } from './http-gate.ts';
import type { Way } from './http-way.ts';
import type { HttpAnswer } from '../../client/ports/http.ts';

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

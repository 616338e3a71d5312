import type { Socket } from 'node:net';

/**
 * Stands between a socket and undici's parser, which takes an unasked 100 for a fault and fails an assertion if a
 * connection ends while it is paused.
 */
export interface Gate {
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
export function gateOf(socket: Socket): Gate {
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

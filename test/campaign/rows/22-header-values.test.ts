import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttp } from '../../../src/adapters/http/undici-http.ts';
import { TransportFailure } from '../../../src/base/errors.ts';
import { rawServer, wire } from '../../helpers/raw-server.ts';
import type { RawServer } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

const row = trials('22', 400);
const http = createHttp();
let server: RawServer;
beforeAll(async () => {
  server = await rawServer((socket) =>
    socket.write(wire('200 OK', '{}', ['Content-Type: application/json'])),
  );
});
afterAll(async () => {
  await http.close();
  await server.close();
});

const pieces = fc.constantFrom(
  ...[
    '\r\n',
    '\n',
    '\r',
    '\u0000',
    '\u0085',
    '\u2028',
    '\u010d\u010a',
    '%0d%0a',
    '\\r\\n',
    '\t',
    ' ',
    '\u00a0',
    'é',
  ],
  ...[
    'X-Evil: 1',
    'Content-Length: 0',
    'Transfer-Encoding: chunked',
    'GET / HTTP/1.1',
    ':',
    ';',
    ',',
    '"',
    'a',
    'Ω',
  ],
);
const values = fc.oneof(
  fc.array(pieces, { minLength: 1, maxLength: 5 }).map((list) => list.join('')),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }),
  fc.string({ minLength: 1, maxLength: 40 }),
);
const limits = { connectMs: 8_000, firstByteMs: 8_000, deadlineMs: 9_000, maxBytes: 10_000 };

it(
  'a header value is refused before a connection, or arrives as it is on one line',
  async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        server.arrivals.length = 0;
        const request = {
          method: 'GET' as const,
          url: `http://127.0.0.1:${server.port}/v1/accounts`,
          headers: [
            ['X-Request-ID', '1'],
            ['PSU-Device-ID', value],
          ] as const,
          body: new Uint8Array(),
        };
        const outcome = await http
          .send(request, { limits, connection: {}, fresh: false })
          .catch((error: unknown) => error);
        if (outcome instanceof Error) {
          expect(outcome instanceof TransportFailure && !outcome.sent).toBe(true);
          expect(server.arrivals).toEqual([]);
          return;
        }
        sent += 1;
        expect(server.arrivals).toHaveLength(1);
        const [, ...lines] = (server.arrivals[0]?.head ?? '').split('\r\n');
        expect(lines.filter((line) => !/^[\x20-\x7e]+$/.test(line))).toEqual([]);
        const names = lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
        expect(
          names.filter((name) => !['host', 'connection', 'x-request-id', 'psu-device-id'].includes(name)),
        ).toEqual([]);
        expect(lines).toContain(`PSU-Device-ID: ${value}`);
      }),
      { numRuns: row.count, seed: row.seed },
    );
    expect(sent).toBeGreaterThan(0);
    row.report(`${sent} sent, the rest refused, 0 lines more`);
  },
  row.timeout(60_000),
);

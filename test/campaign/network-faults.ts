import { wire } from '../helpers/raw-server.ts';
import type { Surprise } from './plain-bank.ts';

const json = ['Content-Type: application/json'];
const refusal = (status: string, ...headers: string[]): Surprise => {
  return (socket) =>
    socket.write(
      wire(status, '{"tppMessages":[{"category":"ERROR","code":"STATUS_INVALID"}]}', [...json, ...headers]),
    );
};

/** What a network, a gateway or a bank can do to an answer; the request has arrived each time. */
export const networkFaults: Readonly<Record<string, Surprise>> = {
  'a reset': (socket) => void socket.resetAndDestroy(),
  'an end without a byte': (socket) => void socket.end(),
  silence: () => undefined,
  'half a head': (socket) => void socket.end('HTTP/1.1 201 Cre'),
  'half a body': (socket, usual) => void socket.end(usual.subarray(0, usual.length - 9)),
  'a reset within the body': (socket, usual) => {
    socket.write(usual.subarray(0, usual.length - 9), () => void socket.resetAndDestroy());
  },
  'too long a Content-Length': (socket, usual) =>
    socket.write(usual.toString().replace(/Content-Length: (\d+)/, 'Content-Length: 99999')),
  'no JSON': (socket) => socket.write(wire('200 OK', '<html>welcome</html>', ['Content-Type: text/html'])),
  '500': refusal('500 Internal Server Error'),
  '502': (socket) => socket.write(wire('502 Bad Gateway', '<html></html>', ['Content-Type: text/html'])),
  '503 with Retry-After': refusal('503 Service Unavailable', 'Retry-After: 0'),
  '504': refusal('504 Gateway Timeout'),
  '307 to itself': (socket, _usual, { path }) =>
    socket.write(wire('307 Temporary Redirect', '', [`Location: ${path}`])),
  '308 to itself': (socket, _usual, { path }) =>
    socket.write(wire('308 Permanent Redirect', '', [`Location: ${path}`])),
  '401': refusal('401 Unauthorized'),
  '408': refusal('408 Request Timeout', 'Connection: close'),
  '409': refusal('409 Conflict'),
  '425': refusal('425 Too Early'),
  '429 with Retry-After': refusal('429 Too Many Requests', 'Retry-After: 0'),
  'informational answers, and no other': (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n'.repeat(20));
  },
  'a body that drips': (socket, usual) => {
    const end = usual.indexOf('\r\n\r\n') + 4;
    socket.write(usual.subarray(0, end + 1));
  },
  'an answer after the deadline': (socket, usual) => {
    const late = setTimeout(() => socket.write(usual), 900);
    socket.once('close', () => {
      clearTimeout(late);
    });
  },
  'a second answer behind the first': (socket, usual) => socket.write(Buffer.concat([usual, usual])),
};

import type { JudgedAnswer } from '../../src/referee/answers/answer.ts';
import type { Exchange } from './contract.ts';

const pairs = (headers: Exchange['requestHeaders']): [string, string][] =>
  (Array.isArray(headers) ? headers : Object.entries(headers)).map(([name, value]) => [
    String(name),
    String(value),
  ]);
const bytes = (body: Exchange['requestBody']): Uint8Array => Buffer.from(body);

/** A recorded exchange as the judge of answers reads it. */
export function judgedAnswer(exchange: Exchange): JudgedAnswer {
  const { method, path, status, requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  return {
    method,
    target: path,
    requestHeaders: pairs(requestHeaders),
    requestBody: bytes(requestBody),
    status,
    headers: pairs(responseHeaders),
    body: bytes(responseBody),
  };
}

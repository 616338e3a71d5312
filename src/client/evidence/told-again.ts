import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import type { CapturedRequest } from './captured-request.ts';
import { callsNamed } from './judge-requests.ts';

/**
 * The calls that words name (HAR files, runs), in the order of their times, with what of them cannot be told again as it was: a
 * sentence for each. Throws INPUT_INVALID where none has an answer.
 */
export async function callsToTell(
  ports: Pick<Ports, 'files' | 'journal'>,
  words: readonly string[],
  ofRuns: { profile?: string | undefined },
): Promise<{ calls: readonly CapturedRequest[]; notes: readonly string[] }> {
  const calls: CapturedRequest[] = [];
  for (const one of words) calls.push(...(await callsNamed(ports, one, ofRuns)).captures);
  calls.sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? '') || 0);
  if (!calls.some(({ answer }) => answer !== undefined))
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'The recording has no answers.',
      detail: 'A server can only give again what a bank has given.',
      hint: ['obk log har @last --output calls.har'],
    });
  return { calls, notes: departures.flatMap(({ of, says }) => noteOf(calls.filter(of), says)) };
}

/** Statuses whose answers have no content (RFC 9110 15.3.5, 15.3.6 and 15.4.5). */
const bare: readonly number[] = [204, 205, 304];

/** What of a recording is not served as it stands in it. */
const departures: readonly { of: (call: CapturedRequest) => boolean; says: string }[] = [
  {
    of: ({ answer }) => answer === undefined,
    says: 'without an answer that ends it (none, or a status below 200 or above 999): the connection is closed',
  },
  {
    of: ({ answer }) => answer !== undefined && answer.body === undefined,
    says: 'with an answer that is not whole in the recording: it has no body',
  },
  {
    of: ({ answer }) => bare.includes(answer?.status ?? 0) && (answer?.body?.length ?? 0) > 0,
    says: `with a body in an answer that has none (${bare.join(', ')}): it is left out`,
  },
  {
    of: ({ answer }) => isShorter(answer),
    says: 'with an answer whose body is shorter than its Content-Length: it is told as long as it is',
  },
];

/** Tools cut long bodies. One that was opened, or out of which a secret was cut, was another one on the wire. */
function isShorter(answer: CapturedRequest['answer']): boolean {
  if (answer?.body === undefined || bare.includes(answer.status)) return false;
  const length = headerOf(answer.headers, 'content-length')?.trim() ?? '';
  const isCoded = headerOf(answer.headers, 'content-encoding') !== undefined;
  if (isCoded || !/^[0-9]{1,15}$/.test(length) || Number(length) <= answer.body.length) return false;
  return !Buffer.from(answer.body).includes('[secret]');
}

function noteOf(calls: readonly CapturedRequest[], says: string): string[] {
  const [first] = calls;
  if (first === undefined) return [];
  const { method, path } = first;
  const count = calls.length === 1 ? '1 call' : `${String(calls.length)} calls`;
  return [`${count} ${says} (${calls.length === 1 ? '' : 'the first: '}${method} ${path}).`];
}

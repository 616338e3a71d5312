import { defined } from '../../base/defined.ts';
import { isNaming, nameToHeader } from '../../standard/xs2a/psu-names.ts';
import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';
import { digestHeader, sha256Hex, verifyDigest } from '../../signing/digest.ts';
import type { SigningInput } from '../../signing/sign-request.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { answerBodyOfHar, bodyOfHar, linesOfHar } from '../captures/har-body.ts';
import { bareHttp } from '../captures/http-text.ts';
import { jsonOrLines, loggedIn } from '../captures/logged-json.ts';
import type { HarEntry } from '../captures/logged-json.ts';
import { curlCommands, isCurl, readCurl } from '../captures/read-curl.ts';
import { findRuns } from './journal-runs.ts';

/** A request that somebody captured, with what is doubtful about the capture. */
export interface CapturedRequest extends SigningInput {
  source: 'journal' | 'http' | 'curl' | 'har' | 'obk';
  /** Hash of the body as it was sent, if parts of the captured one are masked. */
  bodySha256?: string;
  notes: string[];
  /** True where the body is not there, or not whole. */
  lacksBody?: true;
  /** Scheme and host that it was for, where the capture says so. */
  origin?: string;
  /** When it was sent (ISO 8601), where the capture says so. */
  at?: string;
  /** What came back, where the capture has it. */
  answer?: CapturedAnswer;
}

/** An answer that somebody captured. */
export interface CapturedAnswer {
  status: number;
  headers: [string, string][];
  /** Undefined where it is not there, or not whole. */
  body: Uint8Array | undefined;
}

/** Whether a word looks like a path, or is stdin: then it names no run. */
export const isPathLike = (source: string): boolean => /[/.\\]|^-$/.test(source);

/**
 * Reads a request: from a file (raw HTTP, a curl command, HAR, `--dry-run --json` of obk) or, where there is no such
 * file, from the journal by run (`@last` and `@failed` may be of one profile), X-Request-ID or resource; `entry` counts from 1, the
 * last signed one if it is absent. Throws INPUT_INVALID, and what the journal throws.
 */
export async function captureOf(
  ports: Ports,
  source: string,
  { entry, profile }: { entry?: number | undefined; profile?: string | undefined } = {},
): Promise<CapturedRequest> {
  if (!source.startsWith('@')) {
    let bytes: Uint8Array | undefined;
    try {
      bytes = await ports.files.read(source);
    } catch (error) {
      if (!(error instanceof ObkError) || isPathLike(source)) throw error;
    }
    if (bytes !== undefined) return kept(readCapture(bytes, entry));
  }
  const found = await findRuns(ports.journal, source, { profile });
  const runs = Array.isArray(found) ? found : [found];
  const shown = runs.flatMap(({ exchanges }) => exchanges).flatMap(shownIn);
  return kept(
    ofShown(
      pick(shown, ({ headers }) => isSigned(headers), entry),
      'journal',
    ),
  );
}

/** A request recorded by obk with a secret in its body has neither Digest nor signature. */
function kept(captured: CapturedRequest): CapturedRequest {
  if (!captured.headers.some(([name, value]) => /^(digest|signature)$/i.test(name) && value === '[secret]')) {
    return captured;
  }
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'The signature of this request was not kept.',
    detail: 'Its body held a secret, which Digest and signature would give away.',
    hint: ['obk log show @last -vv', '--entry N   # another request of the same run'],
  });
}

/** Reads a captured request from the bytes of a file; throws INPUT_INVALID. */
export function readCapture(bytes: Uint8Array, entry?: number): CapturedRequest {
  const text = textOf(bytes);
  if (/^[{[]/.test(text)) return pick(ofJson(text), ({ headers }) => isSigned(named(headers)), entry);
  if (isCurl(text)) return ofCurl(curlCommands(text)[0] ?? [], 'signature');
  return ofHttp(bytes);
}

/** The calls of a run of the journal as captures, `@last` and `@failed` of one profile if it is given; throws what the journal throws. */
export async function capturesOfRun(
  journal: Ports['journal'],
  id: string,
  { profile }: { profile?: string | undefined } = {},
): Promise<{ profile: string | null; captures: CapturedRequest[] }> {
  const found = await findRuns(journal, id, { whole: true, profile });
  const runs = Array.isArray(found) ? found : [found];
  return {
    profile: runs[0]?.profile ?? null,
    captures: runs
      .flatMap(({ exchanges }) => exchanges)
      .flatMap(shownIn)
      .map((one) => ofShown(one, 'journal')),
  };
}

/** A call of this run, or its request alone, as a capture. */
export const captureOfView = (view: ExchangeView): CapturedRequest[] =>
  shownIn(view).map((one) => ofShown(one, 'obk'));

/** Reads every request of a file, in which bodies may be missing; throws INPUT_INVALID. */
export function readCaptures(bytes: Uint8Array): CapturedRequest[] {
  const text = textOf(bytes);
  if (/^[{[]/.test(text)) return ofJson(text);
  if (!isCurl(text)) return [ofHttp(bytes)];
  return curlCommands(text).map((words) => ofCurl(words, 'rules'));
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();

const named = (headers: SigningInput['headers']) => headers.map(([name, value]) => ({ name, value }));

function ofCurl(words: readonly string[], purpose: 'signature' | 'rules'): CapturedRequest {
  const { url, ...request } = readCurl(words, purpose);
  const headers = request.headers.map(([name, value]) => asSent(name, value));
  return { source: 'curl', ...request, headers, path: targetOf(url), notes: variablesIn(words.join(' ')) };
}

/** A name of a PSU that stands in a file as a text went over the wire as bytes of UTF-8. */
const asSent = (name: string, value: string): [string, string] => [
  name,
  isNaming(name) ? nameToHeader(value) : value,
];

function variablesIn(text: string): string[] {
  const names = text.match(/\$[A-Z][A-Z0-9_]*/g) ?? [];
  return names.length === 0 ? [] : [`Variables stand in it as they are: ${[...new Set(names)].join(', ')}.`];
}

const dryRunEnd = /\r?\n\r?\nDry run: nothing was sent\.\s*$/;

/**
 * The request of `--dry-run` as text without what stands below it: Digest, signing string, signature and curl. Undefined for any
 * other text.
 */
function ofDryRun(bytes: Uint8Array): Buffer | undefined {
  const text = Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n');
  const end = dryRunEnd.exec(text)?.index;
  if (end === undefined) return undefined;
  const head = text.slice(0, text.indexOf('\n\n'));
  const digest = /^Digest: (.+)$/im.exec(head)?.[1];
  const below =
    digest === undefined ? text.indexOf('\n\ncurl\ncurl ') : text.lastIndexOf(`\n\nDigest\n${digest}\n`);
  const request = text.slice(0, below < 0 ? end : below);
  if (digest === undefined) return Buffer.from(request);
  // Line ends of the body that a terminal does not keep.
  const body = request.slice(head.length + 2);
  const sent = [body, body.replaceAll('\n', '\r\n')].find((one) => verifyDigest(digest, Buffer.from(one)));
  return Buffer.from(`${head}\n\n${sent ?? body}`);
}

function ofHttp(given: Uint8Array): CapturedRequest {
  const whole = bareHttp(ofDryRun(given) ?? Buffer.from(given));
  const [separator] = /\r?\n\r?\n/.exec(whole.toString('latin1')) ?? [];
  const at = separator === undefined ? -1 : whole.indexOf(separator, 0, 'latin1');
  const head = (at < 0 ? whole : whole.subarray(0, at)).toString('utf8').trim();
  const body = at < 0 ? Buffer.alloc(0) : whole.subarray(at + (separator ?? '').length);
  const [first = '', ...lines] = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const [, method, target] = /^([A-Z]+) (\S+)( HTTP\/[\d.]+)?$/.exec(first.trim()) ?? [];
  if (method === undefined || target === undefined) {
    throw unreadable('It is neither raw HTTP (POST /v1/... HTTP/1.1), nor a curl command, nor JSON.');
  }
  const headers = lines
    .filter((line) => line !== '')
    .map((line): [string, string] => {
      const [, name, value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/.exec(line) ?? [];
      if (name === undefined)
        throw unreadable(`This line is no header: ${JSON.stringify(line.slice(0, 80))}.`);
      return asSent(name, value.trimEnd());
    });
  return {
    source: 'http',
    method,
    path: targetOf(target),
    headers,
    ...sized(body, headerOf(headers, 'content-length')),
    ...(body.length === 0 && isBodyAway(headers) && { lacksBody: true }),
  };
}

/** The body is known to be empty where Content-Length or Digest says so; a log of headers alone says nothing of it. */
function isBodyAway(headers: [string, string][]): boolean {
  const length = headerOf(headers, 'content-length');
  const digest = headerOf(headers, 'digest');
  if (length !== undefined) return length.trim() !== '0';
  if (digest !== undefined)
    return ![digestHeader(empty, 'SHA-256'), digestHeader(empty, 'SHA-512')].includes(digest);
  return headerOf(headers, 'content-type') !== undefined;
}

const empty = new Uint8Array();

/** Editors end a file with a line end, and turn CRLF into LF: Content-Length tells. */
function sized(body: Buffer, contentLength: string | undefined): { body: Buffer; notes: string[] } {
  const length = /^\d{1,9}$/.test(contentLength ?? '') ? Number(contentLength) : undefined;
  if (length === undefined || length === body.length) return { body, notes: [] };
  const note = `Content-Length is ${length}, the captured body has ${body.length} bytes`;
  const rest = body.subarray(length).toString('latin1');
  if (length < body.length && /^\s*$/.test(rest))
    return { body: body.subarray(0, length), notes: [`${note}: the line end after it is left out.`] };
  return { body, notes: [`${note}: it is not as it was sent.`] };
}

function ofJson(text: string): CapturedRequest[] {
  const value = jsonOrLines(text);
  if (value === undefined) throw unreadable('It begins like JSON but is not valid JSON.');
  const log = Reflect.get(Object(value) as object, 'log') as { entries?: unknown } | undefined;
  const views = Reflect.get(Object(value) as object, 'exchanges') as unknown;
  const list = [log?.entries ?? views ?? value].flat();
  if (Array.isArray(log?.entries)) {
    if (list.length === 0) throw unreadable('It is HAR without an entry.');
    const odd = list.findIndex((entry) => !isHarEntry(entry));
    if (odd >= 0)
      throw unreadable(`Entry ${String(odd + 1)} of the HAR has no request with method, url and headers.`);
  }
  const hars = list.filter(isHarEntry);
  if (hars.length > 0) return hars.map(ofHar);
  const shown = list.flatMap(shownIn);
  if (shown.length > 0) return shown.map((one) => ofShown(one, 'obk'));
  const logged = list.flatMap(loggedIn);
  if (logged.length > 0) return logged.map(ofHar);
  throw unreadable(
    'It is JSON, but neither HAR nor a request as obk shows it, nor an entry of a log with method, address and headers.',
  );
}

function isHarEntry(value: unknown): value is HarEntry {
  const { method, url, headers } = ((value ?? {}) as { request?: Record<string, unknown> }).request ?? {};
  return typeof method === 'string' && typeof url === 'string' && isNamedList(headers);
}

/** The member `request` of `log show --json`, and the top level of `--dry-run --json`. */
interface ShownRequest {
  method: string;
  url: string;
  headers: readonly { name: string; value: string }[];
  body: string;
  bodySha256?: string;
  at?: string;
  answer?: CapturedAnswer;
}

function shownIn(value: unknown): ShownRequest[] {
  const { request, ...outer } = (value ?? {}) as Record<string, unknown>;
  const { method, url, headers, body, bodySha256 } = {
    ...outer,
    ...(request as object | undefined),
  } as Record<string, unknown>;
  if (typeof method !== 'string' || typeof url !== 'string' || typeof body !== 'string') return [];
  if (!isNamedList(headers)) return [];
  return [
    {
      ...{ method, url, headers, body },
      ...(typeof bodySha256 === 'string' ? { bodySha256 } : {}),
      ...(typeof outer['at'] === 'string' && { at: outer['at'] }),
      ...given(answerShown(outer['answer'])),
    },
  ];
}

function answerShown(value: unknown): CapturedAnswer | undefined {
  const { status, headers, body } = (value ?? {}) as Record<string, unknown>;
  if (typeof status !== 'number' || typeof body !== 'string' || !isNamedList(headers)) return undefined;
  const bytes = Buffer.from(body, 'utf8');
  return {
    status,
    headers: headers.map(({ name, value: text }) => [name, text]),
    body: isCut(bytes) ? undefined : bytes,
  };
}

function isNamedList(value: unknown): value is { name: string; value: string }[] {
  return (
    Array.isArray(value) &&
    value.every((one: unknown) => {
      const { name, value: text } = (one ?? {}) as Record<string, unknown>;
      return typeof name === 'string' && typeof text === 'string';
    })
  );
}

function ofHar({ request, startedDateTime, response }: HarEntry): CapturedRequest {
  const { method, headers, postData, bodySize } = request;
  // A browser writes what it sent, other tools what was typed.
  const url = request.url.replaceAll(' ', '%20');
  const pairs = linesOfHar(headers);
  const bytes = bodyOfHar(postData, [bodySize], pairs);
  return {
    source: 'har',
    method,
    path: targetOf(url),
    ...originOf(url),
    headers: pairs,
    body: bytes ?? Buffer.alloc(0),
    notes: [],
    ...((bytes === undefined || (postData?.text === undefined && isBodyAway(pairs))) && { lacksBody: true }),
    ...(typeof startedDateTime === 'string' && { at: startedDateTime }),
    ...given(answerOfHar(response)),
  };
}

const given = (answer: CapturedAnswer | undefined): { answer?: CapturedAnswer } =>
  answer === undefined ? {} : { answer };

function answerOfHar(response: unknown): CapturedAnswer | undefined {
  const { status, headers, content, bodySize } = (response ?? {}) as Record<string, unknown>;
  // Where no answer came, tools write 0; an interim one (1xx) ends no call (RFC 9110 15.2).
  if (!isFinal(status) || !isNamedList(headers)) return undefined;
  const pairs = linesOfHar(headers);
  const sizes = [(content as { size?: unknown } | undefined)?.size, bodySize];
  const bytes = answerBodyOfHar(status, content, sizes, pairs);
  return { status, headers: pairs, body: bytes === undefined || isCut(bytes) ? undefined : bytes };
}

/** Whether a status is one that a server can end a call with: HTTP has three digits for it. */
const isFinal = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 999;

/** A body that obk has shown the beginning of. */
const isCut = (body: Uint8Array): boolean => Buffer.from(body.subarray(-3)).toString('utf8') === '…';

function ofShown(
  { method, url, headers, body, bodySha256, at, answer }: ShownRequest,
  source: 'journal' | 'obk',
): CapturedRequest {
  return {
    ...defined({ at }),
    ...given(answer),
    source,
    method,
    path: targetOf(url),
    ...originOf(url),
    headers: headers.map(({ name, value }): [string, string] => [name, value]),
    body: Buffer.from(body, 'utf8'),
    ...defined({ bodySha256 }),
    ...(bodySha256 !== undefined &&
      bodySha256 !== sha256Hex(Buffer.from(body, 'utf8')) && { lacksBody: true }),
    notes: [],
  };
}

function isSigned(headers: readonly { name: string; value: string }[]): boolean {
  return headers.some(
    ({ name, value }) => (/^signature$/i.test(name) && value !== '[secret]') || /^Signature /.test(value),
  );
}

function pick<T>(list: readonly T[], signed: (one: T) => boolean, entry: number | undefined): T {
  const found = entry === undefined ? (list.findLast(signed) ?? list.at(-1)) : list[entry - 1];
  if (found !== undefined) return found;
  throw unreadable(`It holds ${list.length} requests${entry === undefined ? '' : `, not ${entry}`}.`);
}

/** Path and query as they were sent, of an absolute address or of a target. */
function targetOf(url: string): string {
  if (/\s/.test(url)) throw unreadable('Its address holds a space or a line end.');
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/, '') || '/';
}

function originOf(url: string): { origin?: string } {
  const [origin] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url) ?? [];
  return origin === undefined ? {} : { origin: origin.toLowerCase() };
}

function unreadable(detail: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The request cannot be read.',
    detail,
    hint: ['obk check request --help   # what it reads'],
  });
}

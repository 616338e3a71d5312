import { createHash } from 'node:crypto';
import type { RecordedCall } from '../door.ts';
import type { HeaderLine } from '../rules/messages.ts';
import { parseUrl } from '../../base/url.ts';
import { madeUp } from './passage.ts';

type RecordedAnswer = NonNullable<RecordedCall['answer']>;

/** What decides how an answer of a recording is told again. */
export interface Telling {
  /** Milliseconds by which everything is later than it was. */
  movedMs: number;
  /** The ids of now by those of the recording. */
  ids: ReadonlyMap<string, string>;
  /** The origin and path in front, by which this server is reached. */
  base: string;
  requestId: string | null;
}

/** An answer as it goes out. */
export interface ToldAnswer {
  status: number;
  headers: readonly HeaderLine[];
  content: Buffer;
  /** The paths of links to pages of the bank, on which a PSU decides. */
  pages: readonly string[];
}

/** Headers of a connection, of a body as it was, and of what cannot be made again: a signature is the bank's. */
const dropped = new RegExp(
  `^(?:${[
    ...['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'http2-settings', 'te', 'trailer'],
    ...['transfer-encoding', 'content-length', 'content-encoding', 'content-md5', 'content-digest'],
    ...['repr-digest', 'digest', 'signature', 'signature-input', 'tpp-signature-certificate', 'date'],
    ...['set-cookie2?', 'strict-transport-security', 'alt-svc', ':.*'],
  ].join('|')})$`,
  'i',
);

/** Headers of which an answer has one line; of all others several are a list (RFC 9110 5.3). */
const single =
  /^(?:content-type|location|etag|last-modified|retry-after|age|expires|x-request-id|aspsp-.*)$/i;

/** Statuses whose answers have no content (RFC 9110 15.3.5, 15.3.6 and 15.4.5). */
const withoutContent: readonly number[] = [204, 205, 304];

/** A file may have anything for a header; HTTP has a form for both parts (RFC 9110 5.1 and 5.5). */
const canBeSent = (name: string, value: string): boolean =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** The answer of a recording with the ids, the addresses and the times of now. */
export function toldAnswer({ status, headers, body }: RecordedAnswer, telling: Telling): ToldAnswer {
  const { ids, requestId, base } = telling;
  const bytes = Buffer.from(body ?? new Uint8Array());
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(bytes);
  const pages: string[] = [];
  const moved = isText ? Buffer.from(toldText(text, telling, pages)) : bytes;
  const content = withoutContent.includes(status) ? Buffer.alloc(0) : moved;
  const told: HeaderLine[] = [];
  const put = (name: string, value: string) => {
    const isSame = ([other]: HeaderLine) => other.toLowerCase() === name.toLowerCase();
    const at = single.test(name) ? told.findIndex(isSame) : -1;
    told.splice(at < 0 ? told.length : at, at < 0 ? 0 : 1, [name, value]);
  };
  for (const [name, value] of headers) {
    if (dropped.test(name) || !canBeSent(name, value)) continue;
    if (/^x-request-id$/i.test(name)) put(name, requestId ?? value);
    else if (/^(?:location|aspsp-.*link.*)$/i.test(name)) put(name, ownAddress(withIds(value, ids), base));
    else put(name, withIds(value, ids));
  }
  const digest = headers.find(([name]) => /^digest$/i.test(name))?.[1];
  if (digest !== undefined) {
    const name = /^SHA-512/i.test(digest) ? 'SHA-512' : 'SHA-256';
    put(
      'Digest',
      `${name}=${createHash(name.replace('-', '').toLowerCase()).update(content).digest('base64')}`,
    );
  }
  return { status, headers: told, content, pages };
}

function toldText(text: string, { ids, movedMs, base }: Telling, pages: string[]): string {
  const moved = movedTimes(withIds(text, ids), movedMs);
  const isOauth = /"issuer"\s*:/.test(moved);
  const addressed = moved.replace(
    isOauth ? /()"(https?:\/\/[^"\\]+)"/g : /("href"\s*:\s*)"([^"\\]+)"/g,
    (_, lead: string, url: string) => lead + JSON.stringify(ownAddress(url, base)),
  );
  for (const [, url = ''] of addressed.matchAll(/"scaRedirect"\s*:\s*(?:\{\s*"href"\s*:\s*)?"([^"\\]+)"/g))
    pages.push(parseUrl(url)?.pathname ?? url.split('?', 1)[0] ?? '');
  return addressed.replaceAll('[secret]', madeUp);
}

const withIds = (text: string, ids: ReadonlyMap<string, string>): string =>
  [...ids].reduce((told, [old, own]) => told.replaceAll(old, own), text);

/** An address on this server: whatever host the bank had for its pages, they are here now. */
function ownAddress(address: string, base: string): string {
  const origin = /^https?:\/\/[^/?#]+/i.exec(address)?.[0];
  if (origin !== undefined) return base + address.slice(origin.length);
  return address.startsWith('/') ? new URL(base).pathname.replace(/\/$/, '') + address : address;
}

const dayMs = 86_400_000;
const dates = /(["'>])([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9:.]+(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?(?=["'<])/g;

/** Times move by as much as the passage is later, days by whole days; the last day of all stays what it is. */
function movedTimes(text: string, movedMs: number): string {
  const days = Math.round(movedMs / dayMs) * dayMs;
  return text.replace(dates, (whole, before: string, day: string, time: string | undefined) => {
    const at = Date.parse(time === undefined ? `${day}T00:00:00Z` : `${day}${zoned(time)}`);
    if (Number.isNaN(at) || day.startsWith('9999')) return whole;
    const later = new Date(at + (time === undefined ? days : movedMs));
    const iso = later.toISOString();
    return before + (time === undefined ? iso.slice(0, 10) : iso);
  });
}

const zoned = (time: string): string => (/(?:Z|[+-][0-9]{2}:?[0-9]{2})$/.test(time) ? time : `${time}Z`);

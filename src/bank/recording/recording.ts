import type { RecordedCall } from '../door.ts';
import { nameFromHeader } from '../../standard/xs2a/psu-names.ts';
import { parseUrl } from '../../base/url.ts';
import { sortedCalls } from './recorded-calls.ts';
import type { Calls, Entry, Story } from './recorded-calls.ts';
import { randomBytes, randomInt, createHash } from 'node:crypto';
import type { HeaderLine } from '../rules/messages.ts';

/** A request to be answered from a recording. */
export interface Asked {
  method: string;
  /** The path below that of the server, encoded as it came. */
  path: string;
  query: URLSearchParams;
  header: (name: string) => string | null;
  base: string;
}

/** The answer of a recording: `cut` where none came, `unknown` where the recording has no such call. */
export type Told = ToldAnswer | 'cut' | 'unknown';

/** A recorded exchange as a bank: each call is answered by the one of its operation whose turn it is. */
export class Recording {
  readonly #calls: Calls;
  readonly #rest: Passage;
  readonly #byId = new Map<string, Passage>();
  readonly #byPage = new Map<string, Passage>();
  readonly #begun = new Map<Entry, number>();
  /** The newest ids of now, for calls that name nothing which was made, such as those to an OAuth server. */
  readonly #latest = new Map<string, string>();
  readonly #now: () => Date;

  constructor(recorded: readonly RecordedCall[], now: () => Date) {
    this.#now = now;
    this.#calls = sortedCalls(recorded);
    this.#rest = new Passage(
      this.#calls.entries.filter(({ owner }) => owner === undefined),
      undefined,
      now().getTime(),
      false,
    );
  }

  /** Answers a call. */
  tell(asked: Asked): Told {
    const { method, query, header } = asked;
    const about = this.#passageOf(asked);
    const path = asked.path
      .split('/')
      .map((segment) => about?.recorded(segment) ?? segment)
      .join('/');
    const begun = about === undefined ? this.#begin(method, path, header('psu-id')) : undefined;
    const passage = begun?.passage ?? about ?? this.#rest;
    const entry = begun?.entry ?? passage.next(method, path, query) ?? this.#rest.next(method, path, query);
    if (entry === undefined) return 'unknown';
    passage.redirectUri = header('tpp-redirect-uri') ?? passage.redirectUri;
    passage.nokRedirectUri = header('tpp-nok-redirect-uri') ?? passage.nokRedirectUri;
    if (entry.answer === undefined) return 'cut';
    const told = toldAnswer(entry.answer, {
      ids: passage === this.#rest ? this.#latest : passage.ids,
      movedMs: passage.movedMs,
      base: asked.base,
      requestId: header('x-request-id'),
    });
    for (const page of told.pages) this.#byPage.set(page, passage);
    return told;
  }

  /**
   * Where the browser of a PSU goes after a decision on a page of the bank, or about an id; undefined where neither is of this
   * recording. What comes of the decision is what was recorded.
   */
  decided(target: string, decision: 'approve' | 'refuse'): { redirectedTo?: string } | undefined {
    const url = parseUrl(target);
    if (url === undefined) return this.#byId.has(target) ? {} : undefined;
    const back = url.searchParams.get('redirect_uri');
    const state = url.searchParams.get('state');
    const given = state === null ? {} : { state };
    if (back !== null && url.searchParams.has('response_type')) {
      const outcome = decision === 'approve' ? { code: madeUp() } : { error: 'access_denied' };
      return { redirectedTo: withQuery(back, { ...outcome, ...given, ...this.#issuerAt(url.origin) }) };
    }
    const passage = this.#byPage.get(url.pathname);
    if (passage === undefined) return undefined;
    const { redirectUri, nokRedirectUri, story } = passage;
    const to = decision === 'approve' ? redirectUri : (nokRedirectUri ?? redirectUri);
    if (to === undefined) return {};
    const code = story?.confirmed === true ? { confirmationCode: madeUp() } : {};
    return { redirectedTo: withQuery(to, { ...given, ...code }) };
  }

  /** The issuer of the OAuth server (RFC 9207) at this origin, if the recording names one. */
  #issuerAt(origin: string): { iss?: string } {
    const { issuer } = this.#calls;
    return issuer === undefined
      ? {}
      : { iss: origin + (parseUrl(issuer)?.pathname.replace(/\/$/, '') ?? '') };
  }

  /** The passage that the ids of a request are of; one of the recording's own ids goes on where that was recorded. */
  #passageOf({ path, header }: Asked): Passage | undefined {
    const named = [header('consent-id') ?? '', ...path.split('/')];
    for (const id of named.reverse()) {
      const known = this.#byId.get(id);
      if (known !== undefined) return known;
      const story = [...this.#calls.stories.values()].find(({ ids }) => ids.has(id));
      if (story === undefined) continue;
      const passage = new Passage(story.entries, story, this.#now().getTime(), false);
      for (const own of story.ids) this.#byId.set(own, passage);
      return passage;
    }
    return undefined;
  }

  /** Begins a story anew: the next one of this PSU, else the next one; after the last the first again. */
  #begin(method: string, path: string, psuId: string | null): { passage: Passage; entry: Entry } | undefined {
    const { entries, stories } = this.#calls;
    const all = entries.filter((one) => one.method === method && one.path === path);
    if (!all.some(({ at }) => stories.has(at))) return undefined;
    const same = all.filter((one) => psuId !== null && nameOf(one.psuId) === nameOf(psuId));
    const among = same.length > 0 ? same : all;
    const times = (one: Entry) => this.#begun.get(one) ?? 0;
    const fewest = Math.min(...among.map(times));
    const entry = among.find((one) => times(one) === fewest);
    if (entry === undefined) return undefined;
    this.#begun.set(entry, fewest + 1);
    const story = stories.get(entry.at);
    const passage = new Passage(story?.entries ?? [entry], story, this.#now().getTime(), true);
    passage.begin(entry);
    for (const [old, own] of passage.ids) {
      this.#byId.set(own, passage);
      this.#latest.set(old, own);
    }
    return { passage, entry };
  }
}

const nameOf = (value: string | undefined): string => (value === undefined ? '' : nameFromHeader(value));

function withQuery(address: string, members: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(members).filter((one): one is [string, string] => one[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** A story as it is told once more: with ids of its own, from another time on. */
class Passage {
  readonly story: Story | undefined;
  /** The ids of this time by those of the recording. */
  readonly ids: ReadonlyMap<string, string>;
  /** Milliseconds by which everything is later than it was. */
  readonly movedMs: number;
  /** Where the TPP wants its PSU back; the last one that it named. */
  redirectUri: string | undefined;
  nokRedirectUri: string | undefined;
  readonly #entries: readonly Entry[];
  readonly #served = new Set<Entry>();
  readonly #last = new Map<string, Entry>();
  #lastWrite = -1;

  constructor(entries: readonly Entry[], story: Story | undefined, now: number, renamed: boolean) {
    this.#entries = entries;
    this.story = story;
    this.ids = new Map(renamed ? [...(story?.ids ?? [])].map((id) => [id, likeId(id)]) : []);
    this.movedMs = now - (entries.find(({ time }) => time !== undefined)?.time ?? now);
  }

  /** The id of the recording for one of this time. */
  recorded(id: string): string {
    for (const [old, own] of this.ids) if (own === id) return old;
    return id;
  }

  /** Notes an answer that was given by a choice of its own. */
  begin(entry: Entry): void {
    this.#served.add(entry);
    this.#lastWrite = entry.at;
  }

  /**
   * The call of the recording that answers this one: of a write the next one that was not answered yet, of a read the next one
   * since the last write; where there is no further one, the last again. Undefined where the recording has none.
   */
  next(method: string, path: string, query: URLSearchParams): Entry | undefined {
    const all = this.#entries.filter((one) => one.method === method && one.path === path);
    const alike = mostAlike(all, query);
    const found = method === 'GET' ? this.#nextRead(alike) : this.#nextWrite(alike);
    if (found === undefined) return undefined;
    this.#served.add(found);
    this.#last.set(keyOf(found), found);
    if (method !== 'GET') this.#lastWrite = Math.max(this.#lastWrite, found.at);
    return found;
  }

  #nextWrite(alike: readonly Entry[]): Entry | undefined {
    return alike.find((one) => !this.#served.has(one)) ?? alike.at(-1);
  }

  #nextRead(alike: readonly Entry[]): Entry | undefined {
    const nextWrite =
      this.#entries.find(({ method, at }) => method !== 'GET' && at > this.#lastWrite)?.at ?? Infinity;
    const now = alike.filter(({ at }) => at > this.#lastWrite && at < nextWrite);
    const fresh = now.find((one) => !this.#served.has(one));
    if (fresh !== undefined) return fresh;
    return now.at(-1) ?? alike.findLast(({ at }) => at < this.#lastWrite) ?? alike[0];
  }
}

const keyOf = ({ method, path }: Entry): string => `${method} ${path}`;

/** Those of the entries whose query is most like the one that is asked for. */
function mostAlike(all: readonly Entry[], query: URLSearchParams): readonly Entry[] {
  const score = (one: Entry) =>
    [...query].filter(([name, value]) => one.query.get(name) === value).length -
    [...one.query.keys()].filter((name) => !query.has(name)).length;
  const best = Math.max(...all.map(score));
  return all.filter((one) => score(one) === best);
}

/** Another id of the same form. */
function likeId(id: string): string {
  const isHex = /^[0-9a-f-]+$/i.test(id);
  const letters = isHex ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  const pick = (from: string) => from[randomInt(from.length)] ?? '';
  return id.replace(/[0-9a-z]/gi, (one) => {
    if (/[0-9]/.test(one)) return pick('0123456789');
    return one === one.toLowerCase() ? pick(letters) : pick(letters.toUpperCase());
  });
}

/** A made-up secret in place of one that was cut out of the recording. */
const madeUp = (): string => randomBytes(24).toString('base64url');

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
function toldAnswer({ status, headers, body }: RecordedAnswer, telling: Telling): ToldAnswer {
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

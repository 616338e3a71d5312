import { randomBytes, randomInt } from 'node:crypto';
import type { Entry, Story } from './recorded-calls.ts';

/** A story as it is told once more: with ids of its own, from another time on. */
export class Passage {
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
export const madeUp = (): string => randomBytes(24).toString('base64url');

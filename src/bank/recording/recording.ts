import type { RecordedCall } from '../door.ts';
import { nameFromHeader } from '../../standard/xs2a/psu-names.ts';
import { parseUrl } from '../../base/url.ts';
import { sortedCalls } from './recorded-calls.ts';
import type { Calls, Entry } from './recorded-calls.ts';
import { toldAnswer } from './moved.ts';
import type { ToldAnswer } from './moved.ts';
import { Passage, madeUp } from './passage.ts';

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
      const { issuer } = this.#calls;
      const from =
        issuer === undefined
          ? {}
          : { iss: url.origin + (parseUrl(issuer)?.pathname.replace(/\/$/, '') ?? '') };
      const outcome = decision === 'approve' ? { code: madeUp() } : { error: 'access_denied' };
      return { redirectedTo: withQuery(back, { ...outcome, ...given, ...from }) };
    }
    const passage = this.#byPage.get(url.pathname);
    if (passage === undefined) return undefined;
    const { redirectUri, nokRedirectUri, story } = passage;
    const to = decision === 'approve' ? redirectUri : (nokRedirectUri ?? redirectUri);
    if (to === undefined) return {};
    const code = story?.confirmed === true ? { confirmationCode: madeUp() } : {};
    return { redirectedTo: withQuery(to, { ...given, ...code }) };
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

import type { RecordedCall } from '../door.ts';

/** A call of a recording, with what it belongs to. */
export interface Entry {
  /** Its place in the recording. */
  at: number;
  method: string;
  path: string;
  query: URLSearchParams;
  psuId: string | undefined;
  /** When it was made, in milliseconds; undefined where the recording does not say. */
  time: number | undefined;
  answer: RecordedCall['answer'];
  /** The call that made what this one is about, by its place; undefined where that is not in the recording. */
  owner: number | undefined;
}

/** What a call made, and what came of it: its ids, and the calls about it. */
export interface Story {
  /** The place of the call that made it. */
  begin: number;
  ids: Set<string>;
  entries: Entry[];
  /** The TPP sent a confirmation code, which a redirect had brought it. */
  confirmed: boolean;
}

/** A recording in its order: stories, and calls about none of them. */
export interface Calls {
  entries: readonly Entry[];
  stories: ReadonlyMap<number, Story>;
  /** What identifies the OAuth server, where the recording has that. */
  issuer: string | undefined;
}

const idMembers = /"(?:paymentId|consentId|basketId|authorisationId|cancellationId)"\s*:\s*"([^"\\]+)"/g;
const inLinks = /authorisations\/([A-Za-z0-9._~-]+)/g;
const makes = /"(?:paymentId|consentId|basketId)"\s*:/;

/** Sorts the calls of a recording by what they are about. */
export function sortedCalls(recorded: readonly RecordedCall[]): Calls {
  const stories = new Map<number, Story>();
  const ownerOf = new Map<string, number>();
  const entries: Entry[] = [];
  let issuer: string | undefined;
  for (const [at, call] of recorded.entries()) {
    const entry = entryOf(call, at, ownerOf);
    const { owner } = entry;
    const text = Buffer.from(call.answer?.body ?? []).toString('utf8');
    const { status = 0 } = call.answer ?? {};
    const isTaken = status >= 200 && status < 300;
    const isBegin = owner === undefined && call.method === 'POST' && isTaken && makes.test(text);
    if (isBegin) stories.set(at, { begin: at, ids: new Set(), entries: [], confirmed: false });
    const story = stories.get(isBegin ? at : (owner ?? -1));
    if (story !== undefined) {
      entry.owner = story.begin;
      story.entries.push(entry);
      story.confirmed ||= Buffer.from(call.body ?? []).includes('"confirmationCode"');
      if (call.method !== 'GET' && isTaken)
        for (const id of idsIn(text)) {
          if (story.ids.has(id) || ownerOf.has(id)) continue;
          story.ids.add(id);
          ownerOf.set(id, story.begin);
        }
    }
    entries.push(entry);
    issuer ??= /"issuer"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
  }
  return { entries, stories, issuer };
}

/** A call by itself; `ownerOf` has the call that made each id so far. */
function entryOf(call: RecordedCall, at: number, ownerOf: ReadonlyMap<string, number>): Entry {
  const [path = '/', query = ''] = call.path.split('?', 2);
  const header = (wanted: string) => call.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const named = [header('consent-id') ?? '', ...path.split('/')].map(decoded);
  const time = Date.parse(call.at ?? '');
  return {
    at,
    method: call.method,
    path: decodedPath(path),
    query: new URLSearchParams(query),
    psuId: header('psu-id'),
    time: Number.isNaN(time) ? undefined : time,
    answer: call.answer,
    owner: named.map((one) => ownerOf.get(one)).findLast((one) => one !== undefined),
  };
}

const idsIn = (text: string): string[] =>
  [...text.matchAll(idMembers), ...text.matchAll(inLinks)].flatMap(([, id = '']) =>
    id.length < 4 ? [] : [id],
  );

/** As a server reads it: a slash within a segment stays encoded. */
function decodedPath(path: string): string {
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return path;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

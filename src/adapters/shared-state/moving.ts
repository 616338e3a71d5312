import type { Clock } from '../../client/ports/clock.ts';
import type { Resources } from '../../client/ports/resources.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import type { Use } from '../../client/ports/usage.ts';
import { nounOfParent } from '../../client/state/noun-of-parent.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Database } from '../postgres/database.ts';

/** What became of the entries of each kind. */
export function counted(kinds: readonly string[] = []) {
  const moved = new Map(kinds.map((kind) => [kind, { moved: 0, same: 0 }]));
  return {
    count: (kind: string, isNew: boolean): void => {
      const before = moved.get(kind) ?? { moved: 0, same: 0 };
      moved.set(kind, { moved: before.moved + Number(isNew), same: before.same + Number(!isNew) });
    },
    all: (): StateMoved[] => [...moved].map(([kind, counts]) => ({ kind, ...counts })),
  };
}

/** Saves a conversation unless it is there; returns the one that is. */
export async function putConversation(
  resources: Resources,
  profile: string,
  conversation: Conversation,
): Promise<Conversation | undefined> {
  const { parent, startedAt, authorisationId, psuId } = conversation;
  const there = (await resources.conversations(profile, nounOfParent(parent.kind), parent.id)).find(
    (one) =>
      one.parent.kind === parent.kind &&
      one.startedAt === startedAt &&
      one.authorisationId === authorisationId &&
      one.psuId === psuId,
  );
  if (there === undefined) await resources.saveConversation(profile, conversation);
  return there;
}

/** By how many milliseconds the clock of this machine is ahead of that of the server, which the uses in a database go by. */
export async function aheadOf(database: Database, clock: Clock): Promise<number> {
  const [server] = await database.rows<{ at: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
  );
  return Math.round(clock.now().getTime() - (server?.at ?? 0));
}

/** The uses of both places, each once; the same where there is no other. */
export function withUses(before: readonly Use[], uses: readonly Use[], by: number): readonly Use[] {
  // Two clocks are compared each time, so the same use may differ by a few milliseconds.
  const isThere = ({ at, what }: Use) =>
    before.some((one) => one.what === what && Math.abs(one.at - at) < 1000);
  const added = uses.map(({ at, what }) => ({ at: at + by, what })).filter((use) => !isThere(use));
  return added.length === 0 ? before : [...before, ...added].sort((a, b) => a.at - b.at);
}

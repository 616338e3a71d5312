import { defined } from '../../base/defined.ts';
import type { Ports } from '../ports.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { nouns } from '../../standard/sca/operations.ts';
import { nameFromHeader } from '../../standard/xs2a/psu-names.ts';
import { readable } from '../resources/run-records.ts';
import { settleBeforePruning } from '../resources/settle-intent.ts';
import { exchangesAbout, otherRuns } from './journal-runs.ts';
import { isOfProfile } from './log-filter.ts';

/** The data of a customer that was (or would be) erased. */
export interface Erased {
  /** Ids of runs, newest first. */
  runs: readonly string[];
  /** Runs that stay because the outcome of a write in them is not known. */
  unsettled: readonly string[];
  conversations: number;
  /** Payments, consents and baskets of which only what guards against doubles is left. */
  resources: number;
  tokens: number;
}

/**
 * Clears a PSU from journal, conversations, saved resources and tokens of a profile. Ids, statuses and intents stay, without
 * names and accounts: what was paid is not paid again. `dryRun` changes nothing.
 */
export async function erasePsu(
  ports: Ports,
  profile: string,
  psuId: string,
  { dryRun }: { dryRun: boolean },
): Promise<Erased> {
  const { resources } = ports;
  const own: SavedResource[] = [];
  let conversations = 0;
  for (const noun of nouns) {
    for (const resource of await resources.list(profile, noun)) {
      const all = await resources.conversations(profile, noun, resource.id);
      const of = all.filter((one) => one.psuId === psuId);
      if (of.length === 0 && resource.consent?.psuId !== psuId) continue;
      own.push(resource);
      conversations += of.length;
      if (dryRun) continue;
      for (const one of of) await resources.removeConversation(profile, one);
      await resources.save(withoutPerson(resource));
    }
  }
  const ids = new Set(own.map(({ id }) => id));
  const { runs, unsettled } = await eraseRuns(ports, profile, { psuId, ids }, dryRun);
  if (!dryRun) await ports.journal.scrub();
  const tokens = await eraseTokens(ports, profile, { psuId, ids }, dryRun);
  return { runs, unsettled, conversations, resources: own.length, tokens };
}

function withoutPerson({ summary, consent, redirect: _, ...rest }: SavedResource): SavedResource {
  const { amount, currency, count } = summary ?? {};
  const { psuId: __, accounts: ___, reports: ____, ...terms } = consent ?? {};
  return {
    ...rest,
    ...(summary && {
      summary: {
        ...defined({ amount, currency, count }),
      },
    }),
    ...(consent && { consent: { ...(terms as typeof consent), access: {} } }),
  };
}

/** The customer: the PSU, and the resources made for them. */
interface Customer {
  psuId: string;
  ids: ReadonlySet<string>;
}

async function eraseRuns(
  ports: Ports,
  profile: string,
  customer: Customer,
  dryRun: boolean,
): Promise<Pick<Erased, 'runs' | 'unsettled'>> {
  const { journal } = ports;
  const [runs, unsettled]: [string[], string[]] = [[], []];
  const open = new Set((await journal.openRuns()).map(({ run }) => run));
  const intents = await ports.intents.runs();
  for (const { run } of await otherRuns(journal)) {
    const records = await readable(journal, { run });
    if (records === undefined || !isOfProfile({ profile }, records) || !isAbout(records, customer)) continue;
    const intent = intents.get(run);
    // A run without its end may be calling now.
    const isOver = records.some(({ type }) => type === 'ended') && !open.has(run);
    const isSettled =
      isOver &&
      (intent === undefined || (await settleBeforePruning(ports, intent, 'the PSU was erased', dryRun)));
    if (!isSettled) unsettled.push(run);
    else {
      runs.push(run);
      if (!dryRun) await journal.remove(run);
    }
  }
  return { runs, unsettled };
}

function isAbout(records: readonly JournalRecord[], { psuId, ids }: Customer): boolean {
  const sent = records.some(
    (record) =>
      record.type === 'prepared' &&
      record.headers.some(
        ([name, value]) => name.toLowerCase() === 'psu-id' && nameFromHeader(value) === psuId,
      ),
  );
  return sent || [...ids].some((id) => exchangesAbout(records, id).size > 0);
}

async function eraseTokens(
  { credentials }: Ports,
  profile: string,
  { psuId, ids }: Customer,
  dryRun: boolean,
): Promise<number> {
  const before = await credentials.read(profile);
  const isOther = (one: { psuId?: string; resource?: string }) =>
    one.psuId !== psuId && (one.resource === undefined || !ids.has(one.resource));
  const [tokens, logins] = [(before.tokens ?? []).filter(isOther), (before.logins ?? []).filter(isOther)];
  const erased = (before.tokens?.length ?? 0) + (before.logins?.length ?? 0) - tokens.length - logins.length;
  if (dryRun || erased === 0) return erased;
  await credentials.update(profile, (now) => ({
    ...now,
    ...(now.tokens && { tokens: now.tokens.filter(isOther) }),
    ...(now.logins && { logins: now.logins.filter(isOther) }),
  }));
  // Write twice: each write keeps the previous version as .bak, so only the second removes the secret from the backup
  // too.
  await credentials.update(profile, (now) => now);
  return erased;
}

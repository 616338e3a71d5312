import { ObkError, isFailure } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Made, OpenWrite } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { resourceOf } from '../../standard/sca/operations.ts';
import type { Noun } from '../../standard/sca/operations.ts';

/**
 * Saves the resources of runs that ended before they could save them. Returns those that cannot be saved now because
 * their process still runs or the disk is full.
 */
export async function recoverUnsaved(ports: Ports, profile: string): Promise<Made[]> {
  const left: Made[] = [];
  for (const write of await ports.journal.openWrites()) {
    const { made } = write;
    if (made === undefined || made.resource.profile !== profile || write.run === ports.journal.run) continue;
    try {
      if (write.alive) left.push(made);
      else await ports.locks.exclusively('unsaved', 5000, () => recover(ports, write, made));
    } catch (error) {
      if (!(error instanceof ObkError) || !isFailure(error)) throw error;
      left.push(made);
    }
  }
  return left;
}

async function recover(ports: Ports, write: OpenWrite, { resource, conversation }: Made): Promise<void> {
  const { journal, intents, resources } = ports;
  const { profile, noun, id, intent } = resource;
  // Another process may have saved it first and continued since.
  const open = await journal.openWrites();
  if (!open.some(({ run, exchange }) => run === write.run && exchange === write.exchange)) return;
  if (intent !== undefined) await intents.noteResource(intent, id);
  if ((await resources.conversations(profile, noun, id)).length === 0)
    await resources.saveConversation(profile, conversation);
  if ((await resources.find(profile, noun, id)) === undefined) await resources.save(resource);
  await noteEnd(ports, write, resourceOf(conversation));
  await journal.close(write.run, write.exchange);
}

/** Killed between the two, the run has kept what the bank made and not recorded that it answered. */
async function noteEnd(
  { journal, clock }: Ports,
  { run, exchange }: OpenWrite,
  resource: ReturnType<typeof resourceOf>,
): Promise<void> {
  try {
    const records = await journal.read(run);
    if (records.some((record) => record.type === 'answered' && record.exchange === exchange)) return;
    await journal.resolve(run, {
      type: 'resolved',
      at: clock.now().toISOString(),
      exchange,
      resolution: 'created',
      by: 'bank',
      reason: 'its answer was kept',
      resource,
    });
  } catch (error) {
    // The journal of that run is damaged or gone; the intent knows its payment.
    if (!(error instanceof ObkError)) throw error;
  }
}

/** The resources of a profile, newest first, with what an ended run could not save; with a limit so many of them. */
async function allResources(
  ports: Ports,
  profile: string,
  noun: Noun,
  limit?: number,
): Promise<readonly SavedResource[]> {
  const left = await recoverUnsaved(ports, profile);
  const saved = await ports.resources.list(profile, noun, limit);
  const unsaved = left
    .map(({ resource }) => resource)
    .filter((one) => one.noun === noun && saved.every(({ id }) => id !== one.id));
  if (unsaved.length === 0) return saved;
  return [...unsaved, ...saved].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, limit);
}

/** As `allResources`, in batches that are read as they are asked for: memory and time do not grow with what is not shown. */
export async function* resourceBatches(
  ports: Ports,
  profile: string,
  noun: Noun,
  limit = Infinity,
): AsyncGenerator<readonly SavedResource[]> {
  // So few are one read.
  if (limit <= 200) {
    yield await allResources(ports, profile, noun, limit);
    return;
  }
  const left = await recoverUnsaved(ports, profile);
  const unsaved: SavedResource[] = [];
  for (const { resource } of left) {
    const isSaved = resource.noun !== noun || (await ports.resources.find(profile, noun, resource.id));
    if (isSaved === undefined) unsaved.push(resource);
  }
  let count = 0;
  const upTo = (some: readonly SavedResource[]) => {
    const rest = some.slice(0, Math.max(0, limit - count));
    count += rest.length;
    return rest;
  };
  // Runs that have just ended made them: the newest of all.
  if (unsaved.length > 0) yield upTo(unsaved);
  for await (const some of await ports.resources.batches(profile, noun)) {
    const rest = upTo(some);
    if (rest.length > 0) yield rest;
    if (count >= limit) return;
  }
}

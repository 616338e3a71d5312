import { BankRefusal } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import { endingOf, scaOperations, scaParams } from '../../standard/sca/operations.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import {
  isFinalConsent,
  isFinalSca,
  isFinalTransaction,
  isSuccessfulSca,
} from '../../standard/xs2a/codes.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { buildPath } from '../../standard/xs2a/request.ts';
import type { Target } from '../exchange/target.ts';
import { endOf } from '../resources/parent-status.ts';
import { latest, parentOf, psuNamed } from '../resources/saved-resource.ts';
import { idsOf, listAuthorisations } from './list-authorisations.ts';

/** Which authorisation a run is about. */
export interface Chosen {
  conversation: Conversation;
  /** It was begun by an earlier run. */
  resumed: boolean;
}

/**
 * The authorisation of this run. Several PSUs may each have one: a PSU-ID given to the run goes on with that PSU's or
 * starts one; without it the run goes on with what is open, else with the newest, however it ended.
 */
export async function chooseAuthorisation(
  target: Target,
  resource: SavedResource,
  anew: boolean,
): Promise<Chosen> {
  const all = await target.ports.resources.conversations(target.name, resource.noun, resource.id);
  const kind = processOf(all, resource);
  const known = anew ? undefined : goOnWith(all, resource, kind, target.run.psu?.id);
  if (known !== undefined) return { conversation: known, resumed: true };
  return { conversation: await another(target, resource, kind), resumed: false };
}

/**
 * The process that a new authorisation belongs to. From its first authorisation on it is the cancellation or deletion, until
 * that has failed for every PSU or the resource is over.
 */
function processOf(all: readonly Conversation[], { noun, status }: SavedResource): Parent['kind'] {
  const ending = endingOf[noun];
  const isFinal = noun === 'consent' ? isFinalConsent : isFinalTransaction;
  if (ending === undefined || (status !== undefined && isFinal(status))) return noun;
  const goesOn = newestOfEach(all, ending).some((one) => {
    const step = nextStep(one);
    return step.kind !== 'done' || step.success;
  });
  return goesOn ? ending : noun;
}

/** Only the newest of each PSU counts: it may stand in the place of one that the bank gave up. */
function goOnWith(
  all: readonly Conversation[],
  { status }: SavedResource,
  kind: Parent['kind'],
  psuId: string | undefined,
): Conversation | undefined {
  const newest = newestOfEach(all, kind);
  if (psuId === undefined) {
    // Once the parent is decided, no open authorisation needs a PSU any more.
    const open = endOf(kind, status) === undefined ? newest.find(isOpen) : undefined;
    return open ?? newest[0];
  }
  const own = newest.find((one) => one.psuId === psuId);
  if (own !== undefined) return own;
  const nobodys = newest.find((one) => one.psuId === undefined && isOpen(one));
  return nobodys === undefined ? undefined : { ...nobodys, psuId };
}

/** The newest conversation of each PSU, newest first. */
export function newestOfEach(all: readonly Conversation[], kind: Parent['kind']): Conversation[] {
  const psuIds = new Set(all.map(({ psuId }) => psuId));
  return [...psuIds]
    .flatMap(
      (psuId) =>
        latest(
          all.filter((one) => one.psuId === psuId),
          kind,
        ) ?? [],
    )
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

function isOpen(conversation: Conversation): boolean {
  return nextStep(conversation).kind !== 'done';
}

/** A further authorisation, by the link that the bank gave with the resource, else by the path of the interface. */
async function another(target: Target, resource: SavedResource, kind: Parent['kind']): Promise<Conversation> {
  const parent = parentOf(resource, kind);
  const { start } = scaOperations[kind];
  const href = startLink(resource, kind) ?? buildPath(target.variant, operation(start), scaParams(parent));
  const others = await listed(target, resource, kind);
  if (others.length > 0) {
    const many = others.length === 1 ? '1 authorisation' : `${String(others.length)} authorisations`;
    target.ports.notices.say(`The bank has ${many} of this ${kind} already; another one is started.`);
  }
  return {
    schemaVersion: 1,
    parent,
    startedAt: target.ports.clock.now().toISOString(),
    steering: { startAuthorisation: href },
    standing: {},
    unknownLinks: [],
    sent: [],
    ...psuNamed(target),
    ...(others.length === 0 ? {} : { others }),
  };
}

/** Where the bank takes a start; with what it must begin may differ from PSU to PSU, so the bank is left to say. */
function startLink({ noun, links }: SavedResource, kind: Parent['kind']): string | undefined {
  if (kind !== noun) return undefined;
  return Object.entries(links).find(([name]) => name.startsWith('startAuthorisation'))?.[1];
}

/** The authorisations that the bank lists already, so that the one of a lost answer can be told from them later. */
async function listed(
  target: Target,
  resource: SavedResource,
  kind: Parent['kind'],
): Promise<readonly string[]> {
  if (target.run.dryRun) return [];
  try {
    return await idsOf(target, resource, kind);
  } catch (error) {
    if (error instanceof BankRefusal) return [];
    throw error;
  }
}

/** How many authorisations are done, of those that the bank lists; it never says how many it wants. */
export interface Progress {
  done: number;
  open: number;
  listed: number;
}

/** Counts the authorisations of a resource at the bank; undefined where it does not tell. */
export async function countAuthorisations(
  target: Target,
  resource: SavedResource,
  kind: Parent['kind'] = resource.noun,
): Promise<Progress | undefined> {
  const progress = { done: 0, open: 0, listed: 0 };
  // Who of them is done cannot be read where authorisations have no status of their own.
  if (target.profile.sca?.statusFrom === 'resource') return undefined;
  try {
    for await (const { scaStatus } of listAuthorisations(target, resource, [kind])) {
      progress.listed += 1;
      if (scaStatus !== undefined && isSuccessfulSca(scaStatus)) progress.done += 1;
      else if (scaStatus === undefined || !isFinalSca(scaStatus)) progress.open += 1;
    }
    return progress;
  } catch (error) {
    if (error instanceof BankRefusal) return undefined;
    throw error;
  }
}

import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { prepareTemporary, removeIfThere, sweep } from '../files/atomic-file.ts';
import { needMakeable } from '../system/makeable.ts';
import {
  candidateLines,
  candidatesHead,
  candidatesPath,
  longestOffered,
  offerLine,
  readOffer,
} from './candidates-file.ts';
import type { CandidateFolders, Note, Offer } from './candidates-file.ts';

/** How many of each kind are kept for a profile, in the order in which they stand in the file. */
const most = { ledger: 1, payment: 50, consent: 50, basket: 50, method: 20 } as const;

/** For so many profiles, those last changed: banks inside have one for each tenant. */
const mostProfiles = 32;

/**
 * Joins what a run has noted with what others have written meanwhile; where nothing is new, nothing is written. Throws the errors of the
 * system.
 */
export function writeCandidates(folders: CandidateFolders, notes: readonly Note[]): void {
  const lines = candidateLines(folders);
  let profiles = byProfile(lines.map(readOffer).filter((offer) => offer !== undefined));
  for (const [profile, noted] of byProfile(notes)) {
    const before = profiles.get(profile) ?? [];
    const after = joined(before, noted);
    if (textOf(after) === textOf(before)) continue;
    profiles.delete(profile);
    profiles = new Map([[profile, after], ...profiles]);
  }
  const kept = [...profiles.values()].slice(0, mostProfiles).flat();
  const text = textOf(kept);
  if (text === lines.join('\n')) return;
  replace(candidatesPath(folders), `${candidatesHead(folders)}\n${text}`);
}

const textOf = (offers: readonly Offer[]): string => offers.map((offer) => `${offerLine(offer)}\n`).join('');

function byProfile<Of extends { profile: string }>(all: readonly Of[]): Map<string, Of[]> {
  const found = new Map<string, Of[]>();
  for (const one of all) {
    const same = found.get(one.profile);
    if (same === undefined) found.set(one.profile, [one]);
    else same.push(one);
  }
  return found;
}

/** The offers of a profile with what was noted of it: of each kind the newest first, and no more than its number. */
function joined(before: readonly Offer[], noted: readonly Note[]): Offer[] {
  // Oldest first, so that what is added is the newest.
  const of = (kind: Offer['kind']) =>
    new Map(
      before
        .filter((one) => one.kind === kind)
        .map((one) => [one.value, one] as const)
        .reverse(),
    );
  const all = {
    ...{ ledger: of('ledger'), method: of('method') },
    ...{ payment: of('payment'), consent: of('consent'), basket: of('basket') },
  };
  for (const note of noted) {
    if (note.kind === 'gone') {
      for (const [id, { parent }] of all.method) if (parent === note.value) all.method.delete(id);
    } else if (note.value !== '' && note.value.length <= longestOffered) {
      const offer = cut(note);
      const known = all[note.kind].get(note.value);
      // A method that was offered before keeps its place: to move it would write the file at each authorisation.
      if (note.kind === 'method' && known?.about === offer.about) continue;
      all[note.kind].delete(note.value);
      all[note.kind].set(note.value, offer);
    }
  }
  return Object.entries(most).flatMap(([kind, count]) => {
    const offers = [...all[kind as Offer['kind']].values()].reverse();
    return offers.sort(newestFirst).slice(0, count);
  });
}

/** By the time at which they were made; offers without one stay in their order. */
function newestFirst(one: Offer, other: Offer): number {
  if (one.createdAt === undefined || other.createdAt === undefined) return 0;
  const [mine, theirs] = [`${one.createdAt} ${one.value}`, `${other.createdAt} ${other.value}`];
  return mine < theirs ? 1 : mine > theirs ? -1 : 0;
}

const cut = (offer: Offer): Offer =>
  offer.about === undefined ? offer : { ...offer, about: offer.about.slice(0, longestOffered) };

/** A cache outlasts no power loss, so nothing waits for the disk. */
function replace(path: string, text: string): void {
  const folder = dirname(path);
  needMakeable(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  needOwn(folder);
  sweep(folder);
  const temporary = prepareTemporary(folder, text, false);
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** Throws for a folder that others can look into, or that another user has prepared. */
function needOwn(folder: string): void {
  const seen = lstatSync(folder);
  const isOwn =
    process.geteuid === undefined || (seen.uid === process.geteuid() && (seen.mode & 0o077) === 0);
  if (!seen.isDirectory() || !isOwn) throw new Error(`${folder} is not of this user alone`);
}

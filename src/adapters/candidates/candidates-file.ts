import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Noun } from '../../standard/sca/operations.ts';
import { crc32c } from '../../base/crc32c.ts';

/** Something saved here that a TAB may offer, or the ledger without which it cannot tell what is gone. */
export interface Offer {
  profile: string;
  kind: OfferKind;
  /** The id, or the ledger itself. */
  value: string;
  /** The amount and the payee of a resource, the name and the kind of a method. */
  about?: string;
  /** Of a resource: ISO 8601, UTC. */
  createdAt?: string;
  /** Of a resource of the bank inside: the ledger that it was made in. */
  ledger?: string;
  /** Of a method: the id of the resource that was to be authorised by it. */
  parent?: string;
}

/** What an offer is: a resource by its noun, an SCA method, or the ledger last seen at the bank inside. */
export type OfferKind = Noun | 'method' | 'ledger';

/** A change: an offer, or that the authorisations of a resource are gone, with the methods that were offered in them. */
export type Note = Offer | { profile: string; kind: 'gone'; value: string };

/** The folders on which the file of candidates depends. */
export interface CandidateFolders {
  cacheDir: string;
  stateDir: string;
}

/** Longer texts are not offered: no terminal has room for them. */
export const longestOffered = 120;

/** The file of candidates for a state folder. Its name is a hash without cryptography, which a TAB has no time to load. */
export function candidatesPath({ cacheDir, stateDir }: CandidateFolders): string {
  return join(cacheDir, 'candidates', `${crc32c(Buffer.from(resolve(stateDir)))}.jsonl`);
}

/** The first line. It names the state folder, so that two folders with the same hash never mix. */
export function candidatesHead({ stateDir }: Pick<CandidateFolders, 'stateDir'>): string {
  return JSON.stringify({ state: resolve(stateDir) });
}

/** The lines of the file, one for each offer; none where it cannot be read or is of another state folder. */
export function candidateLines(folders: CandidateFolders): readonly string[] {
  try {
    const [head, ...lines] = readFileSync(candidatesPath(folders), 'utf8').split('\n');
    return head === candidatesHead(folders) ? lines : [];
  } catch {
    return [];
  }
}

/** How the lines of a profile, or those of one kind, begin: other lines need not be parsed. */
export const lineStart = (profile: string, kind: OfferKind): string =>
  `${JSON.stringify({ profile, kind }).slice(0, -1)},`;

/** One line. JSON escapes line ends and control characters, so a text cannot break out of it. */
export const offerLine = ({ profile, kind, ...more }: Offer): string =>
  JSON.stringify({ profile, kind, ...more });

/** The offer of a line; undefined where the line is damaged. */
export function readOffer(line: string): Offer | undefined {
  try {
    const json = JSON.parse(line) as Partial<Offer> | null;
    if (typeof json !== 'object' || json === null || !Object.values(json).every(isText)) return undefined;
    const { profile, kind, value } = json;
    return isText(profile) && isText(kind) && isText(value) && value !== '' ? (json as Offer) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

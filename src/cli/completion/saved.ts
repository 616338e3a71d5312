import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { candidateLines, lineStart, readOffer } from '../../adapters/candidates/candidates-file.ts';
import type { Offer, OfferKind } from '../../adapters/candidates/candidates-file.ts';
import { directories } from '../../adapters/files/directories.ts';
import {
  builtInName,
  defaultBank,
  isBankName,
  isBuiltIn,
  namesFile,
  profileOfBank,
} from '../../base/profile-name.ts';
import type { Noun } from '../../standard/sca/operations.ts';

/** A candidate as shells show it: what is typed, and what it is. */
export interface Candidate {
  value: string;
  about: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The names saved on this machine, read from plain files: a TAB must be fast and may never fail. An unreadable file
 * yields no names. Of payments, consents, baskets and methods it reads what runs have left in the cache, never the state
 * itself, which may be a database.
 */
export class Saved {
  readonly #folders: ReturnType<typeof directories>;
  readonly #env: Environment;
  #read: Settings | undefined;
  #lines: readonly string[] | undefined;

  constructor(env: Environment) {
    this.#env = env;
    this.#folders = directories(env);
  }

  profiles(): Candidate[] {
    const { profiles = {}, activeProfile } = this.#settings();
    const own = Object.entries(profiles).map(([value, profile]) => {
      const { environment = '', baseUrl = '' } = profile;
      return {
        value,
        about: [environment, baseUrl, value === activeProfile ? 'active' : ''].filter(Boolean).join(', '),
      };
    });
    return [
      ...own.filter(({ value }) => !isBuiltIn(value)),
      ...this.banks().map(({ value }) => ({
        value: profileOfBank(value),
        about: value === defaultBank ? 'the bank inside' : `the bank inside ${value}`,
      })),
    ];
  }

  /** The banks of this home, running or not. */
  banks(): Candidate[] {
    const named = readdir(join(this.#folders.stateDir, 'sandbox', 'banks'))
      .filter(isBankName)
      .sort();
    return [defaultBank, ...named].map((value) => ({ value, about: '' }));
  }

  /** The saved resources of the profile that the command line names, newest first; none of a ledger that is gone. */
  resources(noun: Noun, profile: string | undefined): Candidate[] {
    const offers = this.#offers(noun, profile);
    const now = offers.some(({ ledger }) => ledger !== undefined) ? this.#ledger(profile) : undefined;
    const living = offers.filter(({ ledger }) => now === undefined || ledger === undefined || ledger === now);
    const saved = living.map(({ value, about, createdAt = '' }) => ({
      value,
      about: [about, createdAt.slice(0, 16).replace('T', ' ')].filter(Boolean).join(' · '),
    }));
    return [...saved, { value: '@last', about: `the newest ${noun}` }];
  }

  /** The SCA methods that banks have offered lately, each once. */
  methods(profile: string | undefined): Candidate[] {
    return this.#offers('method', profile).map(({ value, about = '' }) => ({ value, about }));
  }

  /** The customers of a bank inside as it last was; undefined where that is not written down. */
  customers(bank: string | undefined): Candidate[] | undefined {
    const name = bank ?? (this.#env['OBK_SANDBOX'] || defaultBank);
    if (!isBankName(name)) return undefined;
    const folder = join(this.#folders.stateDir, 'sandbox', ...(name === defaultBank ? [] : ['banks', name]));
    const names = readText(join(folder, namesFile))?.split('\n');
    return names?.filter(Boolean).map((value) => ({ value, about: '' }));
  }

  /** The products that the bank of a profile has for itself. */
  products(named: string | undefined): Candidate[] {
    const { profiles = {}, activeProfile } = this.#settings();
    const profile = profiles[named ?? this.#env['OBK_PROFILE'] ?? activeProfile ?? ''];
    const matrix = member(member(profile ?? {}, 'payments'), 'matrix');
    const names = Object.keys(matrix).flatMap((service) => Object.keys(member(matrix, service)));
    return [...new Set(names)].map((value) => ({ value, about: '' }));
  }

  #settings(): Settings {
    return (this.#read ??= readJson(join(this.#folders.configDir, 'config.json')) ?? {});
  }

  /** The built-in profile of the bank that the environment names; which bank runs is not asked. */
  #ofBank(): string {
    return profileOfBank(this.#env['OBK_SANDBOX'] || defaultBank);
  }

  /** The name under which the state of the profile is kept. */
  #kept(named: string | undefined): string {
    const profile = named ?? this.#env['OBK_PROFILE'] ?? this.#settings().activeProfile ?? builtInName;
    return profile === builtInName ? this.#ofBank() : profile;
  }

  /** The ledger that the last run of the profile has seen at the bank inside. */
  #ledger(named: string | undefined): string | undefined {
    return isBuiltIn(this.#kept(named)) ? this.#offers('ledger', named)[0]?.value : undefined;
  }

  /** What runs have left of a kind for the profile; nothing of one that was deleted. */
  #offers(kind: OfferKind, named: string | undefined): Offer[] {
    const kept = this.#kept(named);
    if (!isBuiltIn(kept) && !Object.hasOwn(this.#settings().profiles ?? {}, kept)) return [];
    this.#lines ??= candidateLines(this.#folders);
    const start = lineStart(kept, kind);
    const own = this.#lines.filter((line) => line.startsWith(start));
    return own.map(readOffer).filter((offer) => offer !== undefined);
  }
}

interface Settings {
  activeProfile?: string;
  profiles?: Record<string, { environment?: string; baseUrl?: string }>;
}

type Json = Record<string, unknown>;

function member(json: Json, name: string): Json {
  const value = json[name];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function readdir(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function readJson(path: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(readText(path) ?? '');
    return typeof json === 'object' && json !== null ? (json as Json) : undefined;
  } catch {
    return undefined;
  }
}

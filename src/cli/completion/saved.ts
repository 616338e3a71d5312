import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { directories } from '../../adapters/files/directories.ts';
import { newestByHour, shardOf } from '../../adapters/state/divided-folder.ts';
import { safeName } from '../../adapters/files/safe-name.ts';
import {
  builtInName,
  defaultBank,
  isBankName,
  isBuiltIn,
  isProfileName,
  ledgerKey,
  namesFile,
  profileFolder,
  profileOfBank,
} from '../../base/profile-name.ts';
import type { Noun } from '../../standard/sca/operations.ts';

/** A candidate as shells show it: what is typed, and what it is. */
export interface Candidate {
  value: string;
  about: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** How many of the newest resources are offered. */
const most = 50;

/** Of how many of the newest authorisations the methods are offered. */
const mostOffers = 5;

/**
 * The names saved on this machine, read from plain files: a TAB must be fast and may never fail. An unreadable file
 * yields no names.
 */
export class Saved {
  readonly #configDir: string;
  readonly #stateDir: string;
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
    const { configDir, stateDir } = directories(env);
    this.#configDir = configDir;
    this.#stateDir = stateDir;
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
    const named = readdir(join(this.#stateDir, 'sandbox', 'banks'))
      .filter(isBankName)
      .sort();
    return [defaultBank, ...named].map((value) => ({ value, about: '' }));
  }

  /** The saved resources of the profile that the command line names, newest first; none of a ledger that is gone. */
  resources(noun: Noun, profile: string | undefined): Candidate[] {
    const files = jsonIn(this.#newest('resources', profile, noun, most));
    const now = files.some(({ ledger }) => ledger !== undefined) ? this.#ledger(profile) : undefined;
    const living = files.filter(({ ledger }) => now === undefined || ledger === undefined || ledger === now);
    const saved = living.map((json) => {
      const { amount, currency, creditorName, count } = member(json, 'summary');
      const sum = typeof amount === 'string' ? `${amount} ${text(currency)}` : '';
      const payee = typeof count === 'number' ? `${String(count)} payments` : text(creditorName);
      const about = [
        text(json['status']),
        sum,
        payee,
        text(json['createdAt']).slice(0, 16).replace('T', ' '),
      ];
      return { value: text(json['id']), about: about.filter(Boolean).join(' · ') };
    });
    return [...saved.filter(({ value }) => value !== ''), { value: '@last', about: `the newest ${noun}` }];
  }

  /** The SCA methods that banks have offered lately, each once. */
  methods(profile: string | undefined): Candidate[] {
    const nouns: Noun[] = ['payment', 'consent', 'basket'];
    const offered = nouns
      .flatMap((noun) => this.#conversations(profile, noun))
      .flatMap((json) => (Array.isArray(json['scaMethods']) ? (json['scaMethods'] as Json[]) : []))
      .map((method) => ({
        value: text(method['authenticationMethodId']),
        about: [text(method['name']), text(method['authenticationType'])].filter(Boolean).join(', '),
      }));
    return [...new Map(offered.map((method) => [method.value, method])).values()];
  }

  /** The customers of a bank inside as it last was; undefined where that is not written down. */
  customers(bank: string | undefined): Candidate[] | undefined {
    const name = bank ?? (this.#env['OBK_SANDBOX'] || defaultBank);
    if (!isBankName(name)) return undefined;
    const folder = join(this.#stateDir, 'sandbox', ...(name === defaultBank ? [] : ['banks', name]));
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

  #settings(): {
    activeProfile?: string;
    profiles?: Record<string, { environment?: string; baseUrl?: string }>;
  } {
    return readJson(join(this.#configDir, 'config.json')) ?? {};
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
  #ledger(named: string | undefined): unknown {
    const kept = this.#kept(named);
    if (!isBuiltIn(kept)) return undefined;
    const uses = readJson(join(this.#stateDir, 'usage', `${safeName(ledgerKey(kept))}.json`))?.['uses'];
    const [last] = Array.isArray(uses) ? (uses as unknown[]) : [];
    return Array.isArray(last) ? (last as unknown[])[1] : undefined;
  }

  /** The paths of the newest files of a noun, so many at most. */
  #newest(kind: Kind, named: string | undefined, noun: Noun, count: number): string[] {
    const directory = this.#folder(kind, named, noun);
    const found: string[] = [];
    if (directory === undefined) return found;
    for (const paths of newestByHour(directory, readdir, isFile)) {
      found.push(...paths.map((path) => join(directory, path)));
      if (found.length >= count) break;
    }
    return found.slice(0, count);
  }

  /** The conversations about the newest resources, and those that an earlier obk has left, the newest of them first. */
  #conversations(named: string | undefined, noun: Noun): Json[] {
    const directory = this.#folder('conversations', named, noun);
    if (directory === undefined) return [];
    const ids = this.#newest('resources', named, noun, mostOffers).map((path) => {
      const name = basename(path, '.json');
      return name.slice(name.indexOf('_') + 1);
    });
    const own = ids.flatMap((id) => {
      const folder = join(directory, shardOf(id));
      const names = readdir(folder).filter((name) => isFile(name) && name.includes(`_${id}_`));
      return names.map((name) => join(folder, name));
    });
    const left = this.#newest('conversations', named, noun, mostOffers);
    return jsonIn(
      [...own, ...left].sort((a, b) => (basename(a) < basename(b) ? 1 : -1)).slice(0, mostOffers),
    );
  }

  #folder(kind: Kind, named: string | undefined, noun: Noun): string | undefined {
    const kept = this.#kept(named);
    return isProfileName(kept) ? join(this.#stateDir, kind, profileFolder(kept), noun) : undefined;
  }
}

type Kind = 'resources' | 'conversations';

type Json = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function member(json: Json, name: string): Json {
  const value = json[name];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

const isFile = (name: string): boolean => name.endsWith('.json');

const jsonIn = (paths: readonly string[]): Json[] => paths.map(readJson).filter((json) => json !== undefined);

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

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directories } from '../adapters/files/directories.ts';
import { safeName } from '../adapters/files/safe-name.ts';
import {
  builtInName,
  defaultBank,
  isBankName,
  isBuiltIn,
  isProfileName,
  ledgerKey,
  profileFolder,
  profileOfBank,
} from '../profile-name.ts';
import type { Noun } from '../sca/operations.ts';

/** A candidate as shells show it: what is typed, and what it is. */
export interface Candidate {
  value: string;
  about: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** How many of the newest resources are offered. */
const most = 50;

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
    const files = this.#files('resources', profile, noun);
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
      .flatMap((noun) => this.#files('conversations', profile, noun).slice(0, 5))
      .flatMap((json) => (Array.isArray(json['scaMethods']) ? (json['scaMethods'] as Json[]) : []))
      .map((method) => ({
        value: text(method['authenticationMethodId']),
        about: [text(method['name']), text(method['authenticationType'])].filter(Boolean).join(', '),
      }));
    return [...new Map(offered.map((method) => [method.value, method])).values()];
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

  #files(kind: 'resources' | 'conversations', named: string | undefined, noun: Noun): Json[] {
    const kept = this.#kept(named);
    if (!isProfileName(kept)) return [];
    const directory = join(this.#stateDir, kind, profileFolder(kept), noun);
    return namesIn(directory)
      .sort()
      .reverse()
      .slice(0, most)
      .map((name) => readJson(join(directory, name)))
      .filter((json) => json !== undefined);
  }
}

type Json = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function member(json: Json, name: string): Json {
  const value = json[name];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

const namesIn = (directory: string): string[] => readdir(directory).filter((name) => name.endsWith('.json'));

function readdir(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readJson(path: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof json === 'object' && json !== null ? (json as Json) : undefined;
  } catch {
    return undefined;
  }
}

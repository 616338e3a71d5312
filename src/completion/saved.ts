import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
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
    const base = (name: string, fallback: string[]) => {
      const value = env[name] ?? '';
      return isAbsolute(value) ? value : join(env['HOME'] ?? homedir(), ...fallback);
    };
    this.#env = env;
    this.#configDir = env['OBK_CONFIG_DIR'] || join(base('XDG_CONFIG_HOME', ['.config']), 'obk');
    this.#stateDir = env['OBK_STATE_DIR'] || join(base('XDG_STATE_HOME', ['.local', 'state']), 'obk');
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
      ...own.filter(({ value }) => value !== 'sandbox'),
      { value: 'sandbox', about: 'the bank inside' },
    ];
  }

  /** The saved resources of the profile that the command line names, newest first. */
  resources(noun: Noun, profile: string | undefined): Candidate[] {
    const saved = this.#files('resources', profile, noun).map((json) => {
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

  #settings(): {
    activeProfile?: string;
    profiles?: Record<string, { environment?: string; baseUrl?: string }>;
  } {
    return readJson(join(this.#configDir, 'config.json')) ?? {};
  }

  #files(kind: 'resources' | 'conversations', named: string | undefined, noun: Noun): Json[] {
    const profile = named ?? this.#env['OBK_PROFILE'] ?? this.#settings().activeProfile ?? 'sandbox';
    if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(profile)) return [];
    const directory = join(this.#stateDir, kind, profile, noun);
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

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'));
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

import type { Profile } from '../../settings/records/profile.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import { paymentServices } from '../../standard/xs2a/products.ts';
import { presetNames, presets } from '../../standard/xs2a/variants.ts';
import type { PresetName } from '../../standard/xs2a/variants.ts';

/** The prefixes of the interface by their variants. */
const known = new Map<string, PresetName>(presetNames.map((variant) => [presets[variant].prefix, variant]));

/** The first words of the paths of operations, which stand behind the prefix. */
const resources = new Set<string>([
  ...paymentServices,
  ...Object.values(operations).map(({ path }) => path.split('/')[1] ?? ''),
]);

/** An address with a version in it, put right. */
interface Undoubled {
  address: string;
  /** The prefix that the flags lead to. */
  prefix: string;
  /** The version as the address has it. */
  written: string;
  /** Flags of `profile edit`. */
  flags: readonly string[];
}

/**
 * The address without the version at its end, where the prefix would say a version once more, and without the path of an
 * operation behind it; undefined otherwise. A version is one in any case.
 */
export function doubledPrefix({
  baseUrl = '',
  prefix = '',
}: Pick<Partial<Profile>, 'baseUrl' | 'prefix'>): Undoubled | undefined {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/]*)(.*)$/.exec(baseUrl) ?? [];
  const words = path.split('/').filter((word) => word !== '');
  if (prefix === '' || words.length === 0) return undefined;
  const own = prefix.toLowerCase().split('/').slice(1);
  const all = words.map((word) => word.toLowerCase());
  const isOwn = (at: number) => own.every((word, index) => all[at + index] === word);
  const isVersion = (at: number) => isOwn(at) || known.has(`/${all[at] ?? ''}`);
  const ends = (at: number) => at + (isOwn(at) ? own.length : 1);
  const start = all.findIndex(
    (_, at) => isVersion(at) && leadsNowhere(all.slice(ends(at)), (word) => known.has(`/${word}`)),
  );
  if (start < 0) return undefined;
  const variant = isOwn(start) ? undefined : known.get(`/${all[start] ?? ''}`);
  const address = [origin, ...words.slice(0, start)].join('/');
  return {
    address,
    prefix: variant === undefined ? prefix : presets[variant].prefix,
    written: `/${words.slice(start, ends(start)).join('/')}`,
    flags: ['--base-url', address, ...(variant === undefined ? [] : ['--variant', variant])],
  };
}

/** Whether nothing of the address of a bank stands behind a version: it is its end, or a version or an operation follows. */
const leadsNowhere = (rest: readonly string[], isVersion: (word: string) => boolean): boolean =>
  rest.every(isVersion) || resources.has(rest.find((word) => !isVersion(word)) ?? '');

import type { Profile } from '../../records/profile.ts';
import { presetNames, presets } from '../../xs2a/variants.ts';

/** The prefixes of the interface by their variants. */
const known: ReadonlyMap<string, string> = new Map(
  presetNames.map((variant) => [presets[variant].prefix, variant] as const),
);

/**
 * The address without the version at its end, where the prefix would say a version once more; undefined otherwise. `variant` is
 * the one of the version that was cut off.
 */
export function doubledPrefix({
  baseUrl = '',
  prefix = '',
}: Pick<Partial<Profile>, 'baseUrl' | 'prefix'>): { address: string; flags: readonly string[] } | undefined {
  const end = /\/[^/]+$/.exec(baseUrl.replace(/^https?:\/\/[^/]*/, '').replace(/\/+$/, ''))?.[0];
  if (end === undefined || prefix === '') return undefined;
  const variant = known.get(end);
  if (end !== prefix && variant === undefined) return undefined;
  const address = baseUrl.replace(/\/+$/, '').slice(0, -end.length);
  return {
    address,
    flags: [
      '--base-url',
      address,
      ...(end === prefix || variant === undefined ? [] : ['--variant', variant]),
    ],
  };
}

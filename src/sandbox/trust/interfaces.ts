import type { Doors } from '../../doors/doors.ts';
import { presets } from '../../xs2a/variants.ts';
import type { Variant } from '../../xs2a/variants.ts';

/** The interface that a path below the base path belongs to; undefined for one of the bank's pages and its other services. */
export function interfaceAt({ framework }: Pick<Doors, 'framework'>, path: string): Variant | undefined {
  const served: readonly Variant[] = [
    { ...presets.v1, framework: framework ?? presets.v1.framework },
    presets.v136,
  ];
  return served.find(({ prefix }) => path.startsWith(`${prefix}/`));
}

import type { Doors } from '../../doors/doors.ts';
import { presets } from '../../xs2a/variants.ts';
import type { Variant } from '../../xs2a/variants.ts';
import type { Dialect } from '../dialect/dialect.ts';

/** What decides which interface a bank serves. */
export interface Serving {
  framework: Doors['framework'];
  dialect?: Dialect | undefined;
}

/** The interface that a path below the base path belongs to; undefined for one of the bank's pages and its other services. */
export function interfaceAt({ framework, dialect }: Serving, path: string): Variant | undefined {
  if (dialect !== undefined) return dialect.isInterface(path) ? dialect.variant : undefined;
  const served: readonly Variant[] = [
    { ...presets.v1, framework: framework ?? presets.v1.framework },
    presets.v136,
  ];
  return served.find(({ prefix }) => path.startsWith(`${prefix}/`));
}

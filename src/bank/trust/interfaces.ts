import type { Doors } from '../../settings/doors/doors.ts';
import { presets } from '../../standard/xs2a/variants.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Dialect } from '../dialect/dialect.ts';

/** What decides which interface a bank serves. */
export interface Serving {
  framework: Doors['framework'];
  dialect?: Dialect | undefined;
}

/** The interface that a path below the base path belongs to; undefined for one of the bank's pages and its other services. */
export function interfaceAt({ framework, dialect }: Serving, path: string): Variant | undefined {
  if (dialect !== undefined) return dialect.isInterface(path) ? dialect.variant : undefined;
  return servedBy(framework).find(({ prefix }) => path.startsWith(`${prefix}/`));
}

const servedBy = (framework: Serving['framework']): readonly [Variant, Variant] => [
  { ...presets.v1, framework: framework ?? presets.v1.framework },
  presets.v136,
];

const meant =
  /^(?:\/[^/]+)?\/(?:accounts|card-accounts|(?:bulk-|periodic-)?payments|consents|funds-confirmations|signing-baskets)(?:\/|$)/i;

/**
 * The interface that a TPP means who leaves the version out or has another one: such a call has X-Request-ID, which no browser
 * sends to a page.
 */
export function interfaceMeant(
  { framework, dialect }: Serving,
  path: string,
  hasRequestId: boolean,
): Variant | undefined {
  return hasRequestId && dialect === undefined && meant.test(path) ? servedBy(framework)[0] : undefined;
}

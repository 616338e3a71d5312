import { readRate } from '../../settings/profile/rate.ts';
import type { Rate } from '../../settings/profile/rate.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { Dialect } from './dialect.ts';

/** How often the bank may be called at one operation; undefined where the description does not say it. */
export function rateOf({ settings: { limits = {} } }: Dialect, { id }: Operation): Rate | 'off' | undefined {
  const text = limits.perOperation?.[id] ?? limits.rate;
  return text === undefined ? undefined : readRate(text);
}

/** How often one status may be asked for. */
export function pollRatesOf({ settings: { sca } }: Dialect, operation: Operation): Rate[] {
  if (operation.method !== 'GET' || !/status$|authorisationId\}$/i.test(operation.path)) return [];
  const { minIntervalMs, maxPerSecond } = sca?.poll ?? {};
  return [
    ...(minIntervalMs === undefined ? [] : [{ calls: 1, windowMs: minIntervalMs }]),
    ...(maxPerSecond === undefined ? [] : [{ calls: maxPerSecond, windowMs: 1000 }]),
  ];
}

/** The header by which the bank says how many calls are left. */
export function leftHeader({ settings }: Dialect, limit: number, left: number): Record<string, string> {
  const { name, format = 'number' } = settings.limits?.header ?? {};
  if (name === undefined) return {};
  return { [name]: format === 'number' ? String(left) : JSON.stringify({ limit, remaining: left }) };
}

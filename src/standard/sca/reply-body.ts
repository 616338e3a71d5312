import type { Need } from './state.ts';

/**
 * The JSON body that answers a need, or undefined where none is sent; `value` (a secret, a method id) is placed but never
 * looked at. PSU identification travels in headers, so its body is `{}`.
 */
export function replyBody(need: Need, value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (need === 'none' || need === 'proprietary') return undefined;
  if (need === 'identification') return {};
  return need.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<
    string,
    unknown
  >;
}

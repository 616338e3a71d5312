import type { Verdict } from '../../settings/records/journey-run.ts';

/** The worst of several verdicts: an unknown outcome goes before a failure. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const order: readonly Verdict[] = ['unknown', 'failed', 'passed'];
  return order.find((one) => verdicts.includes(one)) ?? 'skipped';
}

import type { Waiver } from '../../settings/records/bank-descriptor.ts';

/** A finding about an answer, as far as a waiver can be about it. */
interface Found {
  rule: string;
  pointer: string;
}

/** Whether a waiver holds on a day. */
export const isCurrent = ({ since, until }: Waiver, today: string): boolean =>
  (until === undefined || until >= today) && (since === undefined || since <= today);

/** Whether a waiver is about a finding; `*` in its pointer is any one step. The status is null where it is not known any more. */
export function isAbout(
  waiver: Waiver,
  finding: Found,
  { operation, status }: { operation: string; status: number | null },
): boolean {
  const pattern = waiver.pointer?.split('/');
  const steps = finding.pointer.split('/');
  return (
    waiver.rule === finding.rule &&
    (waiver.operation ?? operation) === operation &&
    (status === null || (waiver.status ?? status) === status) &&
    (pattern === undefined ||
      (pattern.length === steps.length && pattern.every((step, at) => step === '*' || step === steps[at])))
  );
}

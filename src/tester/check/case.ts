import type { RefusalRuleId } from '../../referee/answers/refusals.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { addDays, isoDate } from '../../client/consents/consent-body.ts';
import { bankTime } from '../../client/exchange/bank-time.ts';
import { foundId } from './course.ts';
import type { Course } from './course.ts';

/** One thing that is tried at a bank. */
export interface Case {
  readonly name: string;
  readonly about: string;
  readonly operation: OperationId;
  /** A read is always made; a write and a wrong request only where they are asked for. */
  readonly kind: 'read' | 'write' | 'wrong';
  /** How many accesses of the consent it may use. */
  readonly uses?: number;
  /** The cases whose answers it needs: ids that it reads by, or the right call of its operation. They run before it. */
  readonly needs?: readonly string[];
  /** What the bank must do with the last call: without it the call is right. */
  readonly refusal?: RefusalRuleId;
  readonly run: (course: Course) => Promise<unknown>;
}

/** The account that an earlier case has found. */
export const accountOf = (course: Course): string => foundId(course, 'account');

/** The query for the booked entries of thirty days. */
export async function lastDays({ target }: Course): Promise<Record<string, string>> {
  const now = await bankTime(target);
  const { windowDays = 31 } = target.profile.ais?.history ?? {};
  return {
    bookingStatus: 'booked',
    dateFrom: isoDate(addDays(now, 1 - Math.min(30, windowDays))),
    dateTo: isoDate(now),
  };
}

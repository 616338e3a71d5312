import type { RefusalRuleId } from '../../referee/answers/refusals.ts';
import type { OperationId } from '../../xs2a/operations.ts';
import { addDays, isoDate } from '../consents/consent-body.ts';
import { bankTime } from '../exchange/bank-time.ts';
import { needed } from './course.ts';
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
  /** What the bank must do with the last call: without it the call is right. */
  readonly refusal?: RefusalRuleId;
  readonly run: (course: Course) => Promise<unknown>;
}

/** The account that an earlier case has found. */
export const accountOf = ({ known }: Course): string => needed(known.account, 'no account has a resourceId');

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

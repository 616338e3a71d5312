import { isAcceptedTransaction, transactionStatuses } from '../../../standard/xs2a/codes.ts';
import { answered, isOauth } from './recorded.ts';
import type { RecordedRun } from './recorded.ts';

/** A payment that a bank took goes on by itself, so that another run sees a later status of these. */
const accepted = transactionStatuses.map(({ code }) => code).filter(isAcceptedTransaction);

const statusOf = {
  payment: 'transactionStatus',
  consent: 'consentStatus',
  basket: 'transactionStatus',
} as const;

/** The last status that the answers of a run tell. */
export function lastStatus({ exchanges }: RecordedRun, noun: keyof typeof statusOf): string | undefined {
  const found = exchanges.map((one) => answered(one)[statusOf[noun]]).findLast((one) => one !== undefined);
  return typeof found === 'string' ? found : undefined;
}

/** What a run came to, as a step expects it; undefined where it only has to succeed. */
export function expectOf(
  run: RecordedRun,
  noun?: keyof typeof statusOf,
): Record<string, unknown> | undefined {
  const status = noun && lastStatus(run, noun);
  const last = run.exchanges.findLast((one) => !isOauth(one));
  const http = noun === undefined ? last?.answer?.status : undefined;
  const expect = {
    ...(run.exit !== null && run.exit !== 0 && { exit: String(run.exit) }),
    ...(http !== undefined && { status: String(http) }),
    ...(noun !== undefined &&
      status !== undefined && {
        body: { [statusOf[noun]]: isAcceptedTransaction(status) ? { in: accepted } : status },
      }),
  };
  return Object.keys(expect).length === 0 ? undefined : expect;
}

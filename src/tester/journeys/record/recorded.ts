import type { ExchangeView } from '../../../settings/records/exchange.ts';
import { nameFromHeader } from '../../../standard/xs2a/psu-names.ts';
import { tryJson } from '../../../standard/xs2a/tpp-messages.ts';

/** A run as the journal has it, account numbers and all. */
export interface RecordedRun {
  run: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  command: string | null;
  profile: string | null;
  exit: number | null;
  exchanges: readonly ExchangeView[];
  /** Who has logged in by the run, where that is known: no call of a login says it. */
  loggedIn?: string;
}

/** What the PSU of a step did, as a journey has it. */
export interface RecordedPsu {
  does: string;
  method?: string;
  password?: string;
  otp?: string;
}

/** A step of a journey as it is written. */
export interface RecordedStep {
  command: string;
  /** The value without a flag, or flags by their names without dashes. */
  given: string | Readonly<Record<string, string | readonly string[]>>;
  psu?: RecordedPsu;
  input?: string;
  save?: string;
  expect?: Readonly<Record<string, unknown>>;
  profile?: string;
}

/** The members of a JSON object; none for anything else. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  const read: unknown = tryJson(Buffer.from(text));
  const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
  return isObject ? (read as Readonly<Record<string, unknown>>) : {};
}

/** The members of the answer to a call. */
export const answered = ({ answer }: ExchangeView): Readonly<Record<string, unknown>> =>
  membersOf(answer?.body ?? '');

/** The value of a header of a request; names of PSUs as a person writes them. */
export function headerOf({ request }: ExchangeView, wanted: string): string | undefined {
  const found = request.headers.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.value;
  return found !== undefined && /^psu-(?:corporate-)?id$/i.test(wanted) ? nameFromHeader(found) : found;
}

/** Whether the bank took the call. */
export const isTaken = ({ answer }: ExchangeView): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300;

/** Whether the call was one to an OAuth server. */
export const isOauth = ({ operation }: ExchangeView): boolean => operation.startsWith('oauth');

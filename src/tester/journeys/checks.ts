import type { BankPerson } from '../../bank/door.ts';
import { failures } from './condition.ts';
import type { Condition } from './condition.ts';
import { exitCodes } from '../../base/errors.ts';
import { onlyReads } from './commands.ts';
import type { Expectation, Expected, JourneyStep } from './journey.ts';
import type { Check } from '../../settings/records/journey-run.ts';
import { nearest } from '../../base/nearest.ts';
import { standsInstead } from './absent.ts';
import { textOf, valueAt } from './values.ts';

/** What came of a step, as far as it can be expected. */
export interface Came {
  exit: number;
  document: unknown;
  durationMs: number;
  last: { status: number | null; headers: readonly (readonly [name: string, value: string])[] } | undefined;
  /** Undefined where nothing was judged. */
  findings: number | undefined;
  /** The change of each balance by IBAN. */
  ledger: ReadonlyMap<string, string> | undefined;
}

/**
 * Judges what came of a step, a check for each expectation. The exit code is always one, but for an `http:` step that expects a
 * status: that is the one answer of its one call, and a refusal may be what it is about.
 */
export function checksOf(
  expect: Expectation,
  came: Came,
  exitName: (code: number) => string,
  isHttp = false,
): Check[] {
  const { exit = 0, status, body = [], headers = [], findings, withinMs, ledger = [] } = expect;
  const checks: Check[] = [];
  if (!isHttp || status === undefined || expect.exit !== undefined)
    checks.push({ what: 'exit', expected: exitName(exit), is: exitName(came.exit), ok: came.exit === exit });
  const add = (what: string, value: unknown, condition: Condition, each = false, instead = '') => {
    const failed = failures(value, condition, each);
    checks.push({
      what,
      expected: conditionText(condition),
      is: [shown(value), ...(failed.length > 0 && instead !== '' ? [instead] : [])].join('; '),
      ok: failed.length === 0,
    });
  };
  const uncalled = came.last === undefined ? 'the step has called no bank' : '';
  if (status !== undefined) add('status', textOf(came.last?.status ?? undefined), status, false, uncalled);
  for (const { pointer, condition } of body) {
    const value = valueAt(came.document, pointer);
    const isThere = value !== undefined && !(Array.isArray(value) && value.length === 0);
    const instead = isThere ? '' : standsInstead(came.document, pointer);
    add(`body ${pointer}`, value, condition, /(?:^|\.)\*|\[\*\]/.test(pointer), instead);
  }
  for (const { pointer, condition } of headers) {
    const sent = came.last?.headers ?? [];
    const found = sent.find(([name]) => name.toLowerCase() === pointer.toLowerCase());
    const near =
      found === undefined
        ? nearest(
            pointer.toLowerCase(),
            sent.map(([name]) => name),
          )
        : [];
    add(`header ${pointer}`, found?.[1], condition, false, meantBy(near) || uncalled);
  }
  if (findings !== undefined) add('findings', textOf(came.findings), findings);
  for (const { pointer, condition } of ledger) {
    const changed = came.ledger?.get(pointer);
    const near = changed === undefined ? nearest(pointer, [...(came.ledger?.keys() ?? [])]) : [];
    add(`ledger ${pointer}`, changed, condition, false, meantBy(near.slice(0, 3)));
  }
  if (withinMs !== undefined)
    checks.push({
      what: 'within',
      expected: `${String(withinMs)} ms`,
      is: `${String(Math.round(came.durationMs))} ms`,
      ok: came.durationMs <= withinMs,
    });
  return checks;
}

const meantBy = (names: readonly string[]): string =>
  names.length === 0 ? '' : `did you mean ${names.join(' or ')}?`;

const conditionText = (condition: Condition): string =>
  condition
    .map(({ operator, wanted }) => `${operator === 'is' ? '' : `${operator} `}${wanted.join(', ')}`)
    .join(' and ');

/** What a step must come to as its file has it, a text for each expectation. */
export function expectedOf(expect: Expectation, exitName: (code: number) => string): string[] {
  const { exit, status, body = [], headers = [], findings, withinMs, ledger = [] } = expect;
  const each = (what: string, all: readonly Expected[]) =>
    all.map(({ pointer, condition }) => `${what} ${pointer}: ${conditionText(condition)}`);
  return [
    ...(exit === undefined ? [] : [`exit: ${exitName(exit)}`]),
    ...(status === undefined ? [] : [`status: ${conditionText(status)}`]),
    ...each('body', body),
    ...each('header', headers),
    ...(findings === undefined ? [] : [`findings: ${conditionText(findings)}`]),
    ...each('ledger', ledger),
    ...(withinMs === undefined ? [] : [`within: ${String(withinMs)} ms`]),
  ];
}

/** Why a step ended as nobody expected, where that is a result and no error: what the answer says, and what the step lacks. */
export function whyOf(
  { psu, command }: Pick<JourneyStep, 'psu' | 'command'>,
  { exit, document, lacking = [] }: Pick<Came, 'exit' | 'document'> & { lacking?: readonly string[] },
): { why?: string } {
  const isAlone = exit === exitCodes.pending && psu === undefined && !onlyReads(command);
  const lacks = 'the PSU has to agree, and the step does not say what they do, such as psu: approve';
  const told = [toldIn(document), ...lacking, isAlone ? lacks : ''].filter((one) => one !== '');
  return told.length === 0 ? {} : { why: told.join('; ') };
}

/** The statuses of a resource, and what the bank says to it. */
function toldIn(document: unknown): string {
  const statuses = ['transactionStatus', 'consentStatus', 'sca.scaStatus'].flatMap((pointer) => {
    const status = textOf(valueAt(document, pointer));
    return status === '' ? [] : [`${pointer} ${status}`];
  });
  const messages = valueAt(document, 'tppMessages');
  const told = (Array.isArray(messages) ? messages : []).map((one: unknown) =>
    ['code', 'text']
      .map((member) => textOf(valueAt(one, member)))
      .filter((text) => text !== '')
      .join(': '),
  );
  return [...statuses, ...told].join('; ');
}

/** Enough of a value to know it by. */
function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'not there';
  const text = textOf(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** An expectation in which every `$name` has been replaced. */
export function resolved(expect: Expectation, replace: (text: string) => string): Expectation {
  const conditionOf = (condition: Condition): Condition =>
    condition.map(({ operator, wanted }) => ({ operator, wanted: wanted.map(replace) }));
  const each = (all: readonly Expected[]) =>
    all.map((one) => ({ ...one, condition: conditionOf(one.condition) }));
  const { status, body, headers, findings, ledger, ...rest } = expect;
  return {
    ...rest,
    ...(status !== undefined && { status: conditionOf(status) }),
    ...(findings !== undefined && { findings: conditionOf(findings) }),
    ...(body !== undefined && { body: each(body) }),
    ...(headers !== undefined && { headers: each(headers) }),
    ...(ledger !== undefined && { ledger: each(ledger) }),
  };
}

/** By how much each balance has changed, by IBAN. */
export function balanceChanges(
  before: readonly BankPerson[],
  after: readonly BankPerson[],
): Map<string, string> {
  const was = balances(before);
  return new Map([...balances(after)].map(([iban, now]) => [iban, minus(now, was.get(iban) ?? '0')]));
}

const balances = (people: readonly BankPerson[]) =>
  new Map(
    people.flatMap(({ accounts }) => accounts.map(({ iban, balance }): [string, string] => [iban, balance])),
  );

/** The difference of two decimal amounts, exactly. */
function minus(one: string, other: string): string {
  const scale = Math.max(...[one, other].map((text) => (text.split('.')[1] ?? '').length));
  const units = (text: string) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(scale, '0'));
  };
  const difference = units(one) - units(other);
  const digits = String(difference < 0n ? -difference : difference).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return difference < 0n ? `-${text}` : text;
}

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
  if (expect.exit !== undefined || !(isHttp && status !== undefined))
    checks.push({ what: 'exit', expected: exitName(exit), is: exitName(came.exit), ok: came.exit === exit });
  if (status !== undefined)
    checks.push(
      checkOf('status', textOf(came.last?.status ?? undefined), status, { instead: uncalled(came) }),
    );
  for (const one of body) checks.push(bodyCheck(came, one));
  for (const one of headers) checks.push(headerCheck(came, one));
  if (findings !== undefined) checks.push(checkOf('findings', textOf(came.findings), findings));
  for (const one of ledger) checks.push(ledgerCheck(came, one));
  if (withinMs !== undefined)
    checks.push({
      what: 'within',
      expected: `${String(withinMs)} ms`,
      is: `${String(Math.round(came.durationMs))} ms`,
      ok: came.durationMs <= withinMs,
    });
  return checks;
}

/** `each`: the value is a list, each element of which is meant; `instead` is told beside a value that does not fit. */
function checkOf(
  what: string,
  value: unknown,
  condition: Condition,
  { each = false, instead = '' }: { each?: boolean; instead?: string } = {},
): Check {
  const ok = failures(value, condition, each).length === 0;
  const is = [shown(value), ...(ok || instead === '' ? [] : [instead])].join('; ');
  return { what, expected: conditionText(condition), is, ok };
}

const uncalled = ({ last }: Came): string => (last === undefined ? 'the step has called no bank' : '');

function bodyCheck({ document }: Came, { pointer, condition }: Expected): Check {
  const value = valueAt(document, pointer);
  const isThere = value !== undefined && !(Array.isArray(value) && value.length === 0);
  const instead = isThere ? '' : standsInstead(document, pointer);
  return checkOf(`body ${pointer}`, value, condition, { each: /(?:^|\.)\*|\[\*\]/.test(pointer), instead });
}

function headerCheck(came: Came, { pointer, condition }: Expected): Check {
  const sent = came.last?.headers ?? [];
  const name = pointer.toLowerCase();
  const found = sent.find(([one]) => one.toLowerCase() === name);
  const names = sent.map(([one]) => one);
  const near = found === undefined ? nearest(name, names) : [];
  return checkOf(`header ${pointer}`, found?.[1], condition, { instead: meantBy(near) || uncalled(came) });
}

function ledgerCheck({ ledger = new Map() }: Came, { pointer, condition }: Expected): Check {
  const changed = ledger.get(pointer);
  const near = changed === undefined ? nearest(pointer, [...ledger.keys()]) : [];
  return checkOf(`ledger ${pointer}`, changed, condition, { instead: meantBy(near.slice(0, 3)) });
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

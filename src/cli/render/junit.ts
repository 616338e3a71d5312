import { cleanLine } from '../../base/clean.ts';
import { junitDocument } from './junit-xml.ts';
import type { JunitEnd } from './junit-xml.ts';

/** The result of a run for JUnit: how it ended, and what was expected of it. */
export interface JunitRun {
  /** The words of the command, without flags. */
  command: string;
  /** ISO 8601, UTC. */
  at: string;
  durationMs: number;
  exit: number;
  /** The meaning of the exit code, on one line. */
  meaning: string;
  error?: { code: string; title: string; detail: string | undefined };
  expected: readonly { path: string; value: string; is: string }[];
}

/** Exit codes of an unwanted result; any other code but 0 is an error of the run. */
const unwanted: readonly number[] = [8, 9, 10];

/** One run as a suite of JUnit XML: a case for how it ended, and one for each expectation. */
export function junitXml(run: JunitRun): string {
  const { command, at, durationMs, exit, expected } = run;
  const isAsExpected = expected.every(({ is, value }) => is === value);
  // If only expectations failed, the case of the run itself passes.
  const passes = exit === 0 || (exit === 10 && run.error === undefined && !isAsExpected);
  const own = { name: 'exit code', durationMs, end: passes ? undefined : endOf(run) };
  const cases = [own, ...expected.map((one) => ({ name: `${one.path}=${one.value}`, end: unmet(one) }))];
  return junitDocument([{ name: ['obk', command].join(' '), durationMs, at, cases }]);
}

function endOf({ exit, meaning, error }: JunitRun): JunitEnd {
  return {
    kind: unwanted.includes(exit) ? 'failure' : 'error',
    type: error?.code ?? 'RESULT',
    message: cleanLine(`exit ${String(exit)}: ${error?.title ?? meaning}`),
    text: cleanLine(error?.detail ?? meaning),
  };
}

function unmet({ value, is }: JunitRun['expected'][number]): JunitEnd | undefined {
  if (is === value) return undefined;
  const found = is === '' ? 'it is not there' : `it is ${is}`;
  return { kind: 'failure', type: 'EXPECTATION', message: cleanLine(`expected ${value}, but ${found}`) };
}

import { cleanLine } from '../../base/clean.ts';
import { xml } from '../../standard/formats/xml/xml-writer.ts';
import type { XmlPiece } from '../../standard/formats/xml/xml-writer.ts';

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
  const name = cleanLine(['obk', command].join(' '));
  const wrong = expected.filter(({ is, value }) => is !== value);
  // If only expectations failed, the case of the run itself passes.
  const own =
    exit === 0 || (exit === 10 && run.error === undefined && wrong.length > 0) ? undefined : ending(run);
  const isFailure = unwanted.includes(exit);
  const failures = wrong.length + (own !== undefined && isFailure ? 1 : 0);
  const time = (durationMs / 1000).toFixed(3);
  const suite = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${name}" tests="${String(expected.length + 1)}" failures="${String(failures)}" errors="${
    own !== undefined && !isFailure ? '1' : '0'
  }" skipped="0" time="${time}" timestamp="${at}">
    <testcase classname="${name}" name="exit code" time="${time}">${own}</testcase>
${expected.map((one) => expectation(name, one))}  </testsuite>
</testsuites>
`;
  return suite.text;
}

function ending({ exit, meaning, error }: JunitRun): XmlPiece {
  const message = cleanLine(`exit ${String(exit)}: ${error?.title ?? meaning}`);
  const text = cleanLine(error?.detail ?? meaning);
  const type = error?.code ?? 'RESULT';
  return unwanted.includes(exit)
    ? xml`<failure type="${type}" message="${message}">${text}</failure>`
    : xml`<error type="${type}" message="${message}">${text}</error>`;
}

function expectation(suite: string, { path, value, is }: JunitRun['expected'][number]): XmlPiece {
  const found = is === '' ? 'it is not there' : `it is ${is}`;
  const failure =
    is === value
      ? undefined
      : xml`<failure type="EXPECTATION" message="${cleanLine(`expected ${value}, but ${found}`)}"/>`;
  return xml`    <testcase classname="${suite}" name="${cleanLine(`${path}=${value}`)}">${failure}</testcase>
`;
}

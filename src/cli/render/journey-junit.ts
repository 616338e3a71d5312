import { cleanLine } from '../../base/clean.ts';
import { xml } from '../../standard/formats/xml/xml-writer.ts';
import type { JourneyResult, StepResult } from '../../settings/records/journey-run.ts';
import { againOf, findingsOf, reasonsOf } from './journey-lines.ts';

/** The journeys as JUnit XML: a suite for each with its profile, a case for each step. */
export function journeyJunit(results: readonly JourneyResult[], { at }: { at: string }): string {
  const all = results.flatMap(casesIn);
  const document = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="obk journey run" tests="${String(all.length)}" failures="${counted(all, 'failed')}" errors="${counted(all, 'unknown')}" skipped="${counted(all, 'skipped')}" timestamp="${at}">
${results.map(suite)}</testsuites>
`;
  return document.text;
}

const counted = (steps: readonly StepResult[], verdict: StepResult['verdict']) =>
  String(steps.filter((one) => one.verdict === verdict).length);

/** The steps of a journey; one that was left out before its first step is one case, so that the report has it. */
function casesIn({ journey, steps, verdict, why }: JourneyResult): readonly StepResult[] {
  if (steps.length > 0 || verdict !== 'skipped') return steps;
  const nothing = { line: 1, commandLine: '', exit: null, durationMs: 0, tries: 0, checks: [], calls: [] };
  return [{ ...nothing, name: journey, verdict, ...(why !== undefined && { why }) }];
}

function suite(result: JourneyResult) {
  const { journey, file, profile, at, durationMs } = result;
  const steps = casesIn(result);
  const name = cleanLine(`${journey} (${profile})`);
  return xml`  <testsuite name="${name}" file="${cleanLine(file)}" tests="${String(steps.length)}" failures="${counted(steps, 'failed')}" errors="${counted(steps, 'unknown')}" skipped="${counted(steps, 'skipped')}" time="${(durationMs / 1000).toFixed(3)}" timestamp="${at}">
${steps.map((step) => caseOf(name, profile, step))}  </testsuite>
`;
}

function caseOf(suiteName: string, profile: string, step: StepResult) {
  const reasons = reasonsOf(step).map((one) => cleanLine(one, 2000));
  const message = reasons.join('; ');
  const text = [
    ...reasons,
    ...[...findingsOf(step), ...againOf(step, profile)].map((one) => cleanLine(one, 2000)),
  ].join('\n');
  const ending =
    step.verdict === 'failed'
      ? xml`<failure message="${message}">${lines(text)}</failure>`
      : step.verdict === 'unknown'
        ? xml`<error message="${message}">${lines(text)}</error>`
        : step.verdict === 'skipped'
          ? xml`<skipped message="${message}"/>`
          : undefined;
  return xml`    <testcase classname="${suiteName}" name="${cleanLine(step.name)}" time="${(step.durationMs / 1000).toFixed(3)}">${ending}</testcase>
`;
}

/** A newline is no character that is escaped. */
const lines = (text: string) =>
  text.split('\n').map(
    (one) => xml`${one}
`,
  );

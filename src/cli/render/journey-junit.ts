import { defined } from '../../base/defined.ts';
import { cleanLine } from '../../base/clean.ts';
import { xml } from '../../standard/formats/xml/xml-writer.ts';
import type { JourneyResult, StepResult } from '../../settings/records/journey-run.ts';
import { againOf, findingsOf, reasonsOf } from './journey-lines.ts';
import { junitDocument } from './junit-xml.ts';
import type { JunitEnd } from './junit-xml.ts';

/** The journeys as JUnit XML: a suite for each with its profile, a case for each step. */
export function journeyJunit(results: readonly JourneyResult[], { at }: { at: string }): string {
  const suites = results.map((result) => ({
    name: `${result.journey} (${result.profile})`,
    ...{ file: result.file, durationMs: result.durationMs, at: result.at },
    cases: casesIn(result).map((step) => ({
      ...{ name: step.name, durationMs: step.durationMs },
      end: endOf(step, result.profile),
    })),
  }));
  return junitDocument(suites, { name: `obk journey run`, at });
}

/** The steps of a journey; one that was left out before its first step is one case, so that the report has it. */
function casesIn({ journey, steps, verdict, why }: JourneyResult): readonly StepResult[] {
  if (steps.length > 0 || verdict !== 'skipped') return steps;
  const nothing = { line: 1, commandLine: '', exit: null, durationMs: 0, tries: 0, checks: [], calls: [] };
  return [{ ...nothing, name: journey, verdict, ...defined({ why }) }];
}

const kinds = { passed: undefined, failed: 'failure', unknown: 'error', skipped: 'skipped' } as const;

function endOf(step: StepResult, profile: string): JunitEnd | undefined {
  const kind = kinds[step.verdict];
  if (kind === undefined) return undefined;
  const reasons = reasonsOf(step).map((one) => cleanLine(one, 2000));
  const message = reasons.join('; ');
  if (kind === 'skipped') return { kind, message };
  const more = [...findingsOf(step), ...againOf(step, profile)].map((one) => cleanLine(one, 2000));
  // A newline in a value would be refused.
  const text = [...reasons, ...more].map(
    (one) => xml`${one}
`,
  );
  return { kind, message, text };
}

import { clean, cleanLine } from '../../base/clean.ts';
import { line } from '../../base/command-line.ts';
import type { JourneyResult, StepResult } from '../../settings/records/journey-run.ts';
import { findingText } from './check-lines.ts';
import type { Style } from './style.ts';

/** One journey as it ended, on a line. */
export function journeyLine(result: JourneyResult, style: Style): string {
  const { journey, profile, verdict, durationMs } = result;
  const mark = {
    passed: style.good('✓'),
    failed: style.bad('✗'),
    unknown: style.bad('?'),
    skipped: style.dim('-'),
  }[verdict];
  return `${mark} ${cleanLine(journey)} ${style.dim(`(${cleanLine(profile)}, ${seconds(durationMs)})`)}`;
}

/** What a person reads at the end: each journey that did not pass with its step, and the sum. */
export function journeyLines(results: readonly JourneyResult[], left: number, style: Style): string {
  const wrong = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'unknown');
  const passed = results.filter(({ verdict }) => verdict === 'passed').length;
  const skipped = results.filter(({ verdict }) => verdict === 'skipped').length;
  const sum = [
    `${String(passed)} of ${String(results.length + left)} journeys passed`,
    ...(skipped > 0 ? [`${String(skipped)} left out`] : []),
    ...(left > 0 ? [`${String(left)} did not begin`] : []),
  ].join(', ');
  const leftOut = results.filter(({ verdict }) => verdict === 'skipped');
  return [
    ...wrong.flatMap((one) => failedLines(one, style)),
    ...leftOut.flatMap((one) => [
      journeyLine(one, style),
      ...leftOutBy(one).map((why) => `    ${cleanLine(why)}`),
    ]),
    sum,
  ].join('\n');
}

/** Why a journey was left out: what the bank does not offer, or the conditions of its steps, each once. */
const leftOutBy = ({ why, steps }: JourneyResult): string[] => [
  ...new Set([why, ...steps.map((step) => step.why)].filter((one) => one !== undefined)),
];

function failedLines(result: JourneyResult, style: Style): string[] {
  const lines = [journeyLine(result, style)];
  for (const step of result.steps.filter(({ verdict }) => verdict === 'failed' || verdict === 'unknown')) {
    lines.push(`    ${cleanLine(step.name)}  ${style.dim(`${cleanLine(result.file)}:${String(step.line)}`)}`);
    // A line of a bank of its own could be a command to a CI server that reads the output.
    for (const reason of [...reasonsOf(step), ...findingsOf(step)])
      lines.push(`      ${noCommand(cleanLine(reason, 2000))}`);
    for (const again of againOf(step, result.profile)) lines.push(clean(`      ${again}`));
  }
  return lines;
}

/** Why a step did not pass, a sentence for each reason. */
export function reasonsOf(step: StepResult): string[] {
  const { why, checks, error, verdict } = step;
  return [
    ...(verdict === 'unknown' ? ['The outcome of a write is not known.'] : []),
    ...checks
      .filter(({ ok }) => !ok)
      .map(({ what, expected, is }) => `${what}: expected ${expected}, but it is ${is}`),
    ...(why === undefined ? [] : [why]),
    ...(error === undefined ? [] : [`${error.code}: ${error.title} ${error.detail ?? ''}`.trim()]),
    ...(error?.tppMessages ?? []).map(({ code, text }) =>
      [code, text].filter((part) => part !== undefined).join(': '),
    ),
  ];
}

/** Azure and TeamCity obey `##vso[...]` wherever it stands in a line; with a blank in it nobody does. */
const noCommand = (text: string): string => text.replace(/##(?=[a-z]*\[)/gi, '# #');

/** What the referee has against the calls of a step: the side, the rule, where it is, and what is wrong. */
export const findingsOf = ({ findings = [] }: StepResult): string[] =>
  findings.map((one) => `finding: ${one.side} ${findingText(one)}`);

/** The line that repeats a step alone; where that might pay twice, the one that tells what became of it. */
export function againOf({ verdict, commandLine }: StepResult, profile: string): string[] {
  if (verdict === 'unknown') return [line`next: obk pending list --profile ${profile}`];
  return commandLine === '' ? [] : [`again: ${commandLine}`];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The CI servers that read failures from the output of a run. */
export const annotationFormats = ['github', 'azure', 'teamcity'] as const;
export type AnnotationFormat = (typeof annotationFormats)[number];

/** A line of each failure as a CI server reads it. */
export function annotations(results: readonly JourneyResult[], format: AnnotationFormat): string[] {
  return results.flatMap(({ journey, file, steps }) =>
    steps.flatMap((step) => {
      if (step.verdict !== 'failed' && step.verdict !== 'unknown') return [];
      const text = noCommand(
        cleanLine(`${step.name}: ${[...reasonsOf(step), ...findingsOf(step)].join('; ')}`, 2000),
      );
      return [
        annotation(format, { journey: cleanLine(journey), file: cleanLine(file), line: step.line, text }),
      ];
    }),
  );
}

function annotation(
  format: AnnotationFormat,
  { journey, file, line, text }: { journey: string; file: string; line: number; text: string },
): string {
  const percent = (value: string, also: RegExp) =>
    value
      .replace(/%/g, '%25')
      .replace(also, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  switch (format) {
    case 'github':
      return `::error file=${percent(file, /[:,]/g)},line=${String(line)},title=${percent(journey, /[:,]/g)}::${percent(text, /[\r\n]/g)}`;
    case 'azure':
      return `##vso[task.logissue type=error;sourcepath=${percent(file, /[;\]]/g)};linenumber=${String(line)}]${percent(text, /[\r\n]/g)}`;
    case 'teamcity':
      return `##teamcity[buildProblem description='${`${journey}: ${text}`.replace(/[|'[\]]/g, (one) => `|${one}`)}']`;
  }
}

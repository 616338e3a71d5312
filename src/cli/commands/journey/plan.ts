import { clean } from '../../../base/clean.ts';
import { line } from '../../../base/command-line.ts';
import { inputAsWritten } from '../../../tester/journeys/http-step.ts';
import { expectedOf } from '../../../tester/journeys/checks.ts';
import type { JourneyStep } from '../../../tester/journeys/journey.ts';
import type { Outcome } from '../../outcome.ts';
import { exitName } from '../output/exit-meanings.ts';
import type { Due } from './passages.ts';

/** What would run, one command line for each step, with the names that are filled in then. */
export function planOutcome(due: readonly Due[]): Outcome {
  const journeys = due.map(({ found, journey, profile, round }) => ({
    journey: journey.name,
    file: found.file,
    profile,
    round,
    steps: [
      ...journey.steps.map((step) => planned(step, profile, false)),
      ...journey.always.map((step) => planned(step, profile, true)),
    ],
  }));
  return {
    kind: 'data',
    data: journeys,
    text: () =>
      journeys
        .map(({ journey, file, profile, steps }) =>
          clean(
            [
              `${journey}  (${file}, ${profile})`,
              ...steps.flatMap(({ commandLine, note, expect }) => [
                `  ${commandLine}${note}`,
                ...expect.map((one) => `    expects ${one}`),
              ]),
            ].join('\n'),
          ),
        )
        .join('\n\n'),
  };
}

function planned(
  {
    command,
    positionals,
    flags,
    profile,
    psu,
    each,
    retry,
    name,
    input,
    when = [],
    save,
    expect,
  }: JourneyStep,
  usual: string,
  always: boolean,
) {
  const words = [
    ...command.split(' '),
    ...positionals.map(({ text }) => text),
    ...flags.flatMap(({ flag, values }) =>
      values === 'set' ? [flag] : values.map(({ text }) => `${flag}=${text}`),
    ),
    '--profile',
    profile?.text ?? usual,
  ];
  const notes = [
    psu === undefined ? '' : `the PSU: ${psu.does}`,
    each === undefined ? '' : `for each ${each.name}`,
    retry === undefined ? '' : `until it holds, ${String(retry.withinMs / 1000)} s`,
    ...when.map(({ of }) => `when ${of.text} is so`),
    save === undefined ? '' : `saved as ${save}`,
    always ? 'always' : '',
  ].filter((one) => one !== '');
  return {
    name: name ?? command,
    commandLine:
      (input === undefined ? '' : `${line`printf %s ${[inputAsWritten(input)]}`} | `) + line`obk ${words}`,
    always,
    expect: expectedOf(expect, exitName),
    note: notes.length === 0 ? '' : `   # ${notes.join('; ')}`,
  };
}

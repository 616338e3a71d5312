import type { Commands } from '../commands.ts';
import { Names } from './names.ts';
import { secretNames } from './psu-of.ts';
import type { RecordedPsu, RecordedRun, RecordedStep } from './recorded.ts';
import { calls, recorders } from './steps.ts';

/** A journey made of runs, as its file has it, and what of the runs is not in it. */
export interface RecordedJourney {
  document: Readonly<Record<string, unknown>>;
  leftOut: readonly { run: string; command: string; why: string }[];
}

/**
 * Makes a journey of runs, oldest first: secrets by names, ids as references to what earlier steps saved, accounts, amounts and
 * PSUs as variables. `exitName` gives the words of an exit code.
 */
export function journeyOf(
  runs: readonly RecordedRun[],
  name: string | undefined,
  { commands, exitName }: { commands: Commands; exitName: (code: number) => string },
): RecordedJourney {
  const names = new Names();
  const steps: RecordedStep[] = [];
  const leftOut: { run: string; command: string; why: string }[] = [];
  const profiles = [...new Set(runs.flatMap(({ profile }) => profile ?? []))];
  for (const run of runs) {
    const command = run.command ?? '';
    const left = (why: string) => leftOut.push({ run: run.run, command, why });
    if (run.exit === null) left('it did not end');
    const made = (recorders[command] ?? calls)(run, names) ?? calls(run, names);
    if (run.exit === null) continue;
    if (made === undefined) left('no call of it can be made again');
    for (const step of made ?? []) {
      const own = withFlagsThatAre(step, commands);
      const profile = profiles.length > 1 && run.profile !== null ? { profile: run.profile } : {};
      join(steps, { ...own, ...profile });
    }
  }
  const entered = steps.flatMap(({ psu }) => [psu?.password, psu?.otp].filter((one) => one !== undefined));
  const secrets = Object.entries(secretNames).filter(([one]) => entered.includes(one));
  const [only] = profiles;
  return {
    document: {
      journey: name ?? titleOf(steps),
      tags: ['recorded'],
      ...(profiles.length === 1 && { profile: only }),
      ...(names.variables.size > 0 && { variables: Object.fromEntries(names.variables) }),
      ...(secrets.length > 0 && { secrets: Object.fromEntries(secrets) }),
      steps: steps.map((step) => written(step, exitName)),
    },
    leftOut,
  };
}

/** What was done one step at a time is one step of a journey. */
function join(steps: RecordedStep[], step: RecordedStep): void {
  const last = steps.at(-1);
  const isMore =
    last !== undefined &&
    last.command.endsWith(' authorise') &&
    last.command === step.command &&
    JSON.stringify(last.given) === JSON.stringify(step.given) &&
    last.psu?.does === 'leave';
  if (!isMore) steps.push(step);
  else steps[steps.length - 1] = { ...step, psu: joined(last.psu, step.psu) };
}

const joined = (one: RecordedPsu | undefined, other: RecordedPsu | undefined): RecordedPsu => ({
  ...one,
  ...other,
  does: other?.does ?? 'approve',
});

/** Without the flags that its command does not have. */
function withFlagsThatAre(step: RecordedStep, commands: Commands): RecordedStep {
  const { given } = step;
  if (typeof given === 'string') return step;
  const facts = commands.find(step.command);
  const known = new Set([
    ...(facts?.flags ?? []).map(({ name }) => name.slice(2)),
    ...(facts?.arguments ?? []).map(({ name }) => name),
  ]);
  return { ...step, given: Object.fromEntries(Object.entries(given).filter(([flag]) => known.has(flag))) };
}

function written({ command, given, psu, expect, ...rest }: RecordedStep, exitName: (code: number) => string) {
  const { exit, ...others } = expect ?? {};
  const expected = { ...(exit !== undefined && { exit: exitName(Number(exit)) }), ...others };
  const isPlain = psu !== undefined && Object.keys(psu).length === 1;
  return {
    [command]: typeof given === 'string' || Object.keys(given).length > 0 ? given : {},
    ...rest,
    ...(psu !== undefined && { psu: isPlain ? psu.does : psu }),
    ...(expect !== undefined && { expect: expected }),
  };
}

function titleOf(steps: readonly RecordedStep[]): string {
  const words = [...new Set(steps.map(({ command }) => command))];
  return words.length === 0 ? 'Nothing' : `As recorded: ${words.join(', ')}`;
}

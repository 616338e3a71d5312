import type { Journey, JourneyStep } from './journey.ts';
import { resolveValue } from './references.ts';
import type { JourneyResult, StepResult } from '../../settings/records/journey-run.ts';
import { worst } from './verdict.ts';
import { runStep } from './run-step.ts';
import type { Course, World } from './run-step.ts';

/** One journey with one profile. */
export interface Passage {
  journey: Journey;
  profile: string;
  /** What the profile is, for conditions: its name, environment and framework. */
  about: Readonly<Record<string, string>>;
  /** The operations and approaches that the bank of the profile has. */
  offers: readonly string[];
  run: string;
  /** The number of the user whose journey it is, from 1. */
  user: number;
  /** Makes texts that no other payment of any run has. */
  nextKey: () => string;
  /** Values in place of those of the journey's variables. */
  set: ReadonlyMap<string, string>;
}

/**
 * Runs the steps one after the other up to the first that fails, and then those that run always, also where the run is
 * interrupted: the step that was due then has failed.
 */
export async function runJourney(
  world: World,
  passage: Passage,
  told: (step: StepResult) => void,
  cleaning: World = world,
): Promise<JourneyResult> {
  const { journey, profile, offers } = passage;
  const { clock } = world;
  const [at, begun] = [clock.now(), clock.monotonic()];
  const facts = {
    journey: journey.name,
    file: world.file,
    profile,
    tags: journey.tags,
    at: at.toISOString(),
  };
  const missing = journey.needs.filter((one) => !offers.includes(one));
  if (missing.length > 0) {
    const why = `the profile does not offer ${missing.join(', ')}`;
    return { ...facts, verdict: 'skipped', why, durationMs: 0, steps: [] };
  }
  const course: Course = {
    journey,
    profile,
    scope: scopeOf(passage, at),
    psuId: undefined,
    nextKey: passage.nextKey,
    endedEarly: false,
  };
  const steps: StepResult[] = [];
  const take = async (own: World, step: JourneyStep) => {
    const results = await runStep(own, course, step);
    for (const one of results) told(one);
    steps.push(...results);
    return results.every(({ verdict }) => verdict === 'passed' || verdict === 'skipped');
  };
  let isThrough = false;
  /** Returns whether it was interrupted. */
  const walk = async (): Promise<boolean> => {
    for (const step of journey.steps) {
      try {
        world.signal.throwIfAborted();
        if (!(await take(world, step))) return world.signal.aborted;
      } catch (error) {
        if (!world.signal.aborted) throw error;
        steps.push(interruptedAt(step));
        return true;
      }
    }
    isThrough = true;
    return false;
  };
  /** One that cannot be run keeps no later one from it, and is told when all have had their turn. */
  const cleanUp = async () => {
    const failures: unknown[] = [];
    for (const step of journey.always) {
      try {
        await take(cleaning, step);
      } catch (error) {
        failures.push(error);
        if (cleaning.signal.aborted) break;
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  let isInterrupted: boolean;
  try {
    isInterrupted = await walk();
  } finally {
    course.endedEarly = !isThrough;
    await cleanUp();
  }
  return {
    ...facts,
    ...(isInterrupted && { interrupted: true }),
    verdict: worst(steps.map(({ verdict }) => verdict)),
    durationMs: clock.monotonic() - begun,
    steps,
  };
}

const interruptedAt = ({ name, command, line }: JourneyStep): StepResult => ({
  name: name ?? command,
  line,
  commandLine: '',
  verdict: 'failed',
  why: 'The run was interrupted.',
  exit: null,
  durationMs: 0,
  tries: 0,
  checks: [],
  calls: [],
});

/** What `$name` stands for before the first step. */
export function scopeOf({ journey, about, run, set, user }: Passage, now: Date): Map<string, unknown> {
  const scope = new Map<string, unknown>([
    ['run', { id: run }],
    ['profile', about],
    ['user', { number: String(user) }],
    ['now', now.toISOString()],
    ['today', now.toISOString().slice(0, 10)],
  ]);
  for (const { name, value } of journey.variables) {
    const given = set.get(name);
    const own = 'text' in value ? resolveValue(value, scope) : value.map((one) => resolveValue(one, scope));
    scope.set(name, given ?? own);
  }
  return scope;
}

import type { Journey, Step } from './journey.ts';
import { resolveValue } from './references.ts';
import type { JourneyResult, StepResult } from '../records/journey-run.ts';
import { worst } from './verdict.ts';
import { runStep } from './run-step.ts';
import type { Course, World } from './run-step.ts';

/** One journey with one profile. */
export interface Passage {
  journey: Journey;
  profile: string;
  /** What the profile is, for conditions: its name, environment and framework. */
  about: Readonly<Record<string, string>>;
  /** The operations that its variant of the interface has. */
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
 * interrupted; the interruption is thrown after them.
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
  const missing = journey.needs.filter((operation) => !offers.includes(operation));
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
  };
  const steps: StepResult[] = [];
  const take = async (own: World, step: Step) => {
    const results = await runStep(own, course, step);
    for (const one of results) told(one);
    steps.push(...results);
    return results.every(({ verdict }) => verdict === 'passed' || verdict === 'skipped');
  };
  try {
    for (const step of journey.steps) {
      world.signal.throwIfAborted();
      if (!(await take(world, step))) break;
    }
  } finally {
    for (const step of journey.always) await take(cleaning, step);
  }
  return {
    ...facts,
    verdict: worst(steps.map(({ verdict }) => verdict)),
    durationMs: clock.monotonic() - begun,
    steps,
  };
}

function scopeOf({ journey, about, run, set, user }: Passage, now: Date): Map<string, unknown> {
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

import {
  each,
  list,
  map,
  number,
  numberOrNull,
  object,
  oneOf,
  orNull,
  text,
  textOrNull,
  truth,
  foreign,
} from '../../../base/schema.ts';
import { bankMessage, sideFinding } from '../output/shapes.ts';

const verdict = oneOf('passed', 'failed', 'unknown', 'skipped');
const journeyStep = object(
  {
    ...each(text, 'name commandLine'),
    verdict,
    ...each(number, 'line durationMs tries'),
    exit: numberOrNull,
    checks: list(object({ ...each(text, 'what expected is'), ok: truth })),
    calls: list(
      object(
        { ...each(text, 'method url requestId'), status: numberOrNull, durationMs: number },
        { exchange: foreign({}, {}, 'As --print HBhb shows it.') },
      ),
    ),
  },
  {
    why: text,
    error: object({ ...each(text, 'code title'), detail: textOrNull }, { tppMessages: list(bankMessage) }),
    findings: list(object(sideFinding, { waived: text })),
  },
);
const journeyRun = object(
  {
    ...each(text, 'run at'),
    ...each(number, 'passed failed unknown notRun'),
    journeys: list(
      object(
        {
          ...each(text, 'journey file profile at'),
          tags: list(text),
          verdict,
          durationMs: number,
          steps: list(journeyStep),
        },
        { why: text, interrupted: truth },
      ),
    ),
  },
  {},
  'What came of each journey; the exchanges stand with the steps that did not pass.',
);
const journeyPlan = list(
  object({
    ...each(text, 'journey file profile'),
    round: number,
    steps: list(object({ ...each(text, 'name commandLine note'), always: truth, expect: list(text) })),
  }),
  'With --plan: what would run, the names of values in it as the file has them.',
);

const latencies = object(each(number, 'mean min max p50 p75 p90 p95 p99 p999'));
const loadRows = list(
  object({
    name: text,
    ...each(number, 'ended failed'),
    latencyMs: orNull(latencies),
    errors: map(number),
  }),
);
const journeyLoad = object(
  {
    ...each(text, 'run at'),
    profiles: list(text),
    arrivals: object({ ...each(number, 'perSecond forS users'), maxErrors: text }),
    ...each(number, 'tookS due begun notBegun passed failed unknown interrupted'),
    stopped: textOrNull,
    perSecond: object(each(number, 'journeys calls')),
    ...each(loadRows, 'journeys operations'),
    moments: list(
      object({ ...each(number, 'atS due ended failed running'), p50Ms: numberOrNull, p99Ms: numberOrNull }),
    ),
  },
  {},
  'With --arrivals: latencies in milliseconds, and slices of the time.',
);

/** What `journey run` prints. */
export const journeys = {
  description: 'A run of journeys, or what would run.',
  anyOf: [journeyRun, journeyPlan, journeyLoad],
};

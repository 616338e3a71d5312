import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { text } from '../../../base/schema.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { keptFolder, keptRuns } from '../../../tester/journeys/kept-runs.ts';
import { keptFile, twoRuns } from '../flags/two-runs.ts';

const fields = {
  journey: needed(text, 'JOURNEY'),
  profile: needed(text, 'PROFILE', { spare: 1 }),
  step: needed(text, 'STEP'),
  before: needed(text, 'BEFORE'),
  after: needed(text, 'AFTER'),
};

const flags = (command: Flags) => twoRuns(command, 'run');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Compare two runs of journeys: what passed then and fails now, step by step',
      prints: rowsAs(
        'journeyDiff',
        fields,
        'What differs between two runs; the row without a step is the journey.',
      ),
      examples: ['obk journey diff @last-1', 'obk journey diff @last-1 @last --json'],
      exits: [2],
      more: ['obk help journey run'],
    },
    run,
  );

/** What is kept of a run, as far as it is compared. */
interface Kept {
  run: string;
  journeys: readonly {
    journey: string;
    profile: string;
    verdict: string;
    steps: readonly {
      name: string;
      verdict: string;
      checks: readonly { what: string; is: string; ok: boolean }[];
    }[];
  }[];
}

const run: Run<Options> = async (context, { a, b }) => {
  const [before, after] = [await kept(context, a), await kept(context, b)];
  const was = new Map(flat(before).map((row) => [row.key, row]));
  const is = new Map(flat(after).map((row) => [row.key, row]));
  const rows = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [one, other] = [was.get(key), is.get(key)];
    const [from, to] = [one?.text ?? 'not run', other?.text ?? 'not run'];
    const { journey = '', profile = '', step = '' } = other ?? one ?? {};
    return from === to ? [] : [{ journey, profile, step, before: from, after: to }];
  });
  return {
    kind: 'rows',
    columns: columnsOf(fields),
    rows,
    nameKey: 'journey',
    empty: `Nothing differs between ${before.run} and ${after.run}.`,
    next: [],
  };
};

/** Each step in order of its journey with how it went; what is found of a value is not compared, only whether it was right. */
function flat({ journeys }: Kept) {
  const times = new Map<string, number>();
  return journeys.flatMap(({ journey, profile, verdict, steps }) => {
    const name = `${journey}\n${profile}`;
    const round = (times.get(name) ?? 0) + 1;
    times.set(name, round);
    const key = (step: number) => `${name}\n${String(round)}\n${String(step)}`;
    return [
      { key: key(-1), journey, profile, step: '', text: verdict },
      ...steps.map(({ name: step, verdict: own, checks }, at) => {
        const wrong = checks.filter(({ ok }) => !ok).map(({ what, is }) => `${what} is ${is}`);
        return {
          key: key(at),
          journey,
          profile,
          step,
          text: [own, ...wrong].map((one) => cleanLine(one)).join('; '),
        };
      }),
    ];
  });
}

/** Reads a run that was kept. Throws RESOURCE_NOT_SAVED, ID_AMBIGUOUS, STATE_UNREADABLE. */
async function kept({ ports: { files }, directories }: Context, wish: string): Promise<Kept> {
  const folder = keptFolder(directories.state);
  const runs = await keptRuns(files, directories.state);
  const name = keptFile(runs, wish, {
    what: 'run of journeys',
    plural: 'runs of journeys',
    start: 'obk journey run FILE',
  });
  const text = new TextDecoder().decode(await files.read(`${folder}/${name}`));
  const read = parsed(text);
  if (read !== undefined) return read;
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: `The run ${name} cannot be read.`,
    detail: `${folder}/${name}`,
  });
}

function parsed(text: string): Kept | undefined {
  try {
    const read = JSON.parse(text) as Partial<Kept> | null;
    return Array.isArray(read?.journeys) && typeof read.run === 'string' ? (read as Kept) : undefined;
  } catch {
    return undefined;
  }
}

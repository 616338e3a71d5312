import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { runsToRecord } from '../../../client/evidence/runs-to-record.ts';
import { readJourney } from '../../../tester/journeys/read-journey.ts';
import { journeyOf } from '../../../tester/journeys/record/journey-of.ts';
import type { RecordedRun } from '../../../tester/journeys/record/recorded.ts';
import { toYaml } from '../../render/yaml.ts';
import { notEmpty } from '../flags/sca-options.ts';
import { commandsOf, exitNames } from './journey-files.ts';

/** A token is saved at most so long after its call was made. */
const longestAnswerMs = 60_000;

const flags = (command: Flags) =>
  command
    .argument(
      '[id...]',
      'runs, @last, @last-1 ...; or the id of a payment, consent or basket: all that was done to it (@last)',
    )
    .option('--name <TEXT>', 'the sentence that names the journey', notEmpty('--name'));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Write a journey of what was done last; secrets by name, ids as references, amounts as variables',
      examples: [
        'obk journey record --output recorded.yaml',
        'obk journey record @last-1 @last --name "Pay, then cancel"',
        'obk journey record @failed',
      ],
      exits: [2, 3],
      more: ['obk help journey run', 'obk help log list'],
    },
    run,
  );

const run: Run<Options> = async (context, { id, name }) => {
  const { journal, notices } = context.ports;
  const views = await runsToRecord(journal, id.length === 0 ? ['@last'] : id, context.globals);
  const runs = await Promise.all(views.map((view) => withLogin(context, view)));
  const commands = await commandsOf(context);
  const exitName = (code: number) => exitNames.find((one) => one.code === code)?.name ?? String(code);
  const { document, leftOut } = journeyOf(runs, name, { commands, exitName });
  for (const { run: of, command, why } of leftOut)
    notices.warn(`The run ${of} (${cleanLine(command)}) is not in the journey: ${why}.`);
  if (runs.some(({ command, loggedIn }) => command === 'auth login' && loggedIn === undefined))
    notices.warn('It is not known any more who logged in: give the PSU by --set psuId=PSU-ID.');
  const { steps } = document as { steps: readonly unknown[] };
  if (steps.length === 0)
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'Nothing of this can be a step of a journey.',
      hint: ['obk log list', 'obk journey record @last-1 @last'],
    });
  const text = toYaml(document);
  const read = readJourney(Buffer.from(text), 'journey.yaml', commands, exitNames);
  if ('faults' in read) throw new Error(`The journey cannot be read: ${JSON.stringify(read.faults)}`);
  return { kind: 'data', data: document, text: () => text.replace(/\n$/, '') };
};

/** With the PSU of a login, as long as the token that it brought is kept. */
async function withLogin({ ports: { credentials } }: Context, run: RecordedRun): Promise<RecordedRun> {
  if (run.command !== 'auth login' || run.profile === null) return run;
  const ended = Date.parse(run.exchanges.at(-1)?.at ?? run.startedAt);
  const { tokens = [] } = await credentials.read(run.profile);
  const away = (since: string | undefined) => Math.abs(Date.parse(since ?? '') - ended);
  const made = tokens
    .filter(({ resource, since }) => resource === undefined && away(since) < longestAnswerMs)
    .sort((one, other) => away(one.since) - away(other.since))
    .at(0);
  return made?.psuId === undefined ? run : { ...run, loggedIn: made.psuId };
}

import { cleanLine } from '../../clean.ts';
import type { Register, Run } from '../../command.ts';
import { ObkError } from '../../errors.ts';
import { runsToRecord } from '../../flows/evidence/runs-to-record.ts';
import { readJourney } from '../../journeys/read-journey.ts';
import { journeyOf } from '../../journeys/record/journey-of.ts';
import { toYaml } from '../../render/yaml.ts';
import { notEmpty } from '../flags/sca-options.ts';
import { commandsOf, exitNames } from './journey-files.ts';

interface Options {
  id: readonly string[];
  name?: string;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('record')
      .argument(
        '[id...]',
        'runs, @last, @last-1 ...; or the id of a payment, consent or basket: all that was done to it (@last)',
      )
      .option('--name <TEXT>', 'the sentence that names the journey', notEmpty('--name')),
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
  const runs = await runsToRecord(journal, id.length === 0 ? ['@last'] : id);
  const commands = await commandsOf(context);
  const exitName = (code: number) => exitNames.find((one) => one.code === code)?.name ?? String(code);
  const { document, leftOut } = journeyOf(runs, name, { commands, exitName });
  for (const { run: of, command, why } of leftOut)
    notices.warn(`The run ${of} (${cleanLine(command)}) is not in the journey: ${why}.`);
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

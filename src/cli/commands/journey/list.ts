import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { list, number, text } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { commandsOf, readJourneys } from './journey-files.ts';

const flags = (command: Flags) =>
  command.argument(
    '[file...]',
    'journeys: YAML or JSON, or folders of them; those that obk ships without this',
  );

const fields = {
  file: needed(text, 'FILE', { whole: true }),
  journey: needed(text, 'JOURNEY'),
  tags: needed(list(text), 'TAGS', { spare: 1 }),
  steps: needed(number, 'STEPS', { align: 'right', spare: 2 }),
  profiles: needed(list(text)),
  secrets: needed(list(text)),
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List journeys with their tags, and say what is wrong with their files',
      prints: rowsAs('journeyList', fields),
      examples: ['obk journey list', 'obk journey list journeys', 'obk journey list pay.yaml --json'],
      exits: [2],
      more: ['obk help journey run'],
    },
    run,
  );

const run: Run<Options> = async (context, { file }) => {
  const names = file.length > 0 ? file : await shippedNames();
  const found = await readJourneys(context, names, await commandsOf(context));
  const rows = found.map(({ file: name, journey }) => ({
    file: name,
    journey: journey.name,
    tags: journey.tags,
    profiles: journey.profiles,
    secrets: [...journey.secrets.keys()],
    steps: journey.steps.length,
  }));
  return {
    kind: 'rows',
    columns: columnsOf(fields),
    rows,
    nameKey: 'file',
    empty: 'There is no journey in this folder.',
    next: file.length > 0 ? [] : ['obk journey run pay-redirect --profile sandbox'],
  };
};

const shippedNames = async () => [
  ...(await import('../../../tester/journeys/shipped.ts')).shippedJourneys.keys(),
];

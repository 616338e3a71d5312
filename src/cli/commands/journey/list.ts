import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { commandsOf, readJourneys } from './journey-files.ts';

const flags = (command: Flags) =>
  command.argument(
    '[file...]',
    'journeys: YAML or JSON, or folders of them; those that obk ships without this',
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List journeys with their tags, and say what is wrong with their files',
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
    columns: [
      { key: 'file', title: 'FILE', whole: true },
      { key: 'journey', title: 'JOURNEY' },
      { key: 'tags', title: 'TAGS', spare: 1 },
      { key: 'steps', title: 'STEPS', align: 'right', spare: 2 },
    ],
    rows,
    nameKey: 'file',
    empty: 'There is no journey in this folder.',
    next: file.length > 0 ? [] : ['obk journey run pay-redirect --profile sandbox'],
  };
};

const shippedNames = async () => [
  ...(await import('../../../tester/journeys/shipped.ts')).shippedJourneys.keys(),
];

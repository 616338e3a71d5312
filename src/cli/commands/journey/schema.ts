import type { Register, Run } from '../../command.ts';
import { journeySchema } from '../../../tester/journeys/read-journey.ts';
import { toJson } from '../../render/json.ts';
import { commandsOf, exitNames } from './journey-files.ts';

export const register: Register = (command, start) =>
  start(
    command,
    {
      about: 'Print the JSON Schema of journeys, with every command and flag, for editors',
      examples: ['obk journey schema --output journey.schema.json'],
      more: ['obk help journey run'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const data = journeySchema(await commandsOf(context), exitNames);
  return { kind: 'data', data, text: () => toJson(data, { pretty: true }) };
};

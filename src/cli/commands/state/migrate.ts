import type { Register, Run } from '../../command.ts';
import { migratedText, siteText, stateOptions } from './state-options.ts';

export const register: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Bring the state up to this obk: forward only, one process at a time; a newer obk must not have done so before. The files of a home come up by themselves',
      examples: ['obk state migrate --url-from env:OBK_OWNER_URL'],
      exits: [3],
      more: ['obk help state init', 'obk help state status'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const migrated = await context.ports.stateStore.migrate();
  return { kind: 'data', data: migrated, text: () => migratedText(migrated), name: siteText(migrated) };
};

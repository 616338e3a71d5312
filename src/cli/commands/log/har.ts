import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { harOfViews } from '../../../client/evidence/har.ts';
import { findExchanges } from '../../../client/evidence/journal-runs.ts';
import { toJson } from '../../render/json.ts';
import { whichCalls } from './id.ts';

const flags = (command: Flags) => whichCalls(command);

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Print the calls of a run, or all about a payment, as HAR 1.2; secrets are cut out',
      examples: ['obk log har @last --output calls.har', 'obk log har'],
      exits: [3],
      more: ['obk help report', 'obk help log curl'],
    },
    run,
  );

const run: Run<Options> = async (context, { id }) => {
  const calls = await findExchanges(context.ports.journal, id, context.globals);
  const views = calls.map(({ view }) => view);
  const har = harOfViews(views, { name: 'obk', version: context.process.version });
  return {
    kind: 'data',
    data: har,
    text: () => toJson(har, { pretty: true }),
    name: views.map(({ requestId }) => requestId).join('\n'),
  };
};

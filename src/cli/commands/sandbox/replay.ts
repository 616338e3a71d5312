import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { doorsFromEnvironment, doorsFromFlags } from '../../../settings/doors/read-doors.ts';
import { doorOf } from '../../../settings/doors/table.ts';
import { callsToTell } from '../../../client/evidence/told-again.ts';
import { demand, duration } from '../flags/flag-values.ts';
import { doorFlags, flagsIn, serve, serveDetached } from './serving.ts';

/** How the server is reached; whom the bank let in stands in the recording. */
const doorsOfReplay = [
  'port',
  'httpsPort',
  'clientCertificate',
  'listen',
  'host',
  'trust',
  'basePath',
] as const;

const flags = (command: Flags) =>
  doorFlags(
    command.argument('[what...]', 'recorded calls: HAR files, or runs (their ids, @last)'),
    doorsOfReplay,
  )
    .optionsGroup('BANK FLAGS')
    .option('--name <NAME>', 'name by which commands reach it (--at NAME, OBK_SANDBOX)')
    .option('--idle <DURATION>', 'end after so long without a call', duration('--idle'))
    .option('--detach', 'go on in the background; this run ends with 0 once it answers');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Answer as another bank has answered, from a recording, until Ctrl-C',
      examples: [
        'obk sandbox replay calls.har --port 0',
        'obk sandbox replay calls.har --port 0 --name case --detach',
        'obk sandbox replay calls.har --port 0 --https-port 0 --client-certificate required',
      ],
      exits: [2, 3],
      more: ['obk help log har', 'obk help sandbox start'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { files, notices } = context.ports;
  const { what, name, idle } = options;
  demand([what.length === 0 && 'WHAT'], 'obk sandbox replay calls.har --port 0');
  if (options.detach === true) {
    const flags = flagsIn([
      // Whose runs @last and @failed stand for.
      ['--profile', context.globals.profile],
      ...doorsOfReplay.map((key) => [doorOf(key).flag, options[key]] as const),
      ['--name', name],
      ['--idle', idle === undefined ? undefined : `${String(idle)}ms`],
    ]);
    return serveDetached(context, ['replay', ...what, ...flags]);
  }
  const { calls, notes } = await callsToTell(context.ports, what, context.globals);
  for (const note of notes) notices.warn(note);
  const absolute = (path: string) => files.absolute(path);
  const sources = [doorsFromFlags(options, absolute), doorsFromEnvironment(context.process.env, absolute)];
  return serve(context, sources, {
    rsa: idle === undefined || name !== undefined,
    ...defined({ name, idleMs: idle }),
    without: [],
    database: ':memory:',
    recording: calls,
  });
};

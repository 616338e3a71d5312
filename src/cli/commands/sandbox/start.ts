import { defined } from '../../../base/defined.ts';
import { isTemplateName } from '../../../settings/banks/template-name.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import {
  bankFromEnvironment,
  bankVariables,
  unreadVariables,
} from '../../../settings/doors/bank-variables.ts';
import { doorsFromEnvironment, doorsFromFlags } from '../../../settings/doors/read-doors.ts';
import { doorKeys, doorOf } from '../../../settings/doors/table.ts';
import { ObkError } from '../../../base/errors.ts';
import { defaultBank, isBankName } from '../../../base/profile-name.ts';
import { duration, several } from '../flags/flag-values.ts';
import { doorFlags, flagsIn, serve, serveDetached } from './serving.ts';

const flags = (command: Flags) =>
  doorFlags(command, doorKeys)
    .optionsGroup('BANK FLAGS')
    .option('--name <NAME>', 'name of a bank beside others, with a ledger of its own')
    .option('--database <FILE>', 'ledger file, or :memory: (else that of the name; with --config :memory:)')
    .option('--config <FILE>', 'bank with data of its own: a YAML or JSON file (obk sandbox schema)')
    .option('--bank <NAME|FILE>', 'behave as a bank that departs from the standard (obk bank list)')
    .option('--without <OPERATION>', 'leave an operation out (several)', several)
    .option('--idle <DURATION>', 'end after so long without a call', duration('--idle'))
    .option('--detach', 'go on in the background; this run ends with 0 once the bank answers');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Run the bank inside on its own, until Ctrl-C or in the background, on this machine only',
      usual: 'port https-port open name database config bank idle detach framework people tenants',
      examples: [
        'obk sandbox start --port 8080',
        'obk sandbox start --open --port 0 --name ci --database :memory: --detach --json',
        'obk sandbox start --port 0 --config bank.yaml',
        'obk sandbox start --port 0 --bank adorsys-xs2a',
      ],
      exits: [3],
      more: ['obk sandbox people', 'obk sandbox stop', 'obk help sandbox fault add'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { files } = context.ports;
  const name = nameFor(context, options);
  if (options.detach === true) return serveDetached(context, ['start', ...flagsOf({ ...options, name })]);
  const { env } = context.process;
  for (const unread of unreadVariables(env)) context.ports.notices.warn(unread);
  const { database, config, bank: described, without = [] } = { ...bankFromEnvironment(env), ...options };
  const absolute = (path: string) => files.absolute(path);
  const sources = [doorsFromFlags(options, absolute), doorsFromEnvironment(env, absolute)];
  const started = serve(context, sources, {
    // A bank without a name that ends by itself was mostly started by a run of obk, which must not wait for keys that it never uses.
    rsa: options.idle === undefined || name !== undefined,
    ...defined({ name }),
    ...(config !== undefined && { config: files.absolute(config) }),
    ...(described !== undefined && {
      bank: isTemplateName(described) ? described : files.absolute(described),
    }),
    without,
    ...defined({ idleMs: options.idle }),
    ...(database === undefined
      ? {}
      : { database: database === ':memory:' ? database : files.absolute(database) }),
  });
  return started.catch((error: unknown) => {
    throw namingVariable(error, env, options);
  });
};

/** A refusal with the variable that it is about, where a value came from none of the flags. */
function namingVariable(error: unknown, env: Context['process']['env'], options: Options): unknown {
  if (!(error instanceof ObkError)) return error;
  const { code, title, detail = '', hint } = error;
  // Each word that may be a value; a path may stand there as an absolute one.
  const words = `${title} ${detail}`.split(/[\s"';,]+|[.:](?=\s|$)/);
  const about = Object.entries(bankFromEnvironment(env)).find(
    ([key, value]) =>
      options[key as keyof Options] === undefined &&
      [value].flat().some((text) => words.some((word) => word === text || word.endsWith(`/${text}`))),
  );
  if (about === undefined) return error;
  const variable = bankVariables[about[0] as keyof typeof bankVariables];
  return new ObkError({
    code,
    title: title.replaceAll(`--${about[0]} `, `${variable} `),
    detail: [detail, `${variable} is ${[about[1]].flat().join(' ')}.`].join(' ').trim(),
    hint,
    cause: error,
  });
}

/** The name of the flag, else the one that OBK_SANDBOX addresses: what follows in its environment reaches this bank. */
function nameFor(context: Context, { name }: Options): string | undefined {
  const addressed = context.process.env['OBK_SANDBOX'] ?? '';
  if (addressed === '' || addressed === name) return name;
  if (name === undefined && isBankName(addressed)) return addressed;
  context.ports.notices.warn(
    `OBK_SANDBOX addresses ${addressed}: commands reach this bank with --at ${name ?? defaultBank} only.`,
  );
  return name;
}

/** The command line of the same start, without `--detach`. */
function flagsOf(options: Omit<Options, 'name'> & { name: string | undefined }): string[] {
  const { name, database, config, bank, without, idle } = options;
  return flagsIn([
    ...doorKeys.map((key) => [doorOf(key).flag, options[key]] as const),
    ...Object.entries({ '--name': name, '--database': database, '--config': config, '--bank': bank }),
    ['--without', without] as const,
    ['--idle', idle === undefined ? undefined : `${String(idle)}ms`] as const,
  ]);
}

import type { Command } from 'commander';
import { isTemplateName } from '../../banks/template-name.ts';
import type { Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { line } from '../../command-line.ts';
import { doorsFromEnvironment, doorsFromFlags } from '../../doors/read-doors.ts';
import { doorKeys, doorOf, doors } from '../../doors/table.ts';
import type { DoorKey } from '../../doors/table.ts';
import type { OpenBank, ServedBank } from '../../ports/bank.ts';
import { defaultBank, isBankName } from '../../profile-name.ts';
import type { Secret } from '../../secret.ts';
import { duration, several } from '../flags/flag-values.ts';

interface Options extends Readonly<Partial<Record<DoorKey, unknown>>> {
  name?: string;
  database?: string;
  config?: string;
  bank?: string;
  without?: readonly string[];
  idle?: number;
  detach?: boolean;
}

export const register: Register = (parent, start) => {
  const command = parent.command('start');
  command.optionsGroup('DOORS');
  for (const key of doorKeys) addDoor(command, key);
  return start(
    command
      .optionsGroup('BANK FLAGS')
      .option('--name <NAME>', 'name of a bank beside others, with a ledger of its own')
      .option('--database <FILE>', 'ledger file, or :memory: (else that of the name; with --config :memory:)')
      .option('--config <FILE>', 'bank with data of its own: a YAML or JSON file (obk sandbox schema)')
      .option('--bank <NAME|FILE>', 'behave as a bank that departs from the standard (obk bank list)')
      .option('--without <OPERATION>', 'leave an operation out (several)', several)
      .option('--idle <DURATION>', 'end after so long without a call', duration('--idle'))
      .option('--detach', 'go on in the background; this run ends with 0 once the bank answers'),
    {
      about: 'Run the bank inside on its own, until Ctrl-C or in the background, on this machine only',
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
};

/** A flag of the table of doors, whose values are read where those of variables and files are. */
function addDoor(command: Command, key: DoorKey): void {
  const { flag, value, choices, several: isList } = doorOf(key);
  const { about } = doors[key];
  const given = value === undefined ? flag : `${flag} <${value}>`;
  if (isList === true) command.option(given, about, several);
  else if (choices === undefined) command.option(given, about);
  else
    command.option(
      given,
      about,
      Object.assign((text: string) => text, { choices }),
    );
}

const run: Run<Options> = async (context, options) => {
  const { bank, files } = context.ports;
  const { database, config, bank: described } = options;
  const name = nameFor(context, options);
  if (options.detach === true) {
    const warn = (message: string) => {
      context.ports.notices.warn(message);
    };
    const started = await bank.serveDetached(flagsOf({ ...options, name }), warn, context.signal);
    return outcomeOf(started.bank, started.link, line`obk sandbox stop --at ${started.bank.name}`);
  }
  const absolute = (path: string) => files.absolute(path);
  const sources = [doorsFromFlags(options, absolute), doorsFromEnvironment(context.process.env, absolute)];
  let served: Promise<void> | undefined;
  let link: Secret | undefined;
  const ready = new Promise<ServedBank>((resolve, reject) => {
    served = bank.serve(
      {
        doors: sources,
        warn: (message) => {
          context.ports.notices.warn(message);
        },
        secret: (reference) => context.ports.secrets.read(reference, 'the access key of the bank inside'),
        // A bank without a name that ends by itself was mostly started by a run of obk, which must not wait for keys that it never uses.
        rsa: options.idle === undefined || name !== undefined,
        ...(name !== undefined && { name }),
        ...(config !== undefined && { config: files.absolute(config) }),
        ...(described !== undefined && {
          bank: isTemplateName(described) ? described : files.absolute(described),
        }),
        without: options.without ?? [],
        ...(options.idle === undefined ? {} : { idleMs: options.idle }),
        ...(database === undefined
          ? {}
          : { database: database === ':memory:' ? database : files.absolute(database) }),
      },
      (bank, window) => {
        link = window;
        resolve(bank);
      },
      context.signal,
    );
    served.catch(reject);
  });
  const address = await ready;
  if (address.open !== undefined) context.ports.notices.warn(warningOf(address.open));
  return {
    ...outcomeOf(address, link),
    ...(served === undefined ? {} : { after: served }),
  };
};

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
function flagsOf(options: Options): string[] {
  const given = ([flag, value]: readonly [string, unknown]): string[] => {
    if (Array.isArray(value)) return value.flatMap((one: unknown) => given([flag, one]));
    if (typeof value === 'string') return [`${flag}=${value}`];
    return value === true ? [flag] : [];
  };
  const { name, database, config, bank, without, idle } = options;
  return [
    ...doorKeys.map((key) => [doorOf(key).flag, options[key]] as const),
    ...Object.entries({ '--name': name, '--database': database, '--config': config, '--bank': bank }),
    ['--without', without] as const,
    ['--idle', idle === undefined ? undefined : `${String(idle)}ms`] as const,
  ].flatMap(given);
}

function outcomeOf(bank: ServedBank, link: Secret | undefined, stop?: string) {
  const end = stop === undefined ? 'Ctrl-C ends it.' : `This ends it:         ${stop}`;
  return {
    kind: 'data' as const,
    data: bank,
    text: () => `${lines(bank, link?.reveal() ?? bank.windowUrl)}\n${end}`,
    name: bank.baseUrl,
  };
}

const customers = ({ name, tenants }: ServedBank): string => {
  const command = name === 'default' ? 'obk sandbox people' : line`obk sandbox people --at ${name}`;
  return tenants === undefined ? command : `${command} --tenant NAME`;
};

const whose = (tenants: NonNullable<ServedBank['tenants']>): string =>
  tenants === 'certificate'
    ? 'organizationIdentifier of a certificate'
    : `value of the header ${tenants.slice('header:'.length)}`;

const secretsOf = ({ password, otp, additionalPassword }: OpenBank): string =>
  `${password} (the second one: ${additionalPassword}), one-time password ${otp}`;

/** Said whenever all doors stand open, and louder where other machines reach them. */
function warningOf(open: OpenBank): string {
  const words = { signature: 'no signature', clientCertificate: 'no client certificate', rate: 'no limit' };
  const doors = [...open.off.map((key) => words[key]), 'passwords that everybody knows'].join(', ');
  if (!open.elsewhere) return `OPEN: ${doors}. Only programs of this machine reach this bank.`;
  return [
    'OPEN TO THE NETWORK ***************************************************',
    `Whoever reaches this machine is let into this bank: ${doors}.`,
    'Use it in a network of its own only, and never with real data.',
    '************************************************************************',
  ].join('\n');
}

function lines(address: ServedBank, window: string): string {
  return [
    `The bank ${address.name === 'default' ? 'inside' : address.name} answers at ${address.baseUrl}`,
    ...(address.httpsBaseUrl === undefined ? [] : [`and at ${address.httpsBaseUrl} (CA: ${address.caPath})`]),
    ...address.furtherUrls.map((url) => `and at ${url}`),
    ...(address.tenants === undefined ? [] : [`A ledger for each:    ${whose(address.tenants)}`]),
    `Its customers:        ${customers(address)}`,
    `A certificate for it: ${address.certificatePath}`,
    `Its key:              ${address.keyPath}`,
    ...(address.httpsBaseUrl === undefined
      ? []
      : [
          `For TLS (QWAC):       ${address.tlsCertificatePath}`,
          `Its key:              ${address.tlsKeyPath}`,
        ]),
    ...(address.rsa === undefined
      ? []
      : [
          `The same with RSA:    ${address.rsa.certificatePath}`,
          `Its key:              ${address.rsa.keyPath}`,
          ...(address.httpsBaseUrl === undefined
            ? []
            : [
                `For TLS with RSA:     ${address.rsa.tlsCertificatePath}`,
                `Its key:              ${address.rsa.tlsKeyPath}`,
              ]),
        ]),
    ...(address.open === undefined ? [] : [`Passwords:            ${secretsOf(address.open)}`]),
    ...(address.accessKeyFile === undefined
      ? []
      : [`X-Access-Key:         in ${address.accessKeyFile}, for calls from other machines`]),
    `Steered by HTTP at:   ${address.controlUrl} (token: ${address.tokenFile})`,
    `Seen in a browser at: ${window}`,
  ].join('\n');
}

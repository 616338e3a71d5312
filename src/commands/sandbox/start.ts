import type { Command } from 'commander';
import { isTemplateName } from '../../banks/read-bank.ts';
import type { Register, Run } from '../../command.ts';
import { line } from '../../command-line.ts';
import { doorsFromEnvironment, doorsFromFlags } from '../../doors/read-doors.ts';
import { doorKeys, doorOf, doors } from '../../doors/table.ts';
import type { DoorKey } from '../../doors/table.ts';
import type { OpenBank, ServedBank } from '../../ports/bank.ts';
import type { Secret } from '../../secret.ts';
import { duration, several } from '../flags/flag-values.ts';

interface Options extends Readonly<Partial<Record<DoorKey, unknown>>> {
  name?: string;
  database?: string;
  config?: string;
  bank?: string;
  without?: readonly string[];
  idle?: number;
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
      .option('--idle <DURATION>', 'end after so long without a call', duration('--idle')),
    {
      about: 'Run the bank inside on its own, until Ctrl-C, on this machine only',
      examples: [
        'obk sandbox start --port 8080',
        'obk sandbox start --port 0 --name ci --database :memory: --json',
        'obk sandbox start --port 0 --config bank.yaml',
        'obk sandbox start --port 0 --bank adorsys-xs2a',
      ],
      exits: [3],
      more: ['obk sandbox people', 'obk help sandbox fault add'],
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
  const { name, database, config, bank: described } = options;
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
        // A bank that ends by itself was mostly started by a run of obk, which must not wait for keys that it never uses.
        rsa: options.idle === undefined,
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
    kind: 'data',
    data: address,
    text: () => lines(address, link?.reveal() ?? address.windowUrl),
    name: address.baseUrl,
    ...(served === undefined ? {} : { after: served }),
  };
};

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
    'Ctrl-C ends it.',
  ].join('\n');
}

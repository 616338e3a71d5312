import { defined } from '../../../base/defined.ts';
import type { Flags } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import type { GivenDoors } from '../../../settings/doors/read-doors.ts';
import { doorOf, doors } from '../../../settings/doors/table.ts';
import type { DoorKey } from '../../../settings/doors/table.ts';
import type { BankOptions, OpenBank, ServedBank } from '../../../bank/door.ts';
import type { Secret } from '../../../base/secret.ts';
import { several } from '../flags/flag-values.ts';

/** Adds flags of the table of doors, whose values are read where those of variables and files are. */
export function doorFlags<Own>(own: Flags<Own>, keys: readonly DoorKey[]) {
  const command = own.optionsGroup('DOORS');
  for (const key of keys) {
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
  return command as Flags<Own & Readonly<Partial<Record<DoorKey, unknown>>>>;
}

/** Serves a bank by these words of `obk sandbox` in a process of its own. */
export async function serveDetached(context: Context, words: readonly string[]) {
  const warn = (message: string) => {
    context.ports.notices.warn(message);
  };
  const { bank, link } = await context.ports.bank.serveDetached(words, warn, context.signal);
  return outcomeOf(bank, link, line`obk sandbox stop --at ${bank.name}`);
}

/** Flags with their values as words of a command line; those that are not given are left out. */
export const flagsIn = (given: readonly (readonly [flag: string, value: unknown])[]): string[] =>
  given.flatMap(([flag, value]): string[] => {
    if (Array.isArray(value)) return flagsIn(value.map((one: unknown) => [flag, one] as const));
    if (typeof value === 'string') return [`${flag}=${value}`];
    return value === true ? [flag] : [];
  });

/** Serves a bank until the signal of the run aborts; returns once it answers. */
export async function serve(
  context: Context,
  sources: readonly GivenDoors[],
  options: Omit<BankOptions, 'doors' | 'warn' | 'secret'>,
) {
  const warn = (message: string) => {
    context.ports.notices.warn(message);
  };
  let served: Promise<void> | undefined;
  let link: Secret | undefined;
  const ready = new Promise<ServedBank>((resolve, reject) => {
    served = context.ports.bank.serve(
      {
        ...options,
        doors: sources,
        warn,
        secret: (reference) => context.ports.secrets.read(reference, 'the access key of the bank inside'),
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
  if (address.open !== undefined) warn(warningOf(address.open));
  return {
    ...outcomeOf(address, link),
    ...defined({ after: served }),
  };
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
  if (open.withKey === true)
    return `OPEN: ${doors}. Other machines reach this bank by https, with its access key.`;
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

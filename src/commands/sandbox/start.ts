import type { Register, Run } from '../../command.ts';
import { line } from '../../command-line.ts';
import type { ServedBank } from '../../ports/bank.ts';
import { duration, integer, several } from '../flags/flag-values.ts';

interface Options {
  name?: string;
  port: number;
  httpsPort?: number;
  database?: string;
  without?: readonly string[];
  idle?: number;
}

const port = (flag: string) => integer(flag, 0, 65_535);

export const register: Register = (parent, start) =>
  start(
    parent
      .command('start')
      .option('--port <N>', 'port of the http address; 0 takes a free one', port('--port'), 8080)
      .option('--https-port <N>', 'also serve https on this port', port('--https-port'))
      .option('--name <NAME>', 'name of a bank beside others, with a ledger of its own')
      .option('--database <FILE>', 'ledger file, or :memory: (else that of the name)')
      .option('--without <OPERATION>', 'leave an operation out (several)', several)
      .option('--idle <DURATION>', 'end after so long without a call', duration('--idle')),
    {
      about: 'Run the bank inside on its own, until Ctrl-C, on this machine only',
      examples: [
        'obk sandbox start --port 8080',
        'obk sandbox start --port 0 --name ci --database :memory: --json',
      ],
      more: ['obk sandbox people', 'obk help sandbox fault add'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { bank, files } = context.ports;
  const { name, database } = options;
  let served: Promise<void> | undefined;
  const ready = new Promise<ServedBank>((resolve, reject) => {
    served = bank.serve(
      {
        port: options.port,
        ...(name !== undefined && { name }),
        without: options.without ?? [],
        ...(options.idle === undefined ? {} : { idleMs: options.idle }),
        ...(options.httpsPort === undefined ? {} : { httpsPort: options.httpsPort }),
        ...(database === undefined
          ? {}
          : { database: database === ':memory:' ? database : files.absolute(database) }),
      },
      resolve,
      context.signal,
    );
    served.catch(reject);
  });
  const address = await ready;
  return {
    kind: 'data',
    data: address,
    text: () => lines(address),
    name: address.baseUrl,
    ...(served === undefined ? {} : { after: served }),
  };
};

const customers = ({ name }: ServedBank): string =>
  name === 'default' ? 'obk sandbox people' : line`obk sandbox people --at ${name}`;

function lines(address: ServedBank): string {
  return [
    `The bank ${address.name === 'default' ? 'inside' : address.name} answers at ${address.baseUrl}`,
    ...(address.httpsBaseUrl === undefined ? [] : [`and at ${address.httpsBaseUrl} (CA: ${address.caPath})`]),
    `Its customers:        ${customers(address)}`,
    `A certificate for it: ${address.certificatePath}`,
    `Its key:              ${address.keyPath}`,
    ...(address.httpsBaseUrl === undefined
      ? []
      : [
          `For TLS (QWAC):       ${address.tlsCertificatePath}`,
          `Its key:              ${address.tlsKeyPath}`,
        ]),
    `Steered by HTTP at:   ${address.controlUrl} (token: ${address.tokenFile})`,
    'Ctrl-C ends it.',
  ].join('\n');
}

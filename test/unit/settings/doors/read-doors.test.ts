import { describe, expect, it } from 'vitest';
import {
  doorsFromEnvironment,
  doorsFromFlags,
  readDoors,
} from '../../../../src/settings/doors/read-doors.ts';
import type { GivenDoors } from '../../../../src/settings/doors/read-doors.ts';
import { doorKeys, doorOf, doors, doorVariable } from '../../../../src/settings/doors/table.ts';
import type { DoorKey } from '../../../../src/settings/doors/table.ts';
import { ObkError } from '../../../../src/base/errors.ts';

type Options = Parameters<typeof doorsFromFlags>[0];

const flags = (options: Options) => doorsFromFlags(options, (path) => `/here/${path}`);
const variables = (env: Record<string, string>) => doorsFromEnvironment(env, (path) => `/here/${path}`);
const file = (values: Partial<Record<DoorKey, readonly string[]>>): GivenDoors =>
  Object.fromEntries(
    Object.entries(values).map(([key, texts]) => [key, { from: `bank.yaml:1: doors.${key}`, values: texts }]),
  );

function errorOf(...sources: readonly GivenDoors[]): ObkError {
  try {
    readDoors(sources);
  } catch (error) {
    if (error instanceof ObkError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The options in a line as it is printed, read by the table itself. */
function optionsIn(command: string): Options {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  expect(words.slice(0, 3)).toEqual(['obk', 'sandbox', 'start']);
  const found: Partial<Record<DoorKey, unknown>> = {};
  for (let at = 3; at < words.length; at += 1) {
    const key = doorKeys.find((one) => doors[one].flag === words[at]);
    if (key === undefined) throw new Error(`no flag ${String(words[at])} in ${command}`);
    const { kind, several } = doorOf(key);
    if (kind === 'switch') found[key] = true;
    else {
      at += 1;
      found[key] =
        several === true ? [...((found[key] as string[] | undefined) ?? []), words[at]] : words[at];
    }
  }
  return found;
}

const untouched = {
  port: 8080,
  httpsPort: undefined,
  open: false,
  signature: undefined,
  clientCertificate: undefined,
  rate: undefined,
  trust: [],
  listen: [],
  hosts: [],
  accessKeyFrom: undefined,
  listenOpen: false,
  basePath: '',
  publicUrl: undefined,
  cors: [],
  corsControl: false,
  notify: 'loopback',
  refuseFindings: false,
};

describe('the doors of the built-in bank', () => {
  it('stay as they are without any setting, and where a variable is empty', () => {
    expect(readDoors([])).toEqual(untouched);
    const empty = Object.fromEntries(doorKeys.map((key) => [doorVariable(key), ' ']));
    expect(readDoors([flags({}), variables(empty)])).toEqual(untouched);
  });

  it('have a variable each, named like the flag', () => {
    for (const key of doorKeys)
      expect(doorVariable(key)).toBe(
        `OBK_SANDBOX_${doors[key].flag.slice(2).toUpperCase().replaceAll('-', '_')}`,
      );
    expect(new Set(doorKeys.map(doorVariable)).size).toBe(doorKeys.length);
    // Commander names an option by its flag; the table must do so too.
    for (const key of doorKeys)
      expect(doors[key].flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())).toBe(
        key,
      );
  });

  it('come from the flag, then the variable, then the file', () => {
    const sources = [flags({ rate: '1' }), variables({ OBK_SANDBOX_RATE: '2', OBK_SANDBOX_PORT: '22' })];
    const all = [...sources, file({ rate: ['3'], port: ['33'], host: ['a.example', 'b.example'] })];
    expect(readDoors(all)).toEqual({ ...untouched, rate: 1, port: 22, hosts: ['a.example', 'b.example'] });
  });

  it('trust whom any source trusts', () => {
    const sources = [flags({ trust: ['a.pem'] }), file({ trust: ['/b.pem', '/here/a.pem'] })];
    expect(readDoors(sources).trust).toEqual(['/here/a.pem', '/b.pem']);
  });

  it('accept several values: a flag repeated, a variable with blanks or commas, a list of a file', () => {
    const hosts = ['bank.example', '[::1]'];
    expect(readDoors([flags({ host: ['bank.example', '::1'] })]).hosts).toEqual(hosts);
    expect(readDoors([variables({ OBK_SANDBOX_HOST: 'BANK.example, [::1]' })]).hosts).toEqual(hosts);
    expect(readDoors([variables({ OBK_SANDBOX_TRUST: 'a b.pem:c.pem' })]).trust).toEqual([
      '/here/a b.pem',
      '/here/c.pem',
    ]);
    expect(readDoors([flags({ trust: ['x.pem'] })]).trust).toEqual(['/here/x.pem']);
    expect(readDoors([file({ trust: ['/beside/y.pem'] })]).trust).toEqual(['/beside/y.pem']);
  });

  const off = { open: true, signature: 'off', clientCertificate: 'off', rate: 'off' };
  it.each<[string, readonly GivenDoors[], object]>([
    ['means three others', [flags({ open: true })], off],
    [
      'leaves what the same source says',
      [flags({ open: true, signature: 'required' })],
      { ...off, signature: 'required' },
    ],
    ['goes before what comes later', [flags({ open: true }), file({ signature: ['required'] })], off],
    ['leaves what comes before', [flags({ rate: '7' }), file({ open: ['true'] })], { ...off, rate: 7 }],
    [
      'is closed by what comes before',
      [variables({ OBK_SANDBOX_OPEN: 'no' }), file({ open: ['yes'] })],
      { open: false },
    ],
  ])('are opened with --open %s', (_, sources, expected) => {
    expect(readDoors(sources)).toEqual({ ...untouched, ...expected });
  });

  it.each<[Options, object]>([
    [{ listen: ['[::1]', '127.0.0.2'] }, { listen: ['::1', '127.0.0.2'] }],
    [{ listen: ['0:0:0:0:0:0:0:1', '::1'] }, { listen: ['::1'] }],
    [{ listen: ['::ffff:127.0.0.1'] }, { listen: ['::ffff:7f00:1'] }],
    [{ host: ['bücher.example'] }, { hosts: ['xn--bcher-kva.example'] }],
    [{ basePath: '/bank/' }, { basePath: '/bank' }],
    [{ basePath: '/' }, { basePath: '' }],
    [{ publicUrl: 'https://Bank.example/psd2/' }, { publicUrl: 'https://bank.example/psd2' }],
    [{ cors: ['https://app.example', '*'] }, { cors: ['https://app.example', '*'] }],
    [{ accessKeyFrom: 'env:KEY' }, { accessKeyFrom: 'env:KEY' }],
    [
      { port: '0', httpsPort: '0' },
      { port: 0, httpsPort: 0 },
    ],
    [
      { listen: ['0.0.0.0'], host: ['localhost'], httpsPort: '8443' },
      { listen: ['0.0.0.0'], hosts: ['localhost'], httpsPort: 8443 },
    ],
    [
      { listen: ['0.0.0.0'], host: ['localhost'], open: true, listenOpen: true },
      { ...off, listen: ['0.0.0.0'], hosts: ['localhost'], listenOpen: true },
    ],
  ])('accept %j', (options, expected) => {
    expect(readDoors([flags(options)])).toEqual({ ...untouched, ...expected });
  });

  it.each<[Options, string]>([
    [{ port: '65536' }, '--port takes a number from 0 to 65535; not "65536".'],
    [{ httpsPort: 'x' }, '--https-port takes a number'],
    [{ signature: 'requird' }, '--signature takes required, optional, off; not "requird".'],
    [{ clientCertificate: 'requested' }, '--client-certificate takes required, optional, off'],
    [{ rate: '0' }, '--rate takes a number from 1 to 1000000 or off; not "0".'],
    [{ rate: '1.5' }, '--rate takes'],
    [{ listen: ['localhost'] }, '--listen takes an IP address of this machine; not "localhost".'],
    [{ listen: ['127.0.0.256'] }, '--listen takes an IP address'],
    [{ host: ['bank.example:8443'] }, '--host takes a host name or an IP address without a port'],
    [{ host: ['https://bank.example'] }, '--host takes'],
    [{ host: ['a b'] }, '--host takes'],
    [{ host: ['*'] }, '--host takes'],
    [{ host: [''] }, '--host takes'],
    [{ basePath: 'bank' }, '--base-path takes a path such as /bank'],
    [{ basePath: '/a/../b' }, '--base-path takes'],
    [{ basePath: '/sandbox' }, '--base-path takes any path but those below /sandbox'],
    [{ publicUrl: 'ftp://bank.example' }, '--public-url takes an http or https address'],
    [{ publicUrl: 'https://u:p@bank.example' }, '--public-url takes'],
    [{ publicUrl: 'https://bank.example?x' }, '--public-url takes'],
    [{ cors: ['https://app.example/path'] }, '--cors takes an origin'],
    [{ cors: ['app.example'] }, '--cors takes an origin'],
    [{ trust: [''] }, '--trust takes the path of a PEM file'],
    [{ tenants: 'certificates' }, '--tenants takes certificate, or header:NAME; not "certificates".'],
    [{ tenants: 'header:' }, '--tenants takes certificate, or header:NAME'],
    [{ tenants: 'header:X Tenant' }, '--tenants takes certificate, or header:NAME'],
    [{ tenants: 'header:X-Request-ID' }, '--tenants takes header:NAME with a header that is nothing but'],
    [{ tenants: 'header:authorization' }, '--tenants takes header:NAME with a header that is nothing but'],
  ])('refuse %j with a line that is right', (options, title) => {
    const error = errorOf(flags(options));
    expect(error).toMatchObject({ code: 'USAGE', exit: 2 });
    expect(error.title).toContain(title);
    for (const hint of error.hint)
      readDoors([flags({ ...optionsIn(hint), httpsPort: '1', host: ['localhost'] })]);
  });

  it('are reported with the variable and the line of the file, without what may be a secret', () => {
    expect(errorOf(variables({ OBK_SANDBOX_RATE: 'x' })).title).toContain('OBK_SANDBOX_RATE takes');
    expect(errorOf(file({ rate: ['x'] })).title).toContain('bank.yaml:1: doors.rate takes');
    expect(JSON.stringify(errorOf(flags({ accessKeyFrom: 'hunter2' })))).not.toContain('hunter2');
    expect(JSON.stringify(errorOf(flags({ publicUrl: 'https://u:hunter2@b.test' })))).not.toContain(
      'hunter2',
    );
  });

  it('are never refused with a suggestion that is as wrong', () => {
    expect(errorOf(flags({ host: ['*'] })).hint).toEqual([]);
    expect(errorOf(flags({ host: ['http://b.test:80/x'] })).hint).toEqual([
      'obk sandbox start --host b.test',
    ]);
  });

  it.each<[Options, string]>([
    [{ listenOpen: true }, '--listen-open goes with --open.'],
    [{ open: true, listenOpen: true }, '--listen-open needs an address of --listen'],
    [{ listen: ['::1'], open: true, listenOpen: true }, '--listen-open needs an address of --listen'],
    [{ listen: ['0.0.0.0'] }, '--listen 0.0.0.0 needs --host.'],
    [{ listen: ['192.168.1.5'], open: true, listenOpen: true }, '--listen 192.168.1.5 needs --host.'],
    [{ listen: ['192.168.1.5'], host: ['bank.example'] }, '--listen 192.168.1.5 needs --https-port.'],
    [{ listen: ['::'], host: ['bank.example'], open: true }, '--listen :: needs --https-port.'],
    [{ clientCertificate: 'required' }, '--client-certificate required needs --https-port.'],
    [{ port: '8443', httpsPort: '8443' }, '--port and --https-port are both 8443.'],
    [{ httpsPort: '8080' }, '--port and --https-port are both 8080.'],
    [{ corsControl: true }, '--cors-control needs --cors.'],
    [
      { open: true, rate: '5', basePath: '/b', clientCertificate: 'required' },
      '--client-certificate required',
    ],
  ])('are refused together, %j, with lines that can', (options, title) => {
    const error = errorOf(flags(options));
    expect(error).toMatchObject({ code: 'USAGE', exit: 2 });
    expect(error.title).toContain(title);
    expect(error.hint.length).toBeGreaterThan(0);
    for (const hint of error.hint) {
      const mended = optionsIn(hint);
      readDoors([flags(mended)]);
      const kept = Object.entries(options).filter(([key]) => ['rate', 'basePath', 'host'].includes(key));
      expect(mended).toMatchObject(Object.fromEntries(kept));
    }
  });

  it.each<[Record<string, string>, string[], string[]]>([
    [
      { OBK_SANDBOX_CLIENT_CERTIFICATE: 'required' },
      ['--client-certificate comes from OBK_SANDBOX_CLIENT_CERTIFICATE.'],
      ['obk sandbox start --https-port 8443 --client-certificate required'],
    ],
    [
      { OBK_SANDBOX_CORS_CONTROL: 'yes' },
      ['--cors-control comes from OBK_SANDBOX_CORS_CONTROL.'],
      // Without the flag the variable would still say it.
      ['obk sandbox start --cors http://localhost:3000 --cors-control'],
    ],
    [
      { OBK_SANDBOX_PORT: '8443', OBK_SANDBOX_HTTPS_PORT: '8443' },
      ['--port comes from OBK_SANDBOX_PORT.', '--https-port comes from OBK_SANDBOX_HTTPS_PORT.'],
      ['obk sandbox start --port 8443 --https-port 8444'],
    ],
  ])('are refused together as variables, %j, with those variables', (env, origins, hints) => {
    const { detail, hint } = errorOf(variables(env));
    for (const origin of origins) expect(detail).toContain(origin);
    expect(hint).toEqual(hints);
  });

  it('are refused with the file where they come from one', () => {
    expect(errorOf(flags({}), file({ listen: ['0.0.0.0'] })).detail).toContain(
      '--listen comes from bank.yaml:1: doors.listen.',
    );
    expect(errorOf(flags({ listen: ['0.0.0.0'] })).detail).not.toContain('comes from');
  });

  it('accept blanks around a value of a variable', () => {
    expect(readDoors([variables({ OBK_SANDBOX_OPEN: ' yes ', OBK_SANDBOX_PORT: '0 ' })])).toMatchObject({
      open: true,
      port: 0,
    });
  });
});

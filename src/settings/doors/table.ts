import { frameworkNames } from '../../standard/xs2a/origin.ts';

/** What a door takes as its value; the members of a list are of the kind `of`. */
export type DoorKind =
  | 'switch'
  | 'choice'
  | 'port'
  | 'rate'
  | 'address'
  | 'host'
  | 'path'
  | 'url'
  | 'origin'
  | 'file'
  | 'reference'
  | 'tenants';

/** One setting of how the bank inside is reached and whom it lets in. */
export interface Door {
  /** The flag of `obk sandbox start`. */
  readonly flag: `--${string}`;
  /** The name of the value in help texts; none for a switch. */
  readonly value?: string;
  readonly kind: DoorKind;
  readonly choices?: readonly string[];
  /** Several values: the flag is repeated, a variable separates them by blanks or commas, a file has one or a list. */
  readonly several?: true;
  /** The value without any setting; without one the scenario or another door decides. */
  readonly standard?: string;
  readonly about: string;
}

const needs = ['required', 'optional', 'off'] as const;

/** Every door by its key in the section `doors` of a file. */
export const doors = {
  port: {
    flag: '--port',
    value: 'N',
    kind: 'port',
    standard: '8080',
    about: 'port of the http address; 0 takes a free one (8080)',
  },
  httpsPort: { flag: '--https-port', value: 'N', kind: 'port', about: 'also serve https on this port' },
  open: {
    flag: '--open',
    kind: 'switch',
    standard: 'false',
    about: 'no signature, certificate or limit is needed, and every password is known',
  },
  signature: {
    flag: '--signature',
    value: 'NEED',
    kind: 'choice',
    choices: needs,
    about: 'whether calls are signed (else as the scenario has it)',
  },
  clientCertificate: {
    flag: '--client-certificate',
    value: 'NEED',
    kind: 'choice',
    choices: needs,
    about: 'whether a client certificate is shown on https',
  },
  rate: {
    flag: '--rate',
    value: 'N',
    kind: 'rate',
    about: 'calls of a TPP to one operation in a minute, or off',
  },
  trust: {
    flag: '--trust',
    value: 'FILE',
    kind: 'file',
    several: true,
    about: 'PEM file of CAs and certificates of other TPPs (several)',
  },
  listen: {
    flag: '--listen',
    value: 'ADDR',
    kind: 'address',
    several: true,
    about: 'IP address to answer at beside 127.0.0.1 (several)',
  },
  host: {
    flag: '--host',
    value: 'NAME',
    kind: 'host',
    several: true,
    about: 'Host that is answered beside those of loopback (several)',
  },
  accessKeyFrom: {
    flag: '--access-key-from',
    value: 'REF',
    kind: 'reference',
    about: 'reference to the key that every call then shows in X-Access-Key',
  },
  listenOpen: {
    flag: '--listen-open',
    kind: 'switch',
    standard: 'false',
    about: 'with --open: let in whoever reaches the addresses of --listen',
  },
  basePath: {
    flag: '--base-path',
    value: 'PATH',
    kind: 'path',
    standard: '/',
    about: 'path in front of every path of the bank',
  },
  publicUrl: {
    flag: '--public-url',
    value: 'URL',
    kind: 'url',
    about: 'address that links carry, where ports or paths are mapped',
  },
  cors: {
    flag: '--cors',
    value: 'ORIGIN',
    kind: 'origin',
    several: true,
    about: 'origin whose web pages may call the interface; * for any (several)',
  },
  corsControl: {
    flag: '--cors-control',
    kind: 'switch',
    standard: 'false',
    about: 'the origins of --cors may call the control API, too',
  },
  notify: {
    flag: '--notify',
    value: 'WHERE',
    kind: 'choice',
    choices: ['loopback', 'certificate', 'anywhere'],
    standard: 'loopback',
    about: 'where notifications are pushed: this machine, also hosts of the QWAC, or anywhere',
  },
  refuseFindings: {
    flag: '--refuse-findings',
    kind: 'switch',
    standard: 'false',
    about: 'refuse calls with a mistake that the referee finds (scenario findings=refused)',
  },
  framework: {
    flag: '--framework',
    value: 'F',
    kind: 'choice',
    choices: frameworkNames,
    about: 'version of the framework that is served below /v1 (1.3.2; /v136 stays 1.3.6)',
  },
  people: {
    flag: '--people',
    value: 'PRESET',
    kind: 'choice',
    choices: ['options'],
    about: 'add ready customers: options has one for each option of the interface',
  },
  tenants: {
    flag: '--tenants',
    value: 'BY',
    kind: 'tenants',
    about: 'a ledger for each TPP: certificate, or header:NAME for each value of a header',
  },
} as const satisfies Readonly<Record<string, Door>>;

/** The key of a door. */
export type DoorKey = keyof typeof doors;

/** The keys in the order of the table. */
export const doorKeys = Object.keys(doors) as readonly DoorKey[];

/** The environment variable of a door: OBK_SANDBOX_HTTPS_PORT for `--https-port`. */
export function doorVariable(key: DoorKey): string {
  return `OBK_SANDBOX_${doors[key].flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/** The row of a door with the members that not every row has. */
export function doorOf(key: DoorKey): Door {
  return doors[key];
}

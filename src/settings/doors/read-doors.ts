import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { checkDoors } from './check-doors.ts';
import type { Doors, Need } from './doors.ts';
import { doorKeys, doorOf, doors, doorVariable } from './table.ts';
import type { DoorKey } from './table.ts';
import { readDoorValue } from './values.ts';

/** A value as it was given: by a flag, a variable or a line of a file, which `from` names for errors. */
interface GivenDoor {
  readonly from: string;
  readonly values: readonly string[];
}

/** The doors that one source sets. */
export type GivenDoors = Readonly<Partial<Record<DoorKey, GivenDoor>>>;

/** What the flag `--open` stands for in the source that has it. */
const openMeans = { signature: 'off', clientCertificate: 'off', rate: 'off' } as const;

/**
 * The doors from all sources, the one that wins first: flags, variables, file. `--open` stands for what it means where it is
 * set: a source that comes before it decides otherwise, and so does the same one. Throws USAGE for a value that a door does not
 * take and for doors that cannot be had together.
 */
export function readDoors(sources: readonly GivenDoors[]): Doors {
  const values = sources.map(valuesOf);
  const opens = values.find(({ open }) => open !== undefined);
  const read = values.map((source) => (source === opens ? withOpen(source) : source));
  const all = (key: DoorKey): readonly string[] => {
    const found = read.find((source) => source[key] !== undefined)?.[key];
    const { standard } = doorOf(key);
    return found ?? (standard === undefined ? [] : [standard]);
  };
  const one = (key: DoorKey): string | undefined => all(key).at(-1);
  const isOn = (key: DoorKey): boolean => one(key) === 'true';
  const rate = one('rate');
  const httpsPort = one('httpsPort');
  const result: Doors = {
    port: Number(one('port')),
    httpsPort: httpsPort === undefined ? undefined : Number(httpsPort),
    open: isOn('open'),
    signature: one('signature') as Need | undefined,
    clientCertificate: one('clientCertificate') as Need | undefined,
    rate: rate === undefined || rate === 'off' ? rate : Number(rate),
    // Who is trusted by one source is trusted, whatever another one says.
    trust: [...new Set(read.flatMap(({ trust = [] }) => trust))],
    listen: [...new Set(all('listen'))],
    hosts: [...new Set(all('host'))],
    accessKeyFrom: one('accessKeyFrom'),
    listenOpen: isOn('listenOpen'),
    basePath: (one('basePath') ?? '').replace(/\/$/, ''),
    publicUrl: one('publicUrl'),
    cors: all('cors'),
    corsControl: isOn('corsControl'),
    notify: one('notify') as Doors['notify'],
    refuseFindings: isOn('refuseFindings'),
    framework: one('framework') as Doors['framework'],
    people: one('people') as Doors['people'],
    tenants: one('tenants') as Doors['tenants'],
  };
  checkDoors(result, (key) => {
    const at = read.findIndex((source) => source[key] !== undefined);
    const from = (sources[at]?.[key] ?? sources[at]?.open)?.from;
    return from?.startsWith('--') === true ? undefined : from;
  });
  return result;
}

type Values = Partial<Record<DoorKey, readonly string[]>>;

function withOpen(values: Values): Values {
  if (values.open?.at(-1) !== 'true') return values;
  const meant = Object.entries(openMeans).map(([key, value]) => [key, [value]] as const);
  return { ...Object.fromEntries(meant), ...values };
}

function valuesOf(source: GivenDoors): Values {
  const read: Values = {};
  for (const key of doorKeys) {
    const given = source[key];
    if (given !== undefined) read[key] = given.values.map((text) => valueOf(key, given.from, text));
  }
  return read;
}

function valueOf(key: DoorKey, from: string, text: string): string {
  const value = readDoorValue(text, doorOf(key));
  if (typeof value === 'string') return value;
  const { takes, meant, hide } = value;
  throw new ObkError({
    code: 'USAGE',
    title: `${from} takes ${takes}${hide === true ? '' : `; not ${JSON.stringify(text)}`}.`,
    hint: meant.map((right) => line`obk sandbox start ${flagsFor(key, right)}`),
  });
}

function flagsFor(key: DoorKey, value: string): readonly string[] {
  return doors[key].kind === 'switch' ? [doors[key].flag] : [doors[key].flag, value];
}

/** Makes the path of a file absolute. */
type Absolute = (path: string) => string;

/** The doors that the environment sets; an empty variable sets none. */
export function doorsFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  absolute: Absolute,
): GivenDoors {
  return givenDoors((key) => {
    const from = doorVariable(key);
    const text = env[from];
    if (text === undefined || text.trim() === '') return undefined;
    const { several, kind } = doorOf(key);
    const separator = kind === 'file' ? ':' : /[\s,]+/;
    return {
      from,
      values: several === true ? text.split(separator).filter((value) => value !== '') : [text.trim()],
    };
  }, absolute);
}

/** The doors that the flags of a command set, by their names in its options. */
export function doorsFromFlags(
  options: Readonly<Partial<Record<DoorKey, unknown>>>,
  absolute: Absolute = (path) => path,
): GivenDoors {
  return givenDoors((key) => {
    const value = options[key];
    return value === undefined ? undefined : { from: doors[key].flag, values: [value].flat().map(String) };
  }, absolute);
}

/** The doors that one source sets, with the paths of files made absolute. */
function givenDoors(read: (key: DoorKey) => GivenDoor | undefined, absolute: Absolute): GivenDoors {
  const found: Partial<Record<DoorKey, GivenDoor>> = {};
  for (const key of doorKeys) {
    const door = read(key);
    if (door === undefined) continue;
    const isFile = doorOf(key).kind === 'file';
    found[key] = isFile
      ? { ...door, values: door.values.map((path) => (path === '' ? path : absolute(path))) }
      : door;
  }
  return found;
}

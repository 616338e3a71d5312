import { ObkError } from '../../base/errors.ts';
import { line } from '../../base/command-line.ts';
import { shownKey } from '../profile/finding.ts';
import { referencesIn } from '../profile/references.ts';
import type { SettingReference } from '../profile/references.ts';
import { bankRow, checkSettings } from '../profile/table.ts';
import { typed } from '../profile/typed.ts';
import { isJsonObject, readJson, toPlain } from '../../standard/xs2a/json.ts';
import type { Node, Place } from '../documents/document.ts';

/** Settings as plain JSON, whatever they were written in. */
export type Settings = Readonly<Record<string, unknown>>;

/** No description comes near it. */
const maxBytes = 1024 * 1024;
/** How many faults of a file are told at once. */
const mostFaults = 20;

/**
 * Returns the settings in the file of a bank, unchecked: JSON (a name in .json, or an object at its beginning), else YAML, whose
 * scalars become what the table of settings has. Throws CONFIG_UNREADABLE with the places for anything else.
 */
export async function parseFile(bytes: Uint8Array, file: string): Promise<Settings> {
  if (bytes.length > maxBytes) throw unusable(file, [`it is larger than ${String(maxBytes)} bytes`]);
  const text = textOf(bytes, file);
  if (!isJson(text, file)) return ofYaml(text, file);
  const json = jsonOf(text, file);
  if (!isJsonObject(json)) throw unusable(file, ['it is no object']);
  return withoutSchema(toPlain(json) as Settings);
}

/** The name of the schema by which an editor checks a file. */
const schemaName = '$schema';

function withoutSchema(settings: Settings): Settings {
  const { [schemaName]: schema, ...rest } = settings;
  return typeof schema === 'string' ? rest : settings;
}

/**
 * As `parseFile`, and checked: closed, each value right, and nothing that reads or runs something of this machine, since its author
 * could send that to an address of theirs. Throws CONFIG_UNREADABLE with all that is wrong, SECRET_REFERENCE.
 */
export async function readFile(bytes: Uint8Array, file: string): Promise<Settings> {
  const settings = await parseFile(bytes, file);
  if (settings['obkProfile'] !== undefined)
    throw new ObkError({
      code: 'CONFIG_UNREADABLE',
      title: `${file} is a whole profile, not the description of a bank.`,
      hint: [line`obk profile import ${file}`],
    });
  const [reference] = referencesIn(settings);
  if (reference !== undefined) throw refers(reference, file);
  const found = checkSettings(settings, 'bank');
  if (found.length === 0) return settings;
  const placeOf = await placesOf(bytes, file);
  throw unusable(
    file,
    found.map(({ setting, text }) => {
      const place = placeOf(setting);
      const at = place === undefined ? '' : `${String(place.line)}:${String(place.column)}: `;
      return `${at}${setting === '' ? '' : `${shownKey(setting)}: `}${text}`;
    }),
  );
}

/** Tells where a setting stands in a file. */
export type PlaceOf = (setting: string) => Place | undefined;

/** Finds the places of settings in a file that was read; `below` is the path of all of them, with a dot behind it. */
export async function placesOf(bytes: Uint8Array, file: string, below = ''): Promise<PlaceOf> {
  const { placesIn } = await import('./places.ts');
  const text = textOf(bytes, file);
  return placesIn(text, { isJson: isJson(text, file), below });
}

const isJson = (text: string, file: string) =>
  /\.json$/i.test(file) || (!/\.ya?ml$/i.test(file) && /^\s*[[{]/.test(text));

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable(file, ['it is not UTF-8']);
  }
}

function jsonOf(text: string, file: string): ReturnType<typeof readJson> {
  try {
    return readJson(text, { code: 'INPUT_INVALID' });
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    throw unusable(file, [error.detail ?? error.title], error);
  }
}

async function ofYaml(text: string, file: string): Promise<Settings> {
  const { readDocument } = await import('../documents/document.ts');
  const read = readDocument(text, file, 'settings');
  if ('faults' in read) {
    const told = read.faults.map(
      ({ line: at, column, path, why }) =>
        `${String(at)}:${String(column)}: ${path === '' ? '' : `${shownKey(path)}: `}${why}`,
    );
    throw unusable(file, told);
  }
  const plain = typed(bankRow, plainOf(read.root));
  if (read.root.kind !== 'map') throw unusable(file, ['it is no map of settings']);
  return withoutSchema(plain as Settings);
}

function plainOf(node: Node): unknown {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'list':
      return node.items.map(plainOf);
    case 'map':
      return Object.fromEntries([...node.members].map(([name, { value }]) => [name, plainOf(value)]));
  }
}

function refers({ setting, header }: SettingReference, file: string): ObkError {
  return new ObkError({
    code: 'SECRET_REFERENCE',
    title: `${file} refers to something of this machine: ${setting}.`,
    detail:
      'The file of a bank is data, and reads no secret, file or program. Take the reference out and give it yourself.',
    hint: [
      header === undefined
        ? 'obk help references'
        : line`obk profile edit NAME --bank ${file} --header-rule ${`default ${header} from REFERENCE`}`,
    ],
  });
}

/** The error for a file that cannot be used, with what is wrong in it. */
export function unusable(file: string, faults: readonly string[], cause?: unknown): ObkError {
  const told = faults.slice(0, mostFaults);
  const more = faults.length - told.length;
  return new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: `The file ${file} cannot be used.`,
    detail: [...told, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n'),
    hint: [line`obk bank lint ${file}`, 'obk bank schema'],
    cause,
  });
}

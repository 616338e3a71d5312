import { defined } from '../../base/defined.ts';
import { createHash } from 'node:crypto';
import { dirname, isAbsolute, join } from 'node:path';
import type { DoorKey } from '../../settings/doors/table.ts';
import { doorOf } from '../../settings/doors/table.ts';
import type { GivenDoors } from '../../settings/doors/read-doors.ts';
import { isTemplateName } from '../../settings/banks/template-name.ts';
import { ObkError } from '../../base/errors.ts';
import { readNamed } from '../rules/named-file.ts';
import type { Filling } from '../books/ledger.ts';
import { bankFile } from './config.ts';
import type { BankFile } from './config.ts';
import { readDocument } from '../../settings/documents/document.ts';
import type { Fault } from '../../settings/documents/document.ts';
import { fillBooks } from './fill.ts';
import { planBank } from './plan-bank.ts';
import { Report } from '../../settings/documents/shape.ts';

/** What a bank's file asks for: its doors, and what its ledger holds. */
export interface ConfiguredBank {
  doors: GivenDoors;
  /** The description of the bank: a template's name, or the absolute path of a file. */
  bank?: string;
  filling: Filling;
}

/** How many things that are wrong are told at once. */
const mostFaults = 100;

/**
 * Reads a bank's file (YAML or JSON) and the files that it names, whose paths begin where it stands. Throws CONFIG_UNREADABLE with
 * everything that is wrong, by line and column. `first` are the doors that go before those of the file.
 */
export async function readBank(path: string, first: readonly GivenDoors[] = []): Promise<ConfiguredBank> {
  const text = textOf(path);
  const document = readDocument(text, path, 'people');
  if ('faults' in document) throw unusable(path, document.faults);
  const report = new Report();
  const file = bankFile.read(document.root, report);
  const base = dirname(path);
  const absolute = (name: string) => (isAbsolute(name) ? name : join(base, name));
  const presets = [...first.map((given) => given.people?.values), file?.doors?.people];
  const isReady = presets.find((values) => values !== undefined)?.at(-1) === 'options';
  const plan = file && (await planBank(file, absolute, report, isReady));
  if (report.faults.length > 0 || file === undefined || plan === undefined)
    throw unusable(path, report.faults);
  const name = createHash('sha256').update(text).digest('hex');
  return {
    doors: doorsOf(file, path, absolute),
    ...(file.bank !== undefined && { bank: isTemplateName(file.bank) ? file.bank : absolute(file.bank) }),
    filling: {
      seed: plan.seed,
      ...defined({ pageKey: plan.idKey }),
      name,
      fill: (database, now) => {
        fillBooks(database, plan, now);
      },
    },
  };
}

function textOf(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readNamed(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ObkError({
      code: 'CONFIG_UNREADABLE',
      title: `The bank's file ${JSON.stringify(path)} cannot be read.`,
      detail:
        code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'It is not UTF-8.' : `${(error as Error).message}.`,
      hint: ['obk sandbox start --help'],
      cause: error,
    });
  }
}

function unusable(path: string, faults: readonly Fault[]): ObkError {
  const sorted = [...faults].sort((one, other) => one.line - other.line || one.column - other.column);
  const lines = sorted.slice(0, mostFaults).map(({ line, column, path: where, why }) => {
    const at = `${path}:${String(line)}:${String(column)}`;
    return `${at}: ${where === '' ? '' : `${where}: `}${why}`;
  });
  const more = faults.length - lines.length;
  const count = faults.length === 1 ? 'one thing is' : `${String(faults.length)} things are`;
  return new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: `The bank was not started: ${count} wrong in its file.`,
    detail: [...lines, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n'),
    hint: ['obk sandbox schema   # every key, for editors and people'],
  });
}

/** The doors of the file; the certificates of its TPPs are among those that are trusted. */
function doorsOf(file: BankFile, path: string, absolute: (name: string) => string): GivenDoors {
  const certificates = file.tpps.flatMap((tpp) => tpp.certificates);
  const given: Record<string, readonly string[]> = { ...file.doors };
  if (certificates.length > 0) given['trust'] = [...(given['trust'] ?? []), ...certificates];
  return Object.fromEntries(
    Object.entries(given).map(([key, values]) => {
      const isFile = doorOf(key as DoorKey).kind === 'file';
      return [key, { from: `doors.${key} of ${path}`, values: isFile ? values.map(absolute) : values }];
    }),
  );
}

import { payments } from '../commands/schemas/payments.ts';
import { documentOf } from '../commands/schemas/schemas.ts';
import { support } from '../commands/schemas/support.ts';
import type { Schema } from '../../base/schema.ts';
import type { Globals } from '../context.ts';
import { ObkError, exitCodes } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { PrintedRow, RowsOutcome, WholeOutcome } from '../outcome.ts';
import { batchOf } from '../render/table.ts';
import type { Loaded } from './load.ts';
import { linkFacts } from '../../standard/xs2a/link-names.ts';
import { everAnswerMember, everAnswerTypes, isAnswerObject } from '../../standard/xs2a/answer-shapes.ts';

/** A part of a document: its schema, or its type in the files of the framework. */
type Part = Schema | string;

/** What the files of the framework call the documents that are as the bank sent them, by the names of their schemas. */
const fromBank: Readonly<Partial<Record<string, readonly string[]>>> = {
  paymentAtBank: [
    'paymentInitiationWithStatusResponse',
    'periodicPaymentInitiationWithStatusResponse',
    'bulkPaymentInitiationWithStatusResponse',
  ],
  paymentStatus: ['paymentInitiationStatusResponse-200_json'],
  consentAtBank: ['consentInformationResponse-200_json'],
  consentStatus: ['consentStatusResponse-200'],
  basketAtBank: ['signingBasketResponse-200'],
  basketStatus: ['signingBasketStatusResponse-200'],
  scaMethods: ['authenticationObject'],
  accounts: ['accountDetails', 'cardAccountDetails'],
  account: ['accountDetails', 'cardAccountDetails'],
  balances: ['balance'],
  transactionAtBank: ['transactions'],
  funds: ['fundsConfirmation'],
};

/** What they call the members that a document of obk has from the bank. */
const membersFromBank: Readonly<Partial<Record<string, string>>> = {
  access: 'accountAccess',
  scaMethods: 'authenticationObject',
  chosenScaMethod: 'chosenScaMethod',
};

/** The names in --fields of which no schema can say whether the document has them. */
export interface Sought {
  readonly command: string;
  readonly fields: readonly string[];
  readonly known: readonly string[];
  /** The document is as the bank sent it; one of obk has what its schema leaves open. */
  readonly fromBank: boolean;
}

/** Throws USAGE for a name in --fields that the document of the command cannot have; returns those to be looked for in it. */
export function soughtFields(
  { entry: { path: command }, page }: Pick<Loaded, 'entry' | 'page'>,
  fields: readonly string[],
  { meta, dryRun }: Globals & { dryRun?: boolean },
): Sought | undefined {
  const printed = page.prints ?? documentOf(command);
  if (printed === undefined) return undefined;
  const { name, schema } = printed;
  const own: Part[] = [schema, ...(fromBank[name] ?? [])];
  const beside: Part[] = [
    // A consent that waits for the PSU is shown in place of what it is to give access to.
    ...(/^(accounts|cards|transactions) /.test(command) ? [payments.consent.schema] : []),
    ...(meta === true ? [{ properties: { _obk: {} } }] : []),
    ...(dryRun === true ? [support.dryRun.schema] : []),
  ];
  const open = fields.filter((field) => isLeftOpen(command, [...own, ...beside], own, field));
  const known = namesIn(own.flatMap(within));
  return { command, fields: open, known, fromBank: name in fromBank };
}

/** Whether only an object that may have any member allows the name. Throws where nothing does. */
function isLeftOpen(command: string, parts: readonly Part[], own: readonly Part[], field: string): boolean {
  let at = parts.flatMap(within);
  const path = field.split('.');
  for (const [depth, name] of path.entries()) {
    const below = at.flatMap((part) => membersOf(part, name));
    if (below.length === 0) {
      if (at.some(isOpen)) return true;
      throw noMember(command, field, namesIn(depth === 0 ? own.flatMap(within) : at), path.slice(0, depth));
    }
    at = below.flatMap(within);
  }
  return false;
}

function noMember(command: string, field: string, known: readonly string[], above: readonly string[] = []) {
  const wrong = field.split('.')[above.length] ?? '';
  const names = known.join(', ');
  return new ObkError({
    code: 'USAGE',
    title: `--fields takes the members of what obk ${command} prints; not ${JSON.stringify(field)}.`,
    detail:
      names === ''
        ? `${above.join('.')} has no members.`
        : `${above.length === 0 ? 'Known are' : `${above.join('.')} has`} ${names}.`,
    hint: nearest(wrong, known).map((name) => `--fields ${[...above, name].join('.')}`),
  });
}

/** What a part stands for: of a list its elements, of a choice each. */
function within(part: Part): Part[] {
  if (typeof part === 'string') return [part.replace(/^\[(.*)\]$/, '$1')];
  if (part.anyOf !== undefined) return part.anyOf.flatMap(within);
  return part.items === undefined ? [part] : within(part.items);
}

const oneLink: Schema = { properties: { href: { type: 'string' } }, additionalProperties: true };

function membersOf(part: Part, name: string): readonly Part[] {
  if (part === 'links') return linkFacts.some((link) => link.name === name) ? [oneLink] : [];
  if (typeof part === 'string') return isAnswerObject(part) ? everAnswerTypes(part, name) : [];
  const own = part.properties !== undefined && Object.hasOwn(part.properties, name) && part.properties[name];
  const answer = Object.hasOwn(membersFromBank, name) ? membersFromBank[name] : undefined;
  return own === false || own === undefined ? [] : [own, ...(answer === undefined ? [] : [answer])];
}

const namesIn = (parts: readonly Part[]): string[] => [
  ...new Set(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...everAnswerMember(part)] : Object.keys(part.properties ?? {}),
    ),
  ),
];

/** Whether there may be members that no table names: an object of a bank, or one with names of any kind. */
function isOpen(part: Part): boolean {
  if (typeof part === 'string') return part === 'links' || isAnswerObject(part);
  const { type, properties, additionalProperties = false, enum: values } = part;
  if (additionalProperties !== false) return true;
  return (
    properties === undefined &&
    values === undefined &&
    (type === undefined || [type].flat().includes('object'))
  );
}

/** The outcome, which fails with USAGE where nothing in it has a name that was sought. */
export function seeking(outcome: WholeOutcome, sought: Sought): WholeOutcome {
  if (outcome.kind === 'rows') return { ...outcome, rows: sifted(outcome.rows, sought) };
  const ended = outcome.exit ?? exitCodes.ok;
  if (sought.fromBank && ended === exitCodes.ok && outcome.raw === undefined)
    needAll(sought, (path) => has(outcome.data, path));
  return outcome;
}

async function* sifted(rows: RowsOutcome['rows'], sought: Sought): AsyncGenerator<readonly PrintedRow[]> {
  const missing = new Set(sought.fields);
  for await (const some of rows) {
    const batch = batchOf(some);
    for (const field of missing) if (batch.some((row) => has(row, field.split('.')))) missing.delete(field);
    yield batch;
  }
  needAll(sought, (path) => !missing.has(path.join('.')));
}

function needAll({ command, fields, known }: Sought, isThere: (path: readonly string[]) => boolean): void {
  const none = fields.find((field) => !isThere(field.split('.')));
  if (none !== undefined) throw noMember(command, none, known);
}

function has(value: unknown, [name, ...below]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((item) => has(item, [name, ...below]));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return has((value as Readonly<Record<string, unknown>>)[name], below);
}

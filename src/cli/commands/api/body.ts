import type { Flags, OptionsOf } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { CallInput } from '../../../client/exchange/prepared.ts';
import { cutByName } from '../../../base/redaction/cut-by-name.ts';
import { soundsSecret } from '../../../base/redaction/secret-names.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { BankDescriptor } from '../../../settings/records/bank-descriptor.ts';
import { writeJson } from '../../../standard/xs2a/json.ts';
import type { Operation } from '../../../standard/xs2a/operations.ts';
import { declaredBody } from '../../../standard/xs2a/variants.ts';
import { severalOf, usageError } from '../flags/flag-values.ts';

/** Adds the flags that make a body. */
export const bodyFlags = <Own>(command: Flags<Own>) =>
  command
    .optionsGroup('CALL FLAGS')
    .option(
      '-f, --field <KEY=VALUE>',
      'text: path or query parameter, or member of the body',
      severalOf((text) => needKey(text, '-f')),
    )
    .option(
      '-F, --typed-field <KEY=VALUE>',
      'as -f; true, false, null, numbers and @FILE are typed',
      severalOf((text) => needKey(text, '-F')),
    )
    .option('--input <FILE>', 'body to send byte for byte, - for stdin');

type BodyOptions = OptionsOf<typeof bodyFlags>;

/** The body of a call: a file byte for byte, or JSON made of -f and -F (`a.b=c` nests). */
export async function bodyOf(
  { ports: { files } }: Context,
  { operation, members }: { operation: Operation; members: readonly string[] },
  { input, typedField: typed = [] }: BodyOptions,
  { profile, variant }: Pick<Target, 'variant'> & { profile?: BankDescriptor },
): Promise<CallInput['body']> {
  const isMade = members.length + typed.length > 0;
  if (input !== undefined) {
    if (isMade) throw usageError('--input is the whole body: give no -f or -F with it.');
    const bytes = await files.read(input);
    const mayBeText = operation.body === 'payment' && profile?.payments?.plainText === true;
    return { bytes, contentType: mediaOf(bytes, mayBeText) };
  }
  if (!isMade) {
    const isEmpty = operation.body === 'authorisation' && declaredBody(variant, operation) !== 'none';
    return isEmpty ? { json: {} } : undefined;
  }
  if (operation.body === 'none') throw usageError(`${operation.id} takes no body.`);
  const document = await documentOf(files, members, typed);
  return { bytes: Buffer.from(writeJson(document), 'utf8'), contentType: 'application/json' };
}

/** The document that -f and -F make. */
async function documentOf(
  files: Context['ports']['files'],
  members: readonly string[],
  typed: readonly string[],
): Promise<object> {
  const document: Record<string, unknown> = {};
  for (const text of members) put(document, text, (value) => value, '-f');
  for (const text of typed) {
    const [, file] = fileOf.exec(text) ?? [];
    const content = file === undefined ? '' : Buffer.from(await files.read(file)).toString('utf8');
    put(document, text, file === undefined ? typedValue : () => content, '-F');
  }
  return document;
}

/**
 * Throws USAGE where -f, -F or the query of the path gives what only its owner may know: every user of this machine sees the
 * words of a command. A value that is JSON, XML or a form is read, too.
 */
export function refuseSecrets({ field = [], typedField = [] }: BodyOptions, path = ''): void {
  for (const text of field) refuseSecret(text, '-f');
  for (const text of typedField) if (!fileOf.test(text)) refuseSecret(text, '-F');
  const query = path.slice(path.indexOf('?') + 1);
  const name = query === path ? undefined : [...new URLSearchParams(query).keys()].find(soundsSecret);
  if (name !== undefined)
    throw usageError(`PATH does not take ${name}: a secret is never an argument.`, 'obk help references');
}

const fileOf = /^[^=]+=@(.+)$/s;

function refuseSecret(text: string, flag: string): void {
  const at = Math.max(text.indexOf('='), 0);
  let secret = text
    .slice(0, at)
    .split(/[.[\]]+/)
    .find(soundsSecret);
  cutByName(text.slice(at + 1), (name) => (secret ??= name));
  if (secret === undefined) return;
  throw usageError(
    `${flag} does not take ${secret}: a secret is never the value of a flag.`,
    '-F NAME=@FILE   # from a file',
    '--input -   # the whole body, from stdin',
  );
}

/** Returns where the value of `KEY=VALUE` begins, its sign included; throws USAGE where there is no key. */
function needKey(text: string, flag: string): number {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`${flag} takes KEY=VALUE; not ${JSON.stringify(text)}.`);
  return at;
}

function put(
  document: Record<string, unknown>,
  text: string,
  read: (value: string) => unknown,
  flag: string,
): void {
  const at = needKey(text, flag);
  const names = text.slice(0, at).split('.');
  const last = names.pop() ?? '';
  let below = document;
  for (const name of names) {
    const next = Object.hasOwn(below, name) ? below[name] : undefined;
    const isMap = typeof next === 'object' && next !== null;
    below = isMap ? (next as Record<string, unknown>) : setOwn(below, name, {});
  }
  setOwn(below, last, read(text.slice(at + 1)));
}

/** Sets a member, whatever its name is: `__proto__` is one like any other. */
function setOwn<Value>(document: Record<string, unknown>, name: string, value: Value): Value {
  Object.defineProperty(document, name, { value, enumerable: true, writable: true, configurable: true });
  return value;
}

/** Numbers keep to what a double holds exactly; anything longer stays text. */
function typedValue(text: string): unknown {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  return /^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

/** A bank may take payments of its own products that are neither JSON nor XML. */
function mediaOf(bytes: Uint8Array, mayBeText: boolean): string {
  const start = Buffer.from(bytes.subarray(0, 64))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (start.startsWith('<')) return 'application/xml';
  return mayBeText && !/^[{[]/.test(start) ? 'text/plain' : 'application/json';
}

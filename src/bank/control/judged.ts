import { checkValue } from '../../base/check-value.ts';
import type { Schema } from '../../base/schema.ts';
import { loaded } from '../openapi/document.ts';
import type { Described, Parameter } from '../openapi/operation.ts';
import type { ControlCall } from './control-call.ts';
import { badRequest, didYouMean } from './problem.ts';

/** What a request gives beside its body, as texts; a parameter of the query may be there twice. */
interface Sent {
  path: (name: string) => string | undefined;
  query: Readonly<Record<string, readonly string[]>>;
  header: (name: string) => string | undefined;
}

/** The values of a request, judged by what its document says. Throws a problem (400). */
export function judgedValues(
  { parameters = [] }: Described,
  { path, query, header }: Sent,
): Pick<ControlCall, 'path' | 'given'> {
  const inPath = parameters.filter((one) => one.in === 'path');
  const judged = inPath.map(({ name, schema }) => [name, read(path(name) ?? '', name, schema)]);
  needKnown(query, parameters);
  const given = parameters
    .filter((one) => one.in !== 'path')
    .map(({ name, in: where, schema }) => {
      const text = where === 'query' ? query[name]?.[0] : header(name);
      return [name, text === undefined ? schema.default : read(text, name, schema)];
    });
  return {
    path: Object.fromEntries(judged) as ControlCall['path'],
    given: Object.fromEntries(given) as ControlCall['given'],
  };
}

/** Throws a problem (400) unless a body is as the document says. */
export async function checkBody({ takes }: Described, body: unknown): Promise<void> {
  if (takes !== undefined) needValue(body, await loaded(takes.schema), '');
  else if (body !== undefined) throw badRequest('There is a body.', 'This request takes none.', '');
}

function needKnown(query: Sent['query'], parameters: readonly Parameter[]): void {
  const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  for (const [name, values] of Object.entries(query)) {
    if (values.length > 1) throw badRequest(`${name} is there twice.`, 'Each parameter is given once.', name);
    if (known.includes(name)) continue;
    const detail = known.length === 0 ? 'This path takes none.' : `There is ${known.join(', ')}.`;
    throw badRequest(`There is no parameter ${name}.`, detail, name);
  }
}

function read(text: string, name: string, schema: Parameter['schema']): string | number {
  const value = schema.type === 'integer' && /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
  needValue(value, schema, name);
  return value;
}

function needValue(value: unknown, schema: Schema, pointer: string): void {
  const wrong = checkValue(value, schema, pointer);
  if (wrong === undefined) return;
  throw badRequest(wrong.title, wrong.detail, wrong.pointer, didYouMean(wrong.meant));
}

import type { Node } from '../../settings/documents/document.ts';
import { checked, mapOf, may, needed } from '../../settings/documents/shape.ts';
import type { Report, Shape } from '../../settings/documents/shape.ts';
import { isMadeWithRequest } from '../../standard/xs2a/headers.ts';
import { writeJson } from '../../standard/xs2a/json.ts';
import { requestMember } from '../../standard/xs2a/shapes.ts';
import type { Body, JourneyStep, Template } from './journey.ts';
import { replaceNames, resolveValue } from './references.ts';
import type { Scope } from './references.ts';
import { namesTo, template } from './shapes.ts';
import { textOf } from './values.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE'];

const body: Shape<Body> = {
  schema: { type: ['string', 'object', 'array'] },
  read: bodyIn,
};

function bodyIn(node: Node, report: Report): Body | undefined {
  if (node.kind === 'text') return template.read(node, report);
  if (node.kind === 'list') return { items: node.items.flatMap((item) => bodyIn(item, report) ?? []) };
  const members = [...node.members].flatMap(([name, { value }]): (readonly [string, Body])[] => {
    const read = bodyIn(value, report);
    return read === undefined ? [] : [[name, read]];
  });
  return { members };
}

const header = {
  pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
  why: 'it is no name of a header',
};

/** The way out: one request of the interface as it is sent, without a command of its own. */
export const httpShape = mapOf(
  {
    method: needed(
      'GET, POST, PUT or DELETE.',
      checked<string>({ enum: methods }, (text) =>
        methods.includes(text.toUpperCase())
          ? { ok: true, value: text.toUpperCase() }
          : { ok: false, why: `it is one of ${methods.join(', ')}` },
      ),
    ),
    path: needed('The path below the address of the bank, such as v1/accounts?withBalance=true.', template),
    headers: may('Headers besides those that obk makes.', namesTo(template, header)),
    body: may('A map that is sent as JSON, or the text that is sent as it stands.', body),
  },
  'One request of the interface, signed and recorded as every call.',
  ({ method, path, headers = [], body: sent, where }, wrong) => {
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(path.text))
      wrong('path', 'it is a path below the address of the profile, and no address of its own');
    if (method === 'GET' && sent !== undefined) wrong('body', 'a GET has none');
    for (const { name, value } of headers)
      if (isMadeWithRequest(name))
        wrong(
          { ...where.of('headers'), ...value },
          `it is made with the request, and cannot be given: ${name}`,
        );
  },
);

/** The same request as a command line sends it. */
export function asApi({
  method,
  path,
  headers = [],
  body: sent,
}: HttpRequest): Pick<JourneyStep, 'command' | 'positionals' | 'flags' | 'input' | 'name' | 'http'> {
  const word = (text: string): Template => ({ ...path, text });
  return {
    command: 'api',
    name: `http: ${method} ${path.text}`,
    http: true,
    positionals: [word(method), path],
    flags: [
      ...headers.map(({ name, value }) => ({
        flag: '--header',
        values: [{ ...value, text: `${name}: ${value.text}` }],
      })),
      ...(sent === undefined ? [] : [{ flag: '--input', values: [word('-')] }]),
      { flag: '--include', values: 'set' as const },
    ],
    ...(sent !== undefined && { input: 'text' in sent ? sent : { body: sent } }),
  };
}

type HttpRequest = Pick<
  NonNullable<ReturnType<(typeof httpShape)['read']>>,
  'method' | 'path' | 'headers' | 'body'
>;

/** The path with the values of its names as parts of it; a link that an answer has is a path already. */
export function pathText(path: Template, scope: Scope): string {
  const value = resolveValue(path, scope);
  if (/^\$[\w.-]+$|^\$\{[^{}]+\}$/.test(path.text)) return textOf(value);
  return replaceNames(path, scope, encodeURIComponent);
}

/** The bytes that a step sends on stdin, as text. Throws INPUT_INVALID where a name stands for nothing. */
export function inputText(input: NonNullable<JourneyStep['input']>, scope: Scope): string {
  if ('body' in input) return writeJson(valueOf('', input.body, scope));
  const start = input.text.trimStart();
  if (/^[{[]/.test(start)) return replaceNames(input, scope, (text) => JSON.stringify(text).slice(1, -1));
  if (start.startsWith('<')) return replaceNames(input, scope, asXml);
  return replaceNames(input, scope, (text) => text);
}

/** What goes to stdin as the file has it, its names not filled in. */
export const inputAsWritten = (input: NonNullable<JourneyStep['input']>): string =>
  'body' in input ? writeJson(written('', input.body)) : input.text;

function written(name: string, one: Body): unknown {
  if ('items' in one) return one.items.map((item) => written(name, item));
  if ('members' in one)
    return Object.fromEntries(one.members.map(([key, value]) => [key, written(key, value)]));
  return requestMember(name, one.text);
}

/** A text, unless the interface has a number or a truth value there; a name alone stands for a value of any type. */
function valueOf(name: string, one: Body, scope: Scope): unknown {
  if ('items' in one) return one.items.map((item) => valueOf(name, item, scope));
  if ('members' in one)
    return Object.fromEntries(one.members.map(([key, value]) => [key, valueOf(key, value, scope)]));
  const value = resolveValue(one, scope);
  return typeof value === 'string' ? requestMember(name, value) : value;
}

const asXml = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${String(one.charCodeAt(0))};`);

/** Every text of what is sent in which a name may stand. */
export function templatesOfInput(input: JourneyStep['input']): Template[] {
  if (input === undefined) return [];
  return 'body' in input ? leaves(input.body) : [input];
}

function leaves(one: Body): Template[] {
  if ('items' in one) return one.items.flatMap(leaves);
  return 'members' in one ? one.members.flatMap(([, value]) => leaves(value)) : [one];
}

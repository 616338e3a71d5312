// Judges requests and answers by one OpenAPI file alone, whatever it is, and waives nothing: what the file does not declare is a
// fault, and so is what it requires and nobody sent. The files' oneOf are decided as the contract does it: payments by the service
// in the path, bodies of an authorisation by their member.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { parseMediaType } from '../../src/standard/xs2a/media.ts';
import { parseUrl } from '../../src/base/url.ts';
import type { Exchange, ExchangeRequest } from './contract.ts';

interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
}
interface Body {
  required?: boolean;
  content?: Record<string, { schema?: Schema }>;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}
interface Declared {
  operationId: string;
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, Declared | undefined> & { parameters?: unknown[] }>;
  components: { schemas: Record<string, Schema> };
}

const directory =
  process.env['OBK_SPEC_DIR'] ?? fileURLToPath(new URL('../../../shared/spec', import.meta.url));

/** Whether a file is in the folder of OpenAPI files; a test that needs it skips aloud where it is not. */
export function hasFile(name: string): boolean {
  return existsSync(join(directory, name));
}

/** Headers of HTTP itself, and those that the guidelines say of every call where an OpenAPI file cannot. */
const ofEveryCall = new Set([
  ...[
    'host',
    'connection',
    'content-type',
    'content-length',
    'transfer-encoding',
    'accept',
    'accept-encoding',
  ],
  ...['user-agent', 'authorization', 'date'],
]);

const services = ['payments', 'bulk-payments', 'periodic-payments'];
const payments: Readonly<Record<string, string>> = {
  payments: 'paymentInitiation_json',
  'bulk-payments': 'bulkPaymentInitiation_json',
  'periodic-payments': 'periodicPaymentInitiation_json',
};
const authorisations: Readonly<Record<string, string>> = {
  psuData: 'updatePsuAuthentication',
  authenticationMethodId: 'selectPsuAuthenticationMethod',
  scaAuthenticationData: 'transactionAuthorisation',
  confirmationCode: 'authorisationConfirmation',
};

/** One OpenAPI file as a judge. */
export class StrictFile {
  readonly #document: Document;
  readonly #ajv: Ajv;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(name: string) {
    this.#document = parse(readFileSync(join(directory, name), 'utf8')) as Document;
    this.#ajv = new Ajv({ allErrors: true, strict: false });
    addFormats.default(this.#ajv);
    for (const format of ['url', 'ipv4', 'uri'])
      this.#ajv.addFormat(
        format,
        (text: string) => format === 'ipv4' || parseUrl(text) !== undefined || text.startsWith('/'),
      );
    this.#ajv.addSchema({
      $id: documentId,
      components: { schemas: usable(this.#document.components.schemas) },
    });
  }

  /** What the file declares of each request, `*` for a parameter of the path; headers of HTTP itself left out. */
  requests(): { line: string; headers: string[]; query: string[]; required: string[]; body: boolean }[] {
    return Object.entries(this.#document.paths).flatMap(([path, item]) =>
      ['get', 'post', 'put', 'delete'].flatMap((method) => {
        const op = item[method];
        if (op === undefined) return [];
        const all = [...(item.parameters ?? []), ...(op.parameters ?? [])].map((one) =>
          this.#resolved<Parameter>(one),
        );
        const of = (place: string) =>
          all.filter((one) => one.in === place && !ofEveryCall.has(one.name.toLowerCase()));
        const names = (place: string) => of(place).map(({ name }) => name);
        return {
          line: `${method.toUpperCase()} ${path.replace(/^\/v1/, '').replace(/\{[^}]*\}/g, '*')}`,
          headers: names('header').sort(),
          query: names('query').sort(),
          required: [...of('header'), ...of('query')]
            .filter(({ required }) => required === true)
            .map(({ name }) => name)
            .sort(),
          body: op.requestBody !== undefined,
        };
      }),
    );
  }

  /** The departures of a request; `prefix` is that of its path. */
  requestFaults({ method, path, requestHeaders, requestBody }: ExchangeRequest, prefix: string): string[] {
    const found = this.#find(method, path, prefix);
    if (found === undefined) return [`${method} ${path} is not in the file`];
    const { item, op, params, query } = found;
    const headers = new Map(pairsOf(requestHeaders).map(([name, value]) => [name.toLowerCase(), value]));
    const declared = [...(item.parameters ?? []), ...(op.parameters ?? [])].map((one) =>
      this.#resolved<Parameter>(one),
    );
    const bytes = Buffer.from(requestBody);
    return [
      ...this.#parameters(declared, 'query', query),
      ...this.#parameters(declared, 'header', headers).filter(
        (fault) => !ofEveryCall.has(/^header (\S+) is not declared$/.exec(fault)?.[1] ?? ''),
      ),
      ...this.#body(op, params, bytes, headers.get('content-type')),
    ];
  }

  /** The departures of an answer from what the file has for its operation and status. */
  answerFaults(exchange: Exchange, prefix: string): string[] {
    const found = this.#find(exchange.method, exchange.path, prefix);
    if (found === undefined) return [`${exchange.method} ${exchange.path} is not in the file`];
    const declared = found.op.responses[String(exchange.status)];
    if (declared === undefined) return [`status ${String(exchange.status)} is not declared`];
    const response = this.#resolved<Body & { headers?: Record<string, unknown> }>(declared);
    const headers = new Map(
      pairsOf(exchange.responseHeaders).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const missing = Object.entries(response.headers ?? {}).filter(
      ([name, header]) =>
        this.#resolved<{ required?: boolean }>(header).required === true && !headers.has(name.toLowerCase()),
    );
    const bytes = Buffer.from(exchange.responseBody);
    const faults = missing.map(([name]) => `header ${name} is missing`);
    const contents = Object.entries(response.content ?? {});
    if (bytes.length === 0) return contents.length === 0 ? faults : [...faults, 'the body is missing'];
    const type = parseMediaType(headers.get('content-type') ?? '').type;
    const content = contents.find(([name]) => name === type)?.[1];
    if (content === undefined)
      return [...faults, `${type} is none of ${contents.map(([name]) => name).join(', ')}`];
    if (type !== 'application/json') return faults;
    const json = JSON.parse(bytes.toString()) as unknown;
    const schema = this.#answerSchema(found.params, exchange, content.schema ?? {});
    return [...faults, ...this.#value(schema, json), ...this.#strange('', schema, json)];
  }

  #answerSchema(params: Map<string, string>, exchange: Exchange, schema: Schema): Schema {
    const branches = schema.oneOf ?? [];
    if (branches.length === 0) return schema;
    const body = Buffer.from(exchange.requestBody).toString();
    const [key = ''] =
      exchange.method === 'GET' || body === '' ? [] : Object.keys(JSON.parse(body) as object);
    const answers: Readonly<Record<string, string>> = {
      psuData: 'updatePsuAuthenticationResponse',
      authenticationMethodId: 'selectPsuAuthenticationMethodResponse',
      scaAuthenticationData: 'scaStatusResponse',
    };
    const own = Object.values(payments)[services.indexOf(params.get('payment-service') ?? '')];
    const wanted = exchange.method === 'GET' ? own?.replace('_json', 'WithStatusResponse') : answers[key];
    return branches.find(({ $ref }) => $ref === reference(wanted ?? '')) ?? branches[0] ?? {};
  }

  #find(method: string, path: string, prefix: string) {
    const url = new URL(path, 'http://h');
    if (!url.pathname.startsWith(`${prefix}/`)) return undefined;
    const segments = url.pathname.slice(prefix.length + 1).split('/');
    for (const [template, item] of Object.entries(this.#document.paths)) {
      const parts = template.replace(/^\/v1\//, '').split('/');
      const op = item[method.toLowerCase()];
      if (op === undefined || parts.length !== segments.length) continue;
      const params = new Map(parts.map((part, at) => [part.replace(/[{}]/g, ''), segments[at] ?? '']));
      const fits = parts.every((part, at) =>
        part === '{payment-service}'
          ? services.includes(segments[at] ?? '')
          : part.startsWith('{') || part === segments[at],
      );
      if (fits) return { item, op, params, query: new Map(url.searchParams) };
    }
    return undefined;
  }

  #parameters(declared: readonly Parameter[], place: string, given: ReadonlyMap<string, string>): string[] {
    const own = declared.filter((one) => one.in === place);
    const key = (name: string) => (place === 'header' ? name.toLowerCase() : name);
    const known = new Set(own.map(({ name }) => key(name)));
    return [
      ...[...given.keys()]
        .filter((name) => !known.has(name))
        .map((name) => `${place} ${name} is not declared`),
      ...own.flatMap(({ name, required, schema = {} }) => {
        const value = given.get(key(name));
        if (value === undefined) return required === true ? [`${place} ${name} is missing`] : [];
        const text = readAs(this.#flat(schema), value);
        return this.#value(text.schema, text.value).map((fault) => `${place} ${name}${fault}`);
      }),
    ];
  }

  #body(op: Declared, params: Map<string, string>, bytes: Buffer, type = ''): string[] {
    const declared = op.requestBody === undefined ? undefined : this.#resolved<Body>(op.requestBody);
    if (bytes.length === 0) return declared?.required === true ? ['the body is missing'] : [];
    if (declared === undefined) return ['a body is not declared'];
    const media = parseMediaType(type).type;
    const content = declared.content?.[media];
    if (content === undefined)
      return [`${media} is none of ${Object.keys(declared.content ?? {}).join(', ')}`];
    if (media !== 'application/json') return [];
    const json = JSON.parse(bytes.toString()) as object;
    const schema = bodySchema(op, params, json, content.schema ?? {});
    if (schema === undefined) return [`{${Object.keys(json).join(', ')}} is no body of ${op.operationId}`];
    return [...this.#value(schema, json), ...this.#strange('', schema, json)];
  }

  #value(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate = this.#validators.get(key) ?? this.#ajv.compile(usable(schema));
    this.#validators.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
      return `${instancePath} ${message} ${JSON.stringify(params)}`;
    });
  }

  /** Members that the schema does not know. */
  #strange(at: string, schema: Schema, value: unknown): string[] {
    const known = this.#flat(schema);
    if (Array.isArray(value))
      return value.flatMap((item, index) => this.#strange(`${at}/${String(index)}`, known.items ?? {}, item));
    if (known.properties === undefined || typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, item]) => {
      const own = known.properties?.[name];
      if (own !== undefined) return this.#strange(`${at}/${name}`, own, item);
      if (typeof known.additionalProperties === 'object')
        return this.#strange(`${at}/${name}`, known.additionalProperties, item);
      return [`${at}/${name} is not declared`];
    });
  }

  #flat(schema: Schema): Schema {
    if (schema.$ref !== undefined) return this.#flat(this.#resolved<Schema>(schema));
    return (schema.allOf ?? []).reduce<Schema>((all, part) => {
      const one = this.#flat(part);
      return { ...all, ...one, properties: { ...all.properties, ...one.properties } };
    }, schema);
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what a reference leads to is known where it is followed
  #resolved<T>(value: unknown): T {
    let found = value;
    while (typeof found === 'object' && found !== null && '$ref' in found) {
      const keys = String(found.$ref).slice(2).split('/');
      found = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], this.#document);
    }
    return found as T;
  }
}

function bodySchema(
  op: Declared,
  params: Map<string, string>,
  json: object,
  schema: Schema,
): Schema | undefined {
  if (op.operationId === 'initiatePayment')
    return { $ref: reference(payments[params.get('payment-service') ?? ''] ?? '') };
  if (schema.oneOf === undefined || Object.keys(json).length === 0)
    return schema.oneOf === undefined ? schema : {};
  const [key = '', ...others] = Object.keys(json);
  const wanted = others.length === 0 ? reference(authorisations[key] ?? '') : '';
  return schema.oneOf.find(({ $ref }) => $ref === wanted);
}

/** What a text in a header or query stands for; an enum of texts is compared as such, whatever type the file gives it. */
function readAs(schema: Schema, text: string): { schema: Schema; value: unknown } {
  const { type, ...rest } = schema;
  if (schema.enum?.includes(text) === true) return { schema: rest, value: text };
  if (type === 'boolean' && /^(true|false)$/.test(text)) return { schema, value: text === 'true' };
  return { schema, value: type === 'integer' && /^\d+$/.test(text) ? Number(text) : text };
}

const reference = (name: string) => `#/components/schemas/${name}`;
const documentId = 'https://file.example/file';

function pairsOf(headers: Exchange['requestHeaders']): [string, string][] {
  return Array.isArray(headers)
    ? (headers as [string, string][])
    : Object.entries(headers as Record<string, string>);
}

/** What the validator understands: whole patterns, references into the file, no examples, no `exclusiveMinimum: false`. */
function usable<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => usable(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([key]) => !/^(examples?|exclusiveMinimum)$/.test(key));
  return Object.fromEntries(
    members.map(([key, inner]: [string, unknown]) => {
      if (key === 'pattern' && typeof inner === 'string')
        return [key, `^(?:${inner.replaceAll('\\-', '-').replaceAll('\\/', '/')})$`];
      if (key === '$ref' && typeof inner === 'string') return [key, documentId + inner];
      return [key, usable(inner)];
    }),
  ) as T;
}

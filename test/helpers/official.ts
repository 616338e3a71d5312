import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Framework } from '../../src/xs2a/variants.ts';

/** A JSON schema of an OpenAPI 3.0 file, as far as the checker looks into it. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface Body {
  required?: boolean;
  content?: Record<string, { schema?: Schema }>;
}

export interface Response extends Body {
  headers?: Record<string, { required?: boolean; schema?: Schema }>;
}

export interface OfficialOperation {
  operationId: string;
  method: string;
  path: string;
  parameters: Parameter[];
  requestBody?: Body;
  responses: Record<string, Response>;
}

export interface Official {
  framework: Framework;
  operations: OfficialOperation[];
  schemas: Record<string, Schema>;
}

const files = {
  '1.3': 'psd2-api-1.3-20190111.yaml',
  '1.3.2': 'psd2-api-1.3.3-20190318.yaml',
  '1.3.6': 'psd2-api-1.3.6-20200814.yaml',
} as const;

const directory =
  process.env['OBK_SPEC_DIR'] ?? fileURLToPath(new URL('../../../shared/spec', import.meta.url));

/** Whether the official files are here; a test that needs them skips aloud where they are not. */
export function hasOfficialFiles(): boolean {
  return Object.values(files).every((file) => existsSync(join(directory, file)));
}

const loaded = new Map<string, RawDocument>();

interface Reference {
  $ref: string;
}

interface RawOperation {
  operationId: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: Body | Reference;
  responses: Record<string, Response | Reference>;
}

interface RawDocument {
  paths: Record<
    string,
    Record<string, RawOperation | undefined> & { parameters?: (Parameter | Reference)[] }
  >;
  components: { schemas: Record<string, Schema> };
}

/** The official file of a version as it is, without its references resolved. */
export function officialDocument(version: keyof typeof files): RawDocument {
  if (!hasOfficialFiles()) throw new Error('the official files are not here: set OBK_SPEC_DIR');
  const known =
    loaded.get(version) ?? (parse(readFileSync(join(directory, files[version]), 'utf8')) as RawDocument);
  loaded.set(version, known);
  return known;
}

function resolve<T extends object>(document: RawDocument, value: T | Reference): T {
  let found: T | Reference = value;
  while ('$ref' in found) {
    const keys = found.$ref.slice(2).split('/');
    found = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as
      T | Reference;
  }
  return found;
}

const indexed = new Map<Framework, Official>();

/** Operations with references of the first level resolved, and the schemas. */
export function official(framework: Framework): Official {
  const known = indexed.get(framework);
  if (known !== undefined) return known;
  const document = officialDocument(framework);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    ['get', 'post', 'put', 'delete'].flatMap((method): OfficialOperation[] => {
      const raw = item[method];
      if (raw === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(raw.parameters ?? [])];
      return [
        {
          operationId: raw.operationId,
          method: method.toUpperCase(),
          path: path.replace(/^\/v1/, ''),
          parameters: parameters.map((parameter) => resolve(document, parameter)),
          ...(raw.requestBody === undefined ? {} : { requestBody: resolve(document, raw.requestBody) }),
          responses: Object.fromEntries(
            Object.entries(raw.responses).map(([status, response]) => [
              status,
              responseOf(document, response),
            ]),
          ),
        },
      ];
    }),
  );
  const result = { framework, operations, schemas: document.components.schemas };
  indexed.set(framework, result);
  return result;
}

function responseOf(document: RawDocument, response: Response | Reference): Response {
  const resolved = resolve(document, response);
  const headers = Object.entries(resolved.headers ?? {}).map(
    ([name, header]) => [name, resolve(document, header)] as const,
  );
  return { ...resolved, headers: Object.fromEntries(headers) };
}

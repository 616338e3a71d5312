import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Framework } from '../../src/standard/xs2a/variants.ts';
import { repairs } from './contract-repairs.ts';

/** A JSON schema of an OpenAPI 3.0 file, as far as the checker looks into it. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  maxLength?: number;
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

/** The files of the framework by the version that they are judged as: there is none of 1.3.2, so that of 1.3.3 stands for it. */
const genuine = {
  '1.3.2': 'psd2-api-1.3.3.yaml',
  '1.3.6': 'psd2-api-1.3.6.yaml',
  '1.3.8': 'psd2-api-1.3.8.yaml',
  '1.3.11': 'psd2-api-1.3.11.yaml',
  '1.3.12': 'psd2-api-1.3.12.json',
} as const satisfies Record<Framework, string>;

/** The copies that adorsys edited: what its dialect says, and no framework. */
const dialect = { '1.3.2': 'adorsys-1.3.3.yaml', '1.3.6': 'adorsys-1.3.6.yaml' } as const;

/** Whose files a check is against. */
export type Edition = 'genuine' | 'adorsys';

const directory =
  process.env['OBK_SPEC_DIR'] ?? fileURLToPath(new URL('../../../shared/spec', import.meta.url));

const areHere = (files: readonly string[]): boolean =>
  files.every((file) => existsSync(join(directory, file)));

/** Whether the official files are here; a test that needs them skips aloud where they are not. */
export function hasOfficialFiles(): boolean {
  return areHere(Object.values(genuine));
}

/** Whether the copies of the dialect are here. */
export function hasDialectFiles(): boolean {
  return areHere(Object.values(dialect));
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

export interface RawDocument {
  paths: Record<
    string,
    Record<string, RawOperation | undefined> & { parameters?: (Parameter | Reference)[] }
  >;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

/** The official file of a version as it is, defects and all, without its references resolved; undefined where it is not here. */
export function officialDocument(version: Framework): RawDocument | undefined {
  const file = genuine[version];
  return areHere([file]) ? documentOf(file) : undefined;
}

const leanPush = 'lean-push-1.0.yaml';

/** The official file of the Resource Status Notification Service; undefined where it is not here. */
export function notificationDocument(): RawDocument | undefined {
  return areHere([leanPush]) ? documentOf(leanPush) : undefined;
}

function documentOf(file: string): RawDocument {
  if (!areHere([file])) throw new Error('the official files are not here: set OBK_SPEC_DIR');
  const known = loaded.get(file) ?? (parse(readFileSync(join(directory, file), 'utf8')) as RawDocument);
  loaded.set(file, known);
  return known;
}

function fileOf(framework: Framework, edition: Edition): string {
  if (edition === 'genuine') return genuine[framework];
  if (framework === '1.3.2' || framework === '1.3.6') return dialect[framework];
  throw new Error(`there is no edited copy of ${framework}`);
}

/** The genuine file with its own defects put right, or the copy as it is. */
function repaired(framework: Framework, edition: Edition): RawDocument {
  const document = documentOf(fileOf(framework, edition));
  if (edition !== 'genuine') return document;
  const copy = structuredClone(document);
  for (const { frameworks, apply } of repairs) if (frameworks.includes(framework)) apply(copy);
  return copy;
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

const indexed = new Map<string, Official>();

/** Operations with references of the first level resolved, and the schemas; of the framework's file or the dialect's copy. */
export function official(framework: Framework, edition: Edition = 'genuine'): Official {
  const file = fileOf(framework, edition);
  const known = indexed.get(file);
  if (known !== undefined) return known;
  const document = repaired(framework, edition);
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
  indexed.set(file, result);
  return result;
}

function responseOf(document: RawDocument, response: Response | Reference): Response {
  const resolved = resolve(document, response);
  const headers = Object.entries(resolved.headers ?? {}).map(
    ([name, header]) => [name, resolve(document, header)] as const,
  );
  return { ...resolved, headers: Object.fromEntries(headers) };
}

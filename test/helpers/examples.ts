import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { operations } from '../../src/standard/xs2a/operations.ts';
import type { Operation } from '../../src/standard/xs2a/operations.ts';

/** An answer that an official file gives as an example, as the bytes that a bank would send. */
export interface ExampleAnswer {
  operation: Operation;
  status: number;
  media: string;
  body: string;
}

type Node = Readonly<Record<string, unknown>>;

const directory =
  process.env['OBK_SPEC_DIR'] ?? fileURLToPath(new URL('../../../shared/spec', import.meta.url));

/** The official files that are here, of every version. */
export const exampleFiles: readonly string[] = existsSync(directory)
  ? readdirSync(directory).filter((name) => /^psd2-api-.*\.(yaml|json)$/.test(name))
  : [];

const keyOf = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replace(/^\/v1/, '').replace(/\{[^}]*\}/g, '{}')}`;
const byKey = new Map(operations.map((one) => [keyOf(one.method, one.path), one]));

/** Every example of an answer in an official file, each once for each operation that has it. */
export function examplesIn(file: string): readonly ExampleAnswer[] {
  const document = parse(readFileSync(join(directory, file), 'utf8')) as Node;
  const resolve = (value: unknown): Node => {
    let found = value as Node | undefined;
    while (typeof found?.['$ref'] === 'string') {
      const keys = found['$ref'].slice(2).split('/');
      const at = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
      found = at.reduce<unknown>((inner, key) => (inner as Node)[key], document) as Node;
    }
    return found ?? {};
  };
  const entries = (value: unknown) => Object.entries(resolve(value));
  return entries(document['paths']).flatMap(([path, item]) =>
    entries(item).flatMap(([method, raw]) => {
      const operation = byKey.get(keyOf(method, path));
      if (operation === undefined) return [];
      return entries((raw as Node)['responses']).flatMap(([status, response]) =>
        entries(resolve(response)['content']).flatMap(([media, content]) =>
          valuesOf(resolve(content), resolve).map((body) => ({
            operation,
            status: Number(status),
            media,
            body,
          })),
        ),
      );
    }),
  );
}

function valuesOf(content: Node, resolve: (value: unknown) => Node): string[] {
  const several = Object.values(resolve(content['examples'])).map((one) => resolve(one)['value']);
  return [...several, content['example']]
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

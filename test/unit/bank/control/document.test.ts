import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { faultKinds } from '../../../../src/settings/records/fault-kinds.ts';
import { controlDocument, operations as served } from '../../../../src/bank/control/operations.ts';
import document from '../../../../docs/bank/control.openapi.json' with { type: 'json' };
import { openApiStructure } from '../../../helpers/openapi-structure.ts';
import { schemaOf } from './document-schemas.ts';

/** Whatever of the document stands anywhere in it. */
type Node = Readonly<Record<string, unknown>>;

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    path,
    method,
    operation,
  })),
);
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: { name: string; in: string; schema: object; example: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}
interface Media {
  schema: object;
  examples: Record<string, { value: unknown }>;
}

function nodes(node: unknown, found: Node[] = []): Node[] {
  if (typeof node !== 'object' || node === null) return found;
  if (!Array.isArray(node)) found.push(node as Node);
  for (const child of Object.values(node)) nodes(child, found);
  return found;
}

describe('the document of the control API', () => {
  it('has the structure of OpenAPI 3.1, and a misspelt keyword is found', () => {
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(openApiStructure);
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    const { operation } = operations[0]!;
    expect(validate({ ...document, paths: { '/x': { get: { ...operation, sumary: 'x' } } } })).toBe(false);
  });

  it('is the file in docs/bank as the bank makes it (`npm run completions`)', async () => {
    expect(JSON.parse(JSON.stringify(await controlDocument()))).toEqual(document);
  });

  it('names what the bank serves, and the bank serves what it names', () => {
    const named = operations.map(({ operation }) => operation.operationId);
    expect(new Set(named).size).toBe(named.length);
    expect(named.toSorted()).toEqual(Object.keys(served).toSorted());
  });

  it('accepts every kind of fault that the bank has', () => {
    expect(document.components.schemas.FaultKind.enum).toEqual(faultKinds);
  });

  it('has schemas that are JSON Schema 2020-12, and examples that fit them', () => {
    for (const { operation } of operations) {
      for (const { schema, example, name } of operation.parameters ?? [])
        expect(schemaOf(schema)(example), `${operation.operationId} ${name}`).toEqual([]);
      const bodies = [
        operation.requestBody?.content ?? {},
        ...Object.values(operation.responses).map(contentOf),
      ];
      for (const content of bodies)
        for (const [type, { schema, examples }] of Object.entries(content))
          for (const { value } of Object.values(examples))
            expect(schemaOf(schema)(value), `${operation.operationId} ${type}`).toEqual([]);
    }
  });

  it('refers to what exists, and has nothing that nothing refers to', () => {
    const used = new Set(nodes(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])));
    const there = (['schemas', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...used].toSorted()).toEqual(there.toSorted());
  });

  it('declares each parameter of a path, each tag, and what each operation can answer', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? [])
        .filter((one) => one.in === 'path')
        .map(({ name }) => name);
      expect(declared, path).toEqual(inPath);
      for (const tag of operation.tags) expect(tags).toContain(tag);
      const statuses = Object.keys(operation.responses);
      expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
      expect(statuses).toEqual(expect.arrayContaining(['400', '403', '421']));
      expect(statuses.includes('401')).toBe(!('security' in operation));
      expect(statuses.includes('415')).toBe(operation.requestBody !== undefined);
    }
    expect(tags.toSorted()).toEqual(
      [...new Set(operations.flatMap(({ operation }) => operation.tags))].toSorted(),
    );
  });

  it('has no const that is true or false, from which a generator of clients made a program that does not compile', () => {
    expect(nodes(document).filter((node) => typeof node['const'] === 'boolean')).toEqual([]);
  });

  it('has sentences for everything, and refuses unknown members', () => {
    for (const node of nodes(document)) {
      const { description, type, properties, additionalProperties } = node;
      if (typeof description === 'string') expect(description).toMatch(/^\S[^]*\S$/);
      if (type === 'object' && properties !== undefined && node['required'] !== undefined && !isOpen(node))
        expect(additionalProperties, JSON.stringify(node).slice(0, 100)).toBe(false);
    }
    for (const { operation } of operations) expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
  });
});

/** The document describes itself by its version alone. */
const isOpen = ({ properties }: Node) => 'openapi' in (properties as object);

function contentOf(response: Operation['responses'][string]): Record<string, Media> {
  const name = response.$ref?.split('/').at(-1);
  const whole =
    name === undefined ? response : (document.components.responses as Operation['responses'])[name];
  return whole?.content ?? {};
}

import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parseUrl } from '../../src/base/url.ts';
import type { Framework } from '../../src/standard/xs2a/variants.ts';
import { official } from './official.ts';
import type { Official, Schema } from './official.ts';

/** A schema with its reference and its allOf resolved. */
export function flat(file: Official, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    return flat(file, file.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {});
  }
  return (schema.allOf ?? []).reduce<Schema>((all, part) => {
    const one = flat(file, part);
    return { ...all, ...one, properties: { ...all.properties, ...one.properties } };
  }, schema);
}

/** The names of all links of a file. */
export function linkNamesOf(file: Official): Set<string> {
  const schemas = Object.entries(file.schemas).filter(([name]) => name.startsWith('_links'));
  return new Set(schemas.flatMap(([, schema]) => Object.keys(schema.properties ?? {})));
}

const ajvs = new Map<Framework, Ajv>();
const validators = new Map<Framework, Map<string, ValidateFunction>>();

/** The validator of a schema: patterns anchored, references into the official file. */
export function compiled(framework: Framework, schema: Schema): ValidateFunction {
  const cache = validators.get(framework) ?? new Map<string, ValidateFunction>();
  validators.set(framework, cache);
  const key = JSON.stringify(schema);
  let validate = cache.get(key);
  if (validate === undefined) {
    // References are into the registered document, whose id is the empty path of this one.
    validate = ajvOf(framework).compile(absolute(anchored(schema)));
    cache.set(key, validate);
  }
  return validate;
}

const documentId = 'https://official.example/file';

function ajvOf(framework: Framework): Ajv {
  let ajv = ajvs.get(framework);
  if (ajv === undefined) {
    ajv = new Ajv({ allErrors: true, strict: false, discriminator: false });
    addFormats.default(ajv);
    // Its own notion of a URL leaves out loopback addresses.
    ajv.addFormat('url', (text: string) => parseUrl(text) !== undefined);
    const schemas = anchored(official(framework).schemas);
    ajv.addSchema({ $id: documentId, components: { schemas } });
    ajvs.set(framework, ajv);
  }
  return ajv;
}

const absolute = (schema: Schema): Schema => mapped(schema, '$ref', (ref) => documentId + ref);
// The files escape hyphens where they need none, which a pattern in Unicode mode does not allow.
const anchored = <T extends object>(schema: T): T =>
  mapped(schema, 'pattern', (pattern) => `^(?:${pattern.replaceAll('\\-', '-')})$`);

const dropped = ['example', 'examples', 'exclusiveMinimum'];

/** A copy of a schema with one string keyword changed; examples and the boolean `exclusiveMinimum: false` dropped. */
function mapped<T>(value: T, keyword: string, change: (text: string) => string): T {
  const copy = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(copy);
    if (typeof item !== 'object' || item === null) return item;
    const members = Object.entries(item).filter(([key]) => !dropped.includes(key));
    return Object.fromEntries(
      members.map(([key, inner]) => [
        key,
        key === keyword && typeof inner === 'string' ? change(inner) : copy(inner),
      ]),
    );
  };
  return copy(value) as T;
}

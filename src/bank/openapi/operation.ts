import { integer, textUpTo, words } from './schema.ts';
import type { Schema } from '../../base/schema.ts';

/** A parameter of a path, a query or a header. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: Schema;
  example: unknown;
}

/**
 * One operation of the control API: what its document tells of it, and what its requests are judged by. A body is
 * JSON; a schema that is a function is loaded by the first request that needs it.
 */
export interface Described {
  at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  summary: string;
  about: string;
  /** It needs no token. */
  isOpen?: true;
  parameters?: readonly Parameter[];
  takes?: { schema: Schema | (() => Promise<Schema>); example: unknown };
  /** What it answers if all goes well; a `type` that is not given is JSON. */
  gives: { status: number; about: string; type?: string; schema?: Schema; example?: unknown };
  /** Statuses of refusals that not every operation has. */
  also?: readonly (404 | 409 | 429 | 503)[];
}

/** A parameter of the path; without a schema it is an id. */
export const inPath = (
  name: string,
  description: string,
  example: unknown,
  schema = textUpTo(200),
): Parameter => ({ name, in: 'path', description, schema, example });

export const inQuery = (name: string, description: string, example: unknown, schema: Schema): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  example,
});

/** `true` or `false` in a query; without a default both differ from leaving it out. */
export const truth = (standard?: 'true' | 'false'): Schema =>
  words(['true', 'false'], undefined, standard && { default: standard });

/** How many of a list. */
export const limit = inQuery(
  'limit',
  'How many at most.',
  20,
  integer(undefined, { minimum: 1, maximum: 1000, default: 100 }),
);

/** The other end of a list first. */
export const newest = inQuery(
  'newest',
  'Newest first; those after an id are older then.',
  'true',
  truth('false'),
);

/** Those of a list that came after the one with this id. */
export const afterId = (example: string): Parameter =>
  inQuery('after', 'Those after the one with this id only.', example, textUpTo(200));

/** Those of a list that came after this number. */
export const afterNumber = inQuery(
  'after',
  'Those with a higher number only; after a reset they count from 1 again.',
  0,
  integer(undefined, { minimum: 0 }),
);

/** Ids that stand in several examples. */
export const exampleIds = {
  payment: '3d9a81b3-a47d-4130-8765-a9c0ff861b99',
  consent: '4f2c1d2e-94ab-4d55-8e0e-5a0e64a3a511',
  authorisation: '0f1c2f6e-5f0e-4d5c-9a4e-8b8b3c5e7a01',
  request: '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
} as const;

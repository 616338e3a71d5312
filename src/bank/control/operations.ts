import { accounts } from './accounts.ts';
import { authorisations } from './authorisations.ts';
import { behaviour } from './behaviour.ts';
import { calls } from './calls.ts';
import { clients } from './clients.ts';
import { documentOf } from '../openapi/document.ts';
import type { Tag } from '../openapi/document.ts';
import { entries } from './entries.ts';
import { eventStream } from './event-stream.ts';
import { notifications } from './notifications.ts';
import type { ControlCall, Operations } from './control-call.ts';
import { people } from './people.ts';
import { resources } from './resources.ts';
import { anyObject, text } from '../openapi/schema.ts';
import { snapshots } from './snapshots.ts';
import { tenants } from './tenants.ts';
import { health, wholeBank } from './whole-bank.ts';

const itself = {
  getDocument: {
    at: 'GET /openapi.json',
    summary: 'This document',
    about: 'Needs no token.',
    isOpen: true,
    gives: {
      status: 200,
      about: 'OpenAPI 3.1.',
      schema: { ...anyObject(), required: ['openapi'], properties: { openapi: text() } },
      example: { openapi: '3.1.0' },
    },
    run: async () => ({ status: 200, body: await controlDocument() }),
  },
} as const satisfies Operations;

/** All operations, in the order of the document. */
const tagged: readonly (readonly [Tag, Operations])[] = [
  ['Bank', health],
  ['Bank', itself],
  ['People', people],
  ['Accounts', accounts],
  ['Accounts', entries],
  ['Behaviour', behaviour],
  ['Authorisation', authorisations],
  ['Resources', resources],
  ['Clients', clients],
  ['Bank', wholeBank],
  ['Bank', snapshots],
  ['Calls', calls],
  ['Notifications', notifications],
  ['Calls', eventStream],
  ['Tenants', tenants],
];

/** Every operation of the control API, by its operationId. */
export const operations = {
  ...health,
  ...itself,
  ...people,
  ...accounts,
  ...entries,
  ...behaviour,
  ...authorisations,
  ...resources,
  ...clients,
  ...wholeBank,
  ...snapshots,
  ...calls,
  ...notifications,
  ...eventStream,
  ...tenants,
};

/** The name of an operation. */
export type OperationId = keyof typeof operations;

/** What a command of obk gives to an operation: the values in its path, its parameters and its body. */
export interface ControlInput<Id extends OperationId> {
  path?: Readonly<Record<string, string>>;
  given?: Readonly<Record<string, string | number>>;
  body?: Parameters<(typeof operations)[Id]['run']> extends [ControlCall<infer Body>] ? Body : never;
}

/** The body that each operation answers: an object, a text where it is no JSON, and undefined where there is none. */
export type ControlResults = {
  [Id in OperationId]: BodyIn<Awaited<ReturnType<(typeof operations)[Id]['run']>>>;
};
type BodyIn<Answer> = Answer extends Response
  ? string
  : Answer extends { body: infer Body }
    ? Body
    : undefined;

/** What concerns the bank as a whole, and no ledger. */
export const ofTheWhole: ReadonlySet<string> = new Set(Object.keys({ ...health, ...itself, ...tenants }));

let made: Promise<object> | undefined;

/** The OpenAPI document of the control API; it is made when it is first asked for. */
export const controlDocument = (): Promise<object> => (made ??= documentOf(tagged));

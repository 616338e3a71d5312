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
import type { Operation, Operations } from './control-call.ts';
import { people } from './people.ts';
import { resources } from './resources.ts';
import { anyObject, text } from '../openapi/schema.ts';
import { snapshots } from './snapshots.ts';
import { tenants } from './tenants.ts';
import { health, wholeBank } from './whole-bank.ts';

const itself: Operations = {
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
};

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
export const operations: Readonly<Record<string, Operation>> = Object.fromEntries(
  tagged.flatMap(([, some]) => Object.entries(some)),
);

/** What concerns the bank as a whole, and no ledger. */
export const ofTheWhole = new Set(Object.keys({ ...health, ...itself, ...tenants }));

let made: Promise<object> | undefined;

/** The OpenAPI document of the control API; it is made when it is first asked for. */
export const controlDocument = (): Promise<object> => (made ??= documentOf(tagged));

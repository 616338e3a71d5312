import type { Schema } from '../../base/schema.ts';
import type { Described } from './operation.ts';
import { refusals } from './refusals.ts';
import { contentOf, origin } from './schema.ts';
import type { Named } from './schema.ts';

const tags = {
  Bank: 'The bank as a whole.',
  People: 'The PSUs.',
  Accounts: 'Accounts and their entries.',
  Behaviour: 'Scenario, faults and clock.',
  Authorisation: 'The hand of the PSU.',
  Resources: 'Payments and consents as the bank has them.',
  Clients: 'Clients of the OAuth server.',
  Calls: 'What TPPs have sent.',
  Notifications: 'What was pushed to TPPs.',
  Tenants: 'Those who have a ledger of their own.',
};

export type Tag = keyof typeof tags;

/** What stands in front of the operations. */
const about = {
  openapi: '3.1.0',
  info: {
    title: 'Control of the bank inside',
    version: '1.0.0',
    summary: 'Steers the bank of `obk sandbox start` from tests in any language.',
    description:
      'Everything that `obk sandbox` can do, by HTTP with JSON. Amounts are decimal texts, times are ISO 8601 in UTC, and unknown members and parameters are refused, and so is a body where none is taken.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [
    { url: '/sandbox/api', description: 'The bank that serves this document.' },
    {
      url: '/sandbox/api/tenants/{tenant}',
      description:
        'One tenant of a bank that has them: all that concerns a ledger is asked there, and is refused with 400 without a tenant and with 404 for one that the bank does not have.',
      variables: { tenant: { default: 'team-a', description: 'The name of the tenant.' } },
    },
  ],
  security: [{ token: [] }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
};

/** The OpenAPI document of these operations. */
export async function documentOf(
  tagged: readonly (readonly [Tag, Readonly<Record<string, Described>>])[],
): Promise<object> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [tag, operations] of tagged)
    for (const [operationId, operation] of Object.entries(operations)) {
      const [method = '', path = ''] = operation.at.split(' ');
      const written = await operationOf(operation);
      paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId, tags: [tag], ...written } };
    }
  const token = {
    type: 'http',
    scheme: 'bearer',
    description: 'The content of the tokenFile that `obk sandbox start --json` names; new at every start.',
  };
  const components = { schemas: {}, responses: {} };
  const referred = referring(paths, components);
  return { ...about, paths: referred, components: { securitySchemes: { token }, ...components } };
}

async function operationOf(operation: Described): Promise<object> {
  const { summary, about: description, isOpen, parameters, takes, gives, also = [] } = operation;
  const statuses = [400, 403, 421, ...also, ...(isOpen ? [] : [401]), ...(takes ? [413, 415] : [])];
  return {
    summary,
    description,
    ...(isOpen && { security: [] }),
    ...(parameters && {
      parameters: parameters.map((one) => ({ ...one, ...(one.in === 'path' && { required: true }) })),
    }),
    ...(takes && {
      requestBody: {
        description: 'What is wanted.',
        required: true,
        content: contentOf('application/json', await loaded(takes.schema), takes.example),
      },
    }),
    responses: {
      [gives.status]: {
        description: gives.about,
        ...(gives.schema && {
          content: contentOf(gives.type ?? 'application/json', gives.schema, gives.example),
        }),
      },
      ...Object.fromEntries(statuses.map((status) => [status, refusals[status]])),
    },
  };
}

/** The schema of a body. */
export async function loaded(schema: Schema | (() => Promise<Schema>)): Promise<Schema> {
  return typeof schema === 'function' ? schema() : schema;
}

type Components = Readonly<Record<'schemas' | 'responses', Record<string, unknown>>>;

/** A copy in which all that has a name is a reference to its place among the components. */
function referring(node: unknown, components: Components): unknown {
  if (Array.isArray(node)) return node.map((one) => referring(one, components));
  if (typeof node !== 'object' || node === null) return node;
  const { [origin]: known, description } = node as Named;
  if (known === undefined) return membersOf(node, components);
  const { kind, name, whole } = known;
  components[kind][name] ??= membersOf(whole, components);
  return {
    $ref: `#/components/${kind}/${name}`,
    ...(description !== whole.description && { description }),
  };
}

const membersOf = (node: object, components: Components): object =>
  Object.fromEntries(Object.entries(node).map(([name, one]) => [name, referring(one, components)]));

import type { ValueOf } from '../../base/schema.ts';
import { list, named, object, text, textUpTo } from '../openapi/schema.ts';
import { addClient, allClients } from '../oauth/oauth-clients.ts';
import type { ControlCall, Operations } from './control-call.ts';

const client = { clientId: 'PSDDE-BAFIN-125314', redirectUris: ['https://tpp.example/cb'] };

const Client = named('Client', object({ clientId: text(), redirectUris: list(text()) }));

const NewClient = named(
  'NewClient',
  object(
    { clientId: textUpTo(200, 'client_id, such as PSDDE-BAFIN-125314.') },
    { redirectUris: list(text(undefined, { maxLength: 2000 }), undefined, { maxItems: 20 }) },
  ),
);

/** Clients of the OAuth server. */
export const clients = {
  listClients: {
    at: 'GET /clients',
    summary: 'The clients of the OAuth server',
    about: 'Those of the bank, those that have called, and those that were registered.',
    gives: {
      status: 200,
      about: 'The clients.',
      schema: object({ clients: list(Client) }),
      example: { clients: [client] },
    },
    run: ({ books }) => ({ status: 200, body: { clients: allClients(books.ledger.main) } }),
  },
  addClient: {
    at: 'POST /clients',
    summary: 'Register a client, or more addresses of one',
    about: 'http addresses of this machine are good for every client.',
    takes: { schema: NewClient, example: client },
    gives: { status: 201, about: 'The client with all its addresses.', schema: Client, example: client },
    run({ books, body }: ControlCall<ValueOf<typeof NewClient>>) {
      return { status: 201, body: addClient(books.ledger.main, { redirectUris: [], ...body }) };
    },
  },
} as const satisfies Operations;

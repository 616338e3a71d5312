import { act } from './control-call.ts';
import type { ControlHandler } from './control-call.ts';

/** Clients of the OAuth server. */
export const clients = {
  listClients: async (call) => ({ status: 200, body: { clients: await act(call, { do: 'clients' }) } }),
  async addClient(call) {
    const { clientId, redirectUris = [] } = call.body as { clientId: string; redirectUris?: string[] };
    const added = await act(call, { do: 'add-client', client: { clientId, redirectUris } });
    return { status: 201, body: added as object };
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;

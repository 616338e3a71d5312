import { columnsOf, needed, rowSchema, rowsAs } from '../../../base/fields.ts';
import { list, text } from '../../../base/schema.ts';
import { several } from '../flags/flag-values.ts';
import type { Flags, OptionsOf, Registers, Run } from '../../command.ts';

const fields = {
  clientId: needed(text, 'CLIENT'),
  redirectUris: needed(list(text), 'ADDRESSES BESIDE THIS MACHINE'),
};

const flags = (command: Flags) =>
  command
    .argument('<id>', 'client_id, such as PSDDE-BAFIN-125314')
    .option('--redirect-uri <URL>', 'address to which the PSU may be sent back (several)', several);

export const register: Registers = {
  add: (command, start) =>
    start(
      flags(command),
      {
        prints: { name: 'bankClient', schema: rowSchema(fields) },
        about:
          'Register a client of the OAuth server of the bank inside. The bank knows the TPP of the profile sandbox, every TPP ' +
          'that has called it with its certificate, and the TPP-Redirect-URI of such calls; http addresses of this machine ' +
          'are good for every client.',
        examples: [
          'obk sandbox client add PSDDE-BAFIN-125314',
          'obk sandbox client add PSDDE-BAFIN-125314 --redirect-uri https://tpp.example/cb',
        ],
        more: ['obk sandbox client list', 'obk auth login --help'],
      },
      add,
    ),
  list: (command, start) =>
    start(
      command,
      { prints: rowsAs('bankClients', fields), examples: ['obk sandbox client list'] },
      async ({ ports: { bank } }) => ({
        kind: 'rows',
        columns: columnsOf(fields),
        rows: (await bank.control('listClients')).clients.map((client) => ({ ...client })),
        nameKey: 'clientId',
        empty: 'There is no client.',
      }),
    ),
};

const add: Run<OptionsOf<typeof flags>> = async (context, { id, redirectUri = [] }) => {
  const client = await context.ports.bank.control('addClient', {
    body: { clientId: id, redirectUris: redirectUri },
  });
  const { clientId, redirectUris } = client;
  return {
    kind: 'data',
    data: client,
    text: () => [`Registered: ${clientId}`, ...redirectUris].join('\n  '),
    name: clientId,
  };
};

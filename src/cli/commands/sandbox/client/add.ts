import type { Register, Run } from '../../../command.ts';
import { several } from '../../flags/flag-values.ts';

interface Options {
  id: string;
  redirectUri?: readonly string[];
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('add')
      .argument('<id>', 'client_id, such as PSDDE-BAFIN-125314')
      .option('--redirect-uri <URL>', 'address to which the PSU may be sent back (several)', several),
    {
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
    run,
  );

const run: Run<Options> = async (context, { id, redirectUri = [] }) => {
  const client = await context.ports.bank.addClient({ clientId: id, redirectUris: redirectUri });
  const { clientId, redirectUris } = client;
  return {
    kind: 'data',
    data: client,
    text: () => [`Registered: ${clientId}`, ...redirectUris].join('\n  '),
    name: clientId,
  };
};

import type { Register, Run } from '../../../command.ts';

interface Options {
  id: string;
  as?: string;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('revoke')
      .argument('<id>', 'consent')
      .option('--as <PSU-ID>', 'the customer who revokes; else the one whose consent it is'),
    {
      about: 'Revoke a valid consent in place of the customer, as on the page /consents of the bank inside',
      examples: ['obk sandbox psu revoke ID'],
      more: ['obk sandbox psu approve --help'],
    },
    run,
  );

const run: Run<Options> = async (context, { id, as }) => {
  const revoked = await context.ports.bank.revoke(id, as);
  return {
    kind: 'data',
    data: revoked,
    text: () => `Revoked: consent ${revoked.consentId} is ${revoked.consentStatus}.`,
    name: revoked.consentId,
  };
};

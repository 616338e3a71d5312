import type { Register, Run } from '../../../command.ts';
import { actOn } from '../by-id.ts';

interface Options {
  id: string;
  as?: string;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('revoke')
      .argument('<id>', 'consent, its first 6 or more characters, or @last')
      .option('--as <PSU-ID>', 'the customer who revokes; else the one whose consent it is'),
    {
      about: 'Revoke a valid consent in place of the customer, as on the page /consents of the bank inside',
      examples: ['obk sandbox psu revoke ID'],
      more: ['obk sandbox psu approve --help'],
    },
    run,
  );

const run: Run<Options> = async (context, { id, as }) => {
  const revoked = await actOn(context, { id, nouns: ['consent'] }, (whole) =>
    context.ports.bank.revoke(whole, as),
  );
  return {
    kind: 'data',
    data: revoked,
    text: () => `Revoked: consent ${revoked.consentId} is ${revoked.consentStatus}.`,
    name: revoked.consentId,
  };
};

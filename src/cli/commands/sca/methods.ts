import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { findAuthorisation } from '../../../client/authorisations/find-authorisation.ts';
import { chosenProfile } from '../run/with-target.ts';
import { nextOf, scaId } from './sca-id.ts';

const flags = (command: Flags) => scaId(command);

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the SCA methods that the bank has offered; asks nobody',
      examples: ['obk sca methods @last', 'obk sca methods -o name'],
      more: ['obk help sca select'],
    },
    run,
  );

const run: Run<Options> = async (context, { id }) => {
  const { name } = await chosenProfile(context);
  const found = await findAuthorisation({ name, ports: context.ports }, id);
  const { scaMethods = [], chosenScaMethod } = found.conversation ?? {};
  const chosenId = chosenScaMethod?.authenticationMethodId;
  const rows = scaMethods.map((method) => ({
    authenticationMethodId: method.authenticationMethodId,
    authenticationType: method.authenticationType,
    name: method.name ?? null,
    explanation: method.explanation ?? null,
    chosen: method.authenticationMethodId === chosenId,
  }));
  const only = chosenScaMethod === undefined ? [] : [{ ...chosenScaMethod, chosen: true }];
  return {
    kind: 'rows',
    columns: [
      { key: 'authenticationMethodId', title: 'METHOD' },
      { key: 'authenticationType', title: 'TYPE' },
      { key: 'name', title: 'NAME' },
      { key: 'chosen', title: 'CHOSEN' },
      { key: 'explanation', title: 'EXPLANATION', wide: true },
    ],
    rows: rows.length > 0 ? rows : only,
    nameKey: 'authenticationMethodId',
    empty: `The bank has offered no method for the ${found.resource.noun} ${found.resource.id}.`,
    next: nextOf(found),
  };
};

import type { Register, Run } from '../../command.ts';
import type { AccessToken } from '../../../settings/records/credentials.ts';
import { ago } from '../output/for-person.ts';
import { chosenProfile } from '../run/with-target.ts';
import { tokenDocument } from './token-document.ts';

export const register: Register = (command, start) =>
  start(
    command,
    {
      about: 'List the access tokens kept for a profile, never the tokens themselves; no bank is asked',
      examples: ['obk auth status', 'obk auth status --json'],
      exits: [3],
      more: ['obk help auth login', 'obk help auth refresh'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const { name } = await chosenProfile(context);
  const { tokens = [] } = await context.ports.credentials.read(name);
  const store = await context.ports.credentials.tokenStore(name);
  // In a keyring or a file is each token where it was kept, whatever the setting says of the next one.
  const placeOf = ({ inKeyring }: AccessToken) =>
    store === 'database' ? store : inKeyring === true ? 'keyring' : 'file';
  const now = context.ports.clock.now().toISOString();
  return {
    kind: 'rows',
    columns: [
      { key: 'kind', title: 'KIND' },
      { key: 'psuId', title: 'PSU' },
      { key: 'resource', title: 'FOR' },
      { key: 'scope', title: 'SCOPE' },
      { key: 'expiresAt', title: 'UNTIL', forPerson: ago(context.ports) },
      { key: 'state', title: 'STATE' },
      { key: 'sha256', title: 'SHA-256', spare: 2 },
      { key: 'stored', title: 'STORED', spare: 1 },
    ],
    rows: tokens.map((token) => {
      const document = tokenDocument(context, token, placeOf(token));
      const over = document.expiresAt !== null && document.expiresAt <= now;
      const state = !over ? 'good' : document.refreshable ? 'to be refreshed' : 'over';
      return { ...document, state, profile: name };
    }),
    nameKey: 'sha256',
    empty: `No access token is kept for the profile ${name}.`,
    next: tokens.length === 0 ? ['obk auth login'] : [],
  };
};

import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { ObkError } from '../../../base/errors.ts';
import { loginCommand, refresh } from '../../../client/oauth/refresh.ts';
import { loginOf } from '../../../client/oauth/tokens.ts';
import { usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { withTarget } from '../run/with-target.ts';
import { newTokenDocument } from './token-document.ts';

const flags = (command: Flags) => wireOptions(command);

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Get a new access token for the login of a PSU now; calls do so by themselves when it is due',
      usage: '[--psu-id ID]',
      examples: ['obk auth refresh --psu-id oauth-prestep'],
      exits: [4, 6, 7],
      more: ['obk help auth status', 'obk help auth login'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    if (options.dryRun === true)
      throw usageError('obk auth refresh has no --dry-run: it asks the OAuth server.');
    const login = loginOf(target.logins, target.psu.id);
    if (login === undefined) {
      throw new ObkError({
        code: 'AUTH_NEEDED',
        title: 'This PSU has not logged in with this profile.',
        hint: [loginCommand(target, target.psu.id === undefined ? {} : { psuId: target.psu.id })],
      });
    }
    const refreshed = await refresh(target, login);
    if ('why' in refreshed) throw refreshed.why;
    const document = await newTokenDocument(context, target.name, refreshed.token);
    return {
      kind: 'data',
      data: { profile: target.name, environment: target.environment, ...document },
      text: (style) =>
        style.good(`refreshed${document.expiresAt === null ? '' : `, until ${document.expiresAt}`}`),
    };
  });

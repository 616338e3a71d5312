import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { logOut } from '../../../client/oauth/logout.ts';
import type { Outcome } from '../../outcome.ts';
import { usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { chosenProfile, withTarget } from '../run/with-target.ts';

const flags = (command: Flags) =>
  wireOptions(
    command
      .optionsGroup('LOGOUT FLAGS')
      .option('--all', 'every PSU, and the tokens of payments and consents too'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Take the login of a PSU back at the bank where it can, and erase its tokens here in any case',
      usage: '[--psu-id ID]',
      examples: ['obk auth logout --psu-id oauth-prestep', 'obk auth logout --all'],
      exits: [3],
      more: ['obk help auth status'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  if (options.dryRun === true)
    throw usageError('obk auth logout has no --dry-run: it asks the OAuth server.');
  const all = options.all === true;
  try {
    return await withTarget(context, options, async (target) => {
      const { erased, revoked } = await logOut(target, all);
      return {
        kind: 'data',
        data: { profile: target.name, environment: target.environment, erased, revoked },
        text: () => `${String(erased)} erased here, ${String(revoked)} taken back at the bank`,
      };
    });
  } catch (error) {
    if (!all || !(error instanceof ObkError) || error.code !== 'TOKEN_STORE') throw error;
    return forget(context, error);
  }
};

/** Forgets tokens whose values are lost: the references to them go, and the bank is not told. */
async function forget(context: Context, { title, detail }: ObkError): Promise<Outcome> {
  const { name, profile } = await chosenProfile(context);
  context.ports.notices.warn(`${title} ${detail ?? ''}`.trim());
  await context.ports.credentials.forget(name);
  return {
    kind: 'data',
    data: { profile: name, environment: profile.environment, erased: null, revoked: 0 },
    text: () => 'forgotten here, nothing taken back at the bank',
  };
}

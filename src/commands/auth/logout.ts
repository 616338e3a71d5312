import { logOut } from '../../flows/logout.ts';
import { usageError } from '../flags.ts';
import { wireOptions } from '../global-options.ts';
import type { WireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { withTarget } from '../target.ts';

interface Options extends WireOptions {
  all?: boolean;
}

export const register: Register = (parent, start) =>
  start(
    wireOptions(
      parent
        .command('logout')
        .optionsGroup('LOGOUT FLAGS')
        .option('--all', 'every PSU, and the tokens of payments and consents too'),
    ),
    {
      about: 'Take the login of a PSU back at the bank where it can, and erase its tokens here in any case',
      usage: '[--psu-id ID]',
      examples: ['obk auth logout --psu-id oauth', 'obk auth logout --all'],
      exits: [3],
      more: ['obk help auth status'],
    },
    run,
  );

export const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    if (options.dryRun === true)
      throw usageError('obk auth logout has no --dry-run: it asks the OAuth server.');
    const { erased, revoked } = await logOut(target, options.all === true);
    return {
      kind: 'data',
      data: { profile: target.name, environment: target.environment, erased, revoked },
      text: () => `${String(erased)} erased here, ${String(revoked)} taken back at the bank`,
    };
  });

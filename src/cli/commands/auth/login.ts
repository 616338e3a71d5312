import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { exitCodes } from '../../../base/errors.ts';
import { finishCommand, logIn } from '../../../client/browser/login.ts';
import { usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { authoriseOptions, returnOption, waitOptions } from '../flags/sca-options.ts';
import { withTarget } from '../run/with-target.ts';
import { newTokenDocument } from './token-document.ts';

const flags = (command: Flags) =>
  wireOptions(
    returnOption(
      waitOptions(
        command
          .optionsGroup('LOGIN FLAGS')
          .option('--scope <SCOPE>', 'what the bank is asked for (PIS AIS, or that of the profile)'),
      ),
    ),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Log a PSU in at the OAuth server of the bank before any call; without a terminal it prints the link, and a second call finishes with the address that the browser ended at',
      usage: '[--psu-id ID]',
      examples: ['obk auth login --psu-id oauth-prestep --json   # prints where the PSU goes'],
      exits: [2, 4, 8, 9],
      more: ['obk help auth status', 'obk help references'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    if (options.dryRun === true)
      throw usageError('obk auth login has no --dry-run: it asks the OAuth server.');
    const { scope } = options;
    const { wait, timeoutMs, browser } = authoriseOptions(context, options, false);
    const ended = await logIn(target, { wait, timeoutMs, browser, ...defined({ scope }) });
    const head = { profile: target.name, environment: target.environment };
    if ('token' in ended) {
      const document = await newTokenDocument(context, target.name, ended.token);
      const whose = document.psuId === null ? '' : `${document.psuId} `;
      const until = document.expiresAt === null ? '' : `, until ${document.expiresAt}`;
      return {
        kind: 'data',
        data: { ...head, ...document },
        text: (style) =>
          style.good(`${whose}logged in at ${target.name} (${document.scope ?? 'no scope'}${until})`),
      };
    }
    const next = finishCommand(target);
    return {
      kind: 'data',
      data: { ...head, psuId: target.psu.id ?? null, url: ended.url, next },
      text: () => ended.url,
      next: [next],
      exit: ended.timedOut ? exitCodes.pending : exitCodes.ok,
    };
  });

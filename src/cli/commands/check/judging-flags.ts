import type { Flags } from '../../command.ts';
import { frameworkNames } from '../../../standard/xs2a/variants.ts';
import { oneOf, several } from '../flags/flag-values.ts';

/** The flags for calls that were made; `untold` says which version is taken without --framework. */
export const judgingFlags = <Own>(command: Flags<Own>, untold: string) =>
  command
    .option('--framework <V>', `version of the framework (${untold})`, oneOf('--framework', frameworkNames))
    .option(
      '--signature <NEED>',
      'required where the bank wants every request signed (optional)',
      oneOf('--signature', ['required', 'optional'] as const),
    )
    .option(
      '--trust <FILE>',
      'PEM file of the CAs of TPP certificates (several; else issuers are not tested)',
      several,
    );

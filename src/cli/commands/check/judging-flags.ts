import type { Command } from 'commander';
import { frameworkNames } from '../../../standard/xs2a/variants.ts';
import type { Framework } from '../../../standard/xs2a/variants.ts';
import { oneOf, several } from '../flags/flag-values.ts';

/** How calls that were made are judged. */
export interface JudgingOptions {
  framework?: Framework;
  signature?: 'required' | 'optional';
  trust?: readonly string[];
}

/** The flags for calls that were made; `untold` says which version is taken without --framework. */
export const judgingFlags = (command: Command, untold: string): Command =>
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

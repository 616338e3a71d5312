import type { Command, Option } from 'commander';
import type { Flags, OptionsOf } from '../../command.ts';
import type { Expected } from '../../context.ts';
import type { Environment } from '../../../settings/records/profile.ts';
import { exchangeParts } from '../../render/exchange.ts';
import { formats } from '../../render/format.ts';
import { parseUrl } from '../../../base/url.ts';
import { count, flagsIf, duration, oneOf, rate, usageError } from './flag-values.ts';
import { psuContext } from './psu-context.ts';

export const environments = ['sandbox', 'test', 'production'] as const satisfies readonly Environment[];

/** Adds the flags that every command takes. */
export function globalOptions(command: Command): Command {
  // `sandbox psu approve --as PSU-ID` means somebody, not something.
  const has = (flag: string) => command.options.some((option) => option.long === flag);
  const taken = has('--as');
  if (!has('--output')) {
    command
      .optionsGroup('GLOBAL FLAGS')
      .option('--output <FILE>', 'write the result to a file, whole or not at all');
  }
  if (!has('--force')) command.option('--force', 'let --output, --trace and reports replace any file');
  command
    .optionsGroup('GLOBAL FLAGS')
    .option('--profile <NAME>', 'profile to use (OBK_PROFILE)')
    .option(
      '--require-environment <E>',
      'stop with exit 3 unless the profile is of this environment: sandbox, test or production',
      oneOf('--require-environment', environments),
    )
    .option('--json', 'print the whole result as JSON')
    .option('--fields <LIST>', 'print these members as JSON: a,b.c')
    .option('--jq <EXPR>', 'filter the JSON; texts are printed without quotes')
    .option('--expect <NAME=VALUE>', 'exit 10 unless this member has this value (several)', expected)
    .option(
      // `obk report ID -o FILE` is where to, not how.
      (command.options.some(({ short }) => short === '-o') ? '' : '-o, ') +
        (taken ? '--format <FORMAT>' : '--as <FORMAT>'),
      `how to print: ${formats.join(', ')}`,
      oneOf('--as', formats),
    )
    .option('--meta', 'add request id, status and duration to JSON as _obk')
    .option('--plain', 'neither wrap nor cut what is shown')
    .addOption(saysNo(command, '--no-pager', 'show long texts without a pager (OBK_PAGER)'))
    .option('-q, --quiet', 'no notices on stderr; -qq no errors either', count)
    .option('-v, --verbose', 'show each call; -vv headers, -vvv bodies', count)
    .option('--print <PARTS>', `what of each call: ${partsText}`, parts)
    .option('--color <WHEN>', 'auto, always or never', oneOf('--color', ['auto', 'always', 'never']))
    .addOption(saysNo(command, '--no-input', 'never ask (OBK_NO_INPUT)'))
    .option(
      '--browser <WHEN>',
      'open links: auto, always or never (OBK_BROWSER)',
      oneOf('--browser', ['auto', 'always', 'never']),
    )
    .option('--trace <FILE.har>', 'write all calls to a HAR file, secrets cut out')
    .option('--report-junit <FILE>', 'write how it ended, and each --expect, as JUnit XML');
  // `sandbox log --findings` shows those that the bank has kept.
  if (!has('--findings'))
    command.option('--findings', 'judge each call, both sides; exit 10 where a rule is broken');
  return command
    .option('--curl', 'print each call as a curl command on stderr')
    .option('--debug', 'show the stack of an unexpected error (OBK_DEBUG)');
}

const partsText = 'H headers, B body; h, b of the answer; m more';

/** Reads --print HBhbm. */
function parts(text: string): string {
  if (text !== '' && [...text].every((letter) => exchangeParts.includes(letter))) return text;
  throw usageError(`--print takes letters of ${exchangeParts}; not ${JSON.stringify(text)}.`, '--print hb');
}

/** Reads --expect transactionStatus=ACSC. */
function expected(text: string, before: readonly Expected[] | undefined): readonly Expected[] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`--expect takes NAME=VALUE; not ${JSON.stringify(text)}.`);
  return [...(before ?? []), { path: text.slice(0, at), value: text.slice(at + 1) }];
}

/** A flag of its own name: the parser would make --no-input the opposite of --input FILE. */
function saysNo(command: Command, flag: string, description: string): Option {
  const option = command.createOption(flag, description);
  option.negate = false;
  return option;
}

/** Reads --send-credentials-to https://other.bank.example. */
function originOf(text: string, before: readonly string[] | undefined): readonly string[] {
  const url = parseUrl(text);
  if (url !== undefined && /^https?:$/.test(url.protocol)) return [...(before ?? []), url.origin];
  throw usageError(`--send-credentials-to takes an origin; not ${JSON.stringify(text)}.`, 'https://HOST');
}

/** Adds the flags of a command that calls the bank. */
export function wireOptions<Own>(own: Flags<Own>) {
  const command = own.optionsGroup('REQUEST FLAGS');
  const waits = command.options.some(({ long }) => long === '--timeout');
  return flagsIf(!waits, command, timeOption)
    .option('--dry-run', 'print the exact signed request and send nothing')
    .option('--request-id <UUID>', 'X-Request-ID of the first call')
    .option('--rate <N>', 'calls of one operation a minute (90), N/TIME, or off', rate('--rate'))
    .option('--base-url <URL>', 'instead of the address in the profile (OBK_BASE_URL)')
    .option(
      '--send-credentials-to <ORIGIN>',
      'let token, consent and password of the profile go there too (several)',
      originOf,
    )
    .option('--insecure', 'take any certificate of the bank; a sandbox or this machine only')
    .option('--psu-id <ID>', 'PSU-ID of the customer (OBK_PSU_ID)')
    .option('--psu-id-type <TYPE>', 'PSU-ID-Type (OBK_PSU_ID_TYPE)')
    .option('--psu-corporate-id <ID>', 'PSU-Corporate-ID (OBK_PSU_CORPORATE_ID)')
    .option('--psu-corporate-id-type <T>', 'PSU-Corporate-ID-Type (OBK_PSU_CORPORATE_ID_TYPE)')
    .option('--psu-ip <ADDRESS>', 'PSU-IP-Address: address of the customer (OBK_PSU_IP)')
    .option('--psu-context <NAME=VALUE>', 'further PSU- header, such as User-Agent (several)', psuContext);
}

const timeOption = <Own>(command: Flags<Own>) =>
  command.option('--timeout <DURATION>', 'longest time of a call (60s)', duration('--timeout'));

/** The options of a command that calls the bank. */
export type WireOptions = OptionsOf<typeof wireOptions> & {
  /** --timeout of the commands that lead a PSU: all waits together. */
  waitMs?: number;
  /** --wait of the same. */
  wait?: boolean;
};

/** The variables that name a bank; if one is set, the sandbox is never used by accident. */
export const connectionVariables = [
  'OBK_BASE_URL',
  'OBK_VERSION',
  'OBK_CERT',
  'OBK_KEY',
  'OBK_CACERT',
  'OBK_TLS_CERT',
  'OBK_TLS_KEY',
  'OBK_TOKEN',
];

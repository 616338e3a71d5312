import type { Command } from 'commander';
import { weakWords } from '../../../settings/profile/ciphers.ts';
import type { Flag, Row } from '../../../settings/profile/row.ts';
import { preferenceRows } from '../../../settings/profile/tpp.ts';
import { versionPath } from '../../../settings/profile/texts.ts';
import { checkIban } from '../../../standard/xs2a/check.ts';
import { checkHeaderValue } from '../../../standard/xs2a/headers.ts';
import { checkedUrl, checkedWeb } from './address-flags.ts';
import { duration, oneOf, oneOrNone, reference, severalOf, usageError } from './flag-values.ts';

/** Reads a flag that is yes or no. */
export const yesNo = (flag: string) => oneOf(flag, ['yes', 'no']);

/** Flags of what every profile has: none is empty. */
const needed = ['--environment', '--framework', '--prefix', '--surface'];

/** Adds the flag of a setting to a command. Its value is checked when it is typed; an empty one takes the setting away. */
export function settingOption(command: Command, row: Row & Partial<Flag>): Command {
  const { flag = '', takes = '', help = '' } = row;
  const read = (text: string) => (text === '' && !needed.includes(flag) ? '' : readSetting(row, text));
  const usage = `${flag} ${takes}`;
  switch (row.kind) {
    case 'choice':
      return command.option(usage, help, (needed.includes(flag) ? oneOf : oneOrNone)(flag, row.values));
    case 'yes-no':
      // The words stay: a preference without one is a yes.
      return command.option(usage, help, oneOrNone(flag, ['yes', 'no']));
    case 'list':
      return command.option(usage, help, severalOf(read));
    default:
      return command.option(usage, help, read);
  }
}

/** The value of a setting from the text of its flag; a path is as it was typed. Throws USAGE. */
export function readSetting(row: Row & Partial<Flag>, text: string): string | number | boolean {
  const { flag = '', kind } = row;
  const own = ownReaders[flag];
  if (own !== undefined) return own(text);
  const header = Object.values<Row>(preferenceRows).includes(row) ? row.header : undefined;
  switch (kind) {
    case 'choice':
      return oneOf(flag, row.values)(text);
    case 'yes-no':
      return yesNo(flag)(text) === 'yes';
    case 'duration':
      return duration(flag)(text);
    case 'reference':
      return reference(flag)(text);
    default:
      if (header !== undefined) return needHeaderValue(flag, header, text);
      return kind === 'url' ? checkedWeb(flag)(text) : text;
  }
}

/** What is read otherwise than others of its kind. */
const ownReaders: Readonly<Record<string, (text: string) => string>> = {
  '--base-url': checkedUrl('--base-url'),
  '--origin': checkedUrl('--origin'),
  '--prefix'(text) {
    const prefix = text.replace(/\/+$/, '');
    if (text !== '' && versionPath(prefix) === undefined) return prefix;
    throw usageError(
      `--prefix takes a path such as /v1; not ${JSON.stringify(text)}.`,
      '--prefix /   # where the bank has no version in its paths',
    );
  },
  '--debtor'(text) {
    const checked = checkIban(text);
    if (checked.ok) return checked.value;
    throw usageError(`--debtor ${JSON.stringify(text)}: ${checked.why}.`);
  },
  '--tls-ciphers'(list) {
    const bad = weakWords(list);
    if (bad === undefined) return list;
    throw usageError(`--tls-ciphers ${JSON.stringify(list.slice(0, 200))}: ${bad}`);
  },
  '--signer'(text) {
    if (/^cmd:(\/|[A-Za-z]:[\\/])/.test(text)) return text;
    throw usageError(
      `--signer takes cmd: and an absolute path; not ${JSON.stringify(text)}.`,
      '--signer "cmd:/usr/local/bin/sign --slot 1"',
    );
  },
};

/** The text as the header will be sent. Throws USAGE. */
export function needHeaderValue(flag: string, name: string, text: string): string {
  const checked = checkHeaderValue(name, text);
  if (checked.ok) return text;
  throw usageError(`${flag} ${JSON.stringify(text)}: ${checked.why}.`);
}

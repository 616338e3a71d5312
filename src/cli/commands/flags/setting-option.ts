import type { Flags } from '../../command.ts';
import { neededSettings, rowsByKey } from '../../../settings/profile/keys.ts';
import type { Flag, SettingRow } from '../../../settings/profile/row.ts';
import { preferenceRows } from '../../../settings/profile/tpp.ts';
import { checkHeaderValue } from '../../../standard/xs2a/headers.ts';
import { checkedWeb } from './address-flags.ts';
import { duration, oneOf, oneOrNone, reference, severalOf, usageError, yesNo } from './flag-values.ts';

/** The flags that are never empty. */
const needed = neededSettings.map((key) => rowsByKey.get(key)?.flag ?? '');

/** Reads the text of a flag. */
type Reader = (row: SettingRow & Partial<Flag>, text: string) => string | number | boolean;

/** Adds the flag of a setting to a command. Its value is checked when it is typed; an empty one takes the setting away. */
export function settingOption(
  command: Flags,
  row: SettingRow & Partial<Flag>,
  reader: Reader = readSetting,
): Flags {
  const { flag = '', takes = '', help = '' } = row;
  const read = (text: string) => (text === '' && !needed.includes(flag) ? '' : reader(row, text));
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
export function readSetting(row: SettingRow & Partial<Flag>, text: string): string | number | boolean {
  const { flag = '', kind } = row;
  const header = Object.values<SettingRow>(preferenceRows).includes(row) ? row.header : undefined;
  switch (kind) {
    case 'choice':
      return oneOf(flag, row.values)(text);
    case 'yes-no':
      return yesNo(flag)(text) === 'yes';
    case 'duration':
      return duration(flag)(text);
    case 'reference':
      return reference(flag)(text);
    case 'list':
      return readSetting({ ...row.of, flag }, text);
    default:
      if (header !== undefined) return needHeaderValue(flag, header, text);
      return kind === 'url' ? checkedWeb(flag)(text) : text;
  }
}

/** The text as the header will be sent. Throws USAGE. */
export function needHeaderValue(flag: string, name: string, text: string): string {
  const checked = checkHeaderValue(name, text);
  if (checked.ok) return text;
  throw usageError(`${flag} ${JSON.stringify(text)}: ${checked.why}.`);
}

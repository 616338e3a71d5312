import { weakWords } from '../../../settings/profile/ciphers.ts';
import type { Flag, SettingRow } from '../../../settings/profile/row.ts';
import { versionPath } from '../../../settings/profile/texts.ts';
import { checkIban } from '../../../standard/xs2a/check.ts';
import { checkedUrl } from '../flags/address-flags.ts';
import { usageError } from '../flags/flag-values.ts';
import { readSetting } from '../flags/setting-option.ts';

/** The value of a setting of a profile from the text of its flag; a path is as it was typed. Throws USAGE. */
export const readOwnSetting = (row: SettingRow & Partial<Flag>, text: string): string | number | boolean =>
  ownReaders[row.flag ?? '']?.(text) ?? readSetting(row, text);

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

import { bankRows } from './bank.ts';
import { check } from './check.ts';
import { group } from './row.ts';
import type { SettingFinding } from './finding.ts';
import { tppRows } from './tpp.ts';

/** Every setting of a profile, in the order in which they are set: some flags need an earlier one. */
export const profileRows = { ...tppRows, ...bankRows };

/** The settings of a profile as one row. */
export const profileRow = group(profileRows);

/** Why a setting of a profile is none of a bank. */
function ofProfile(name: string): string | undefined {
  if (name === 'extends')
    return 'There is no such setting of a bank: a file takes over another by meta.extends.';
  return Object.hasOwn(tppRows, name)
    ? 'There is no such setting of a bank: it is one of your profile (obk help profile edit).'
    : undefined;
}

/** The settings of a bank as one row, as the file of a bank holds them. */
export const bankRow = group(bankRows, [], { other: ofProfile });

/** Returns the findings about the settings of a profile, or of a bank alone; unknown names are errors. */
export function checkSettings(settings: unknown, of: 'profile' | 'bank'): readonly SettingFinding[] {
  return check(of === 'bank' ? bankRow : profileRow, settings, '');
}

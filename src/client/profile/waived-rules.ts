import { ObkError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import { answerRules } from '../../referee/answers/rules.ts';
import { refusalRules } from '../../referee/answers/refusals.ts';
import { rules } from '../../referee/rules.ts';
import { error } from '../../settings/profile/finding.ts';
import type { SettingFinding } from '../../settings/profile/finding.ts';

/** The rules that the reader of answers names, which a waiver silences there. */
const ofReader = ['required', 'type', 'id', 'framework', 'answer-tolerated'];
const names: readonly string[] = [
  ...[rules, answerRules, refusalRules].flatMap((table) => Object.keys(table)),
  ...ofReader,
];

/** Waivers for rules that there are not: they would take nothing, and nobody would hear of it. */
export function lintWaivers({ waivers = [] }: Pick<BankDescriptor, 'waivers'>): SettingFinding[] {
  return waivers.flatMap(({ rule }, index) => {
    if (names.includes(rule)) return [];
    const near = nearest(rule, names).slice(0, 3);
    const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
    return [
      error(
        `waivers[${String(index)}].rule`,
        `There is no rule ${rule}.${meant} obk check rules lists them.`,
      ),
    ];
  });
}

/** Throws PROFILE_INVALID where the description of a bank waives a rule that there is not. */
export function needKnownRules(bank: Pick<BankDescriptor, 'waivers'>, hint: string): void {
  const wrong = lintWaivers(bank);
  if (wrong.length === 0) return;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: 'The description of the bank waives a rule that there is not.',
    detail: wrong.map(({ setting, text }) => `${setting}: ${text}`).join('\n'),
    hint: [hint, 'obk check rules'],
  });
}

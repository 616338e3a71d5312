import { line } from '../../../../base/command-line.ts';
import type { BankScenario } from '../../../../settings/records/bank-state.ts';
import { nearest } from '../../../../base/nearest.ts';
import { usageError } from '../../flags/flag-values.ts';

/** The switch of this name; a near miss is named. */
export function findSwitch(all: readonly BankScenario[], name: string, command: string): BankScenario {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const near = nearest(
    name,
    all.map((one) => one.name),
  );
  throw usageError(
    `The bank inside has no switch ${JSON.stringify(name)}.`,
    ...near.map((meant) => line`obk sandbox scenario ${command.replace('NAME', meant).split(' ')}`),
    'obk sandbox scenario list',
  );
}

/** The meaning of a switch's value, in one sentence. */
export function meaningOf({ about, values }: BankScenario, value: string): string {
  return `${about} ${values.find((one) => one.value === value)?.meaning ?? ''}`.trim();
}

import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { text } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { CaseResult } from '../../../settings/records/check-run.ts';
import { twoRuns } from '../flags/two-runs.ts';
import { keptCheck } from './kept-checks.ts';

const fields = {
  case: needed(text, 'CASE'),
  before: needed(text, 'BEFORE'),
  after: needed(text, 'AFTER'),
};

const flags = (command: Flags) => twoRuns(command, 'check');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Compare two checks of a bank: what passed then and fails now, case by case',
      prints: rowsAs('checkDiff', fields, 'The cases of two checks of a bank that ended otherwise.'),
      examples: ['obk check diff @last-1', 'obk check diff @last-1 @last --json'],
      exits: [2],
      more: ['obk help check'],
    },
    run,
  );

const run: Run<Options> = async (context, { a, b }) => {
  const [before, after] = [await keptCheck(context, a), await keptCheck(context, b)];
  const was = new Map(before.cases.map((one) => [one.case, textOf(one)]));
  const is = new Map(after.cases.map((one) => [one.case, textOf(one)]));
  const rows = [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [from, to] = [was.get(name) ?? 'not run', is.get(name) ?? 'not run'];
    return from === to ? [] : [{ case: name, before: from, after: to }];
  });
  return {
    kind: 'rows',
    columns: columnsOf(fields),
    rows,
    nameKey: 'case',
    empty: `Nothing differs between ${before.run} and ${after.run}.`,
  };
};

/** How a case ended, with the rules that were broken and where: what was found there is not compared. */
function textOf({ verdict, findings }: CaseResult): string {
  const places = findings.map(({ rule, pointer }) => `${rule} ${pointer}`.trim());
  return [verdict, ...[...new Set(places)].sort()].join('; ');
}

import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { oneOf as oneOfThese, text } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { listedRules } from '../../../tester/check/rule-list.ts';
import { oneOf } from '../flags/flag-values.ts';

const flags = (command: Flags) =>
  command.option(
    '--side <SIDE>',
    'those for requests, or those for answers',
    oneOf('--side', ['request', 'answer'] as const),
  );

const fields = {
  rule: needed(text, 'RULE'),
  level: needed(oneOfThese('must', 'should', 'may'), 'LEVEL'),
  area: needed(text, 'AREA'),
  says: needed(text, 'WHAT IT SAYS'),
  source: needed(text),
  example: needed(text),
  side: needed(oneOfThese('request', 'answer')),
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the rules by which calls are judged; obk explain RULE tells of one',
      prints: rowsAs('rules', fields, 'The rules of the judge.'),
      examples: ['obk check rules --side answer', 'obk explain answer-link-missing'],
      more: ['obk help check', 'obk help explain'],
    },
    run,
  );

const run: Run<Options> = (_, { side }) =>
  Promise.resolve({
    kind: 'rows',
    columns: columnsOf(fields),
    rows: listedRules.filter((one) => side === undefined || one.side === side).map((one) => ({ ...one })),
    nameKey: 'rule',
    empty: 'There are no rules.',
  });

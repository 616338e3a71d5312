import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { findExchanges } from '../../../client/evidence/journal-runs.ts';
import { compareCalls } from '../../../client/evidence/log-diff.ts';
import type { ComparedCall } from '../../../client/evidence/log-diff.ts';
import type { Style } from '../../render/style.ts';

const flags = (command: Flags) =>
  command.argument('<a>', 'a run, @last-1, or the X-Request-ID of one call').argument('<b>', 'the other one');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Compare two calls or runs: line, headers, body by member, status; ids and times are folded',
      examples: ['obk log diff @last-1 @last', 'obk log diff @last-1 @last --jq .same'],
      exits: [3],
      more: ['obk help log list'],
    },
    run,
  );

const run: Run<Options> = async (context, { a, b }) => {
  const { journal } = context.ports;
  const [before, after] = [
    await findExchanges(journal, a, context.globals),
    await findExchanges(journal, b, context.globals),
  ];
  const calls = compareCalls(
    before.map(({ view }) => view),
    after.map(({ view }) => view),
  );
  const same = calls.every((call) => call.a !== null && call.b !== null && call.differences.length === 0);
  return {
    kind: 'data',
    data: { same, calls },
    text: (style) => calls.flatMap((call) => callLines(call, style)).join('\n'),
  };
};

function callLines({ operation, a, b, differences, folded }: ComparedCall, style: Style): string[] {
  const title = style.bold(cleanLine(operation));
  if (a === null) return [`${title}: only in B`];
  if (b === null) return [`${title}: only in A`];
  const known = folded === 0 ? '' : ` (${String(folded)} places differ in ids, times or signature only)`;
  if (differences.length === 0) return [`${title}: the same${known}`];
  const side = (mark: string, text: string | null) => (text === null ? [] : [`  ${mark} ${cleanLine(text)}`]);
  return [
    `${title}:${known}`,
    ...differences.flatMap((one) => [
      `  ${cleanLine(one.where)}`,
      ...side(style.bad('-'), one.a),
      ...side(style.good('+'), one.b),
    ]),
  ];
}

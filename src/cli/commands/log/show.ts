import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { findRuns } from '../../../client/evidence/journal-runs.ts';
import type { RunView } from '../../../client/evidence/journal-runs.ts';
import { exchangeText } from '../../render/exchange.ts';
import type { Style } from '../../render/style.ts';
import { foldFor } from '../../render/wrap.ts';
import { partsShown } from '../run/observe.ts';
import { whichCalls } from './id.ts';

const flags = (command: Flags) => whichCalls(command);

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show the calls of a run, or all about a payment; -vv headers, -vvv bodies, signing strings',
      examples: ['obk log show @last', 'obk log show @last -vvv', 'obk log show @failed -vvv'],
      exits: [3],
      more: ['obk log list', 'obk help pending'],
    },
    run,
  );

const run: Run<Options> = async (context, { id }) => {
  const found = await findRuns(context.ports.journal, id, context.globals);
  const runs = Array.isArray(found) ? found : [found];
  const parts = partsShown(context) ?? '';
  return {
    kind: 'data',
    data: found,
    text: (style) => runs.map((view) => runText(view, parts, style)).join('\n\n'),
    name: runs.map((view) => view.run).join('\n'),
  };
};

function runText(view: RunView, parts: string, style: Style): string {
  const facts = [
    view.startedAt,
    view.host === undefined || view.host === null ? '' : `on ${view.host}`,
    view.command ?? '',
    view.profile === null ? '' : `profile ${view.profile}`,
    view.insecure === true ? '--insecure' : '',
    view.exit === null ? 'not ended' : `exit ${view.exit}`,
  ];
  const lines = [
    `${style.bold(`Run ${cleanLine(view.run)}`)} · ${cleanLine(facts.filter((fact) => fact !== '').join(' · '))}`,
    ...(view.verdict === null ? [] : [style.bad(cleanLine(`Verdict: ${view.verdict}`))]),
    ...view.exchanges.map((exchange) =>
      [exchangeText(exchange, parts, style), ...(parts.includes('b') ? [] : messageLines(exchange))].join(
        '\n',
      ),
    ),
  ];
  // With its headers or bodies an exchange stays as it was sent.
  return parts === ''
    ? foldFor(
        style,
        lines.flatMap((line) => line.split('\n')),
      ).join('\n')
    : lines.join('\n\n');
}

const mostMessages = 10;

/** What the bank says in a refusal, a line for each message. */
const messageLines = ({ answer, outcome }: RunView['exchanges'][number]): string[] =>
  outcome === 'DONE'
    ? []
    : (answer?.messages ?? []).slice(0, mostMessages).map(({ code, path, text }) => {
        const words = [
          code ?? '',
          path === undefined ? '' : `at ${path}`,
          text === undefined ? '' : `— "${text}"`,
        ];
        return cleanLine(`  ${words.filter((word) => word !== '').join(' ')}`);
      });

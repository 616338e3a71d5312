import { findRuns } from '../../flows/log.ts';
import type { RunView } from '../../flows/log.ts';
import { exchangeText } from '../../render/exchange.ts';
import { cleanLine } from '../../render/foreign.ts';
import type { Style } from '../../render/style.ts';
import type { Register, Run } from '../register.ts';
import { whichCalls } from './id.ts';

interface Options {
  id: string;
  verbose?: number;
}

export const register: Register = (parent, start) =>
  start(
    whichCalls(parent.command('show')),
    {
      about: 'Show the calls of a run, or all about a payment; -vv headers, -vvv bodies, signing strings',
      examples: ['obk log show @last', 'obk log show @last -vvv'],
      exits: [3],
      more: ['obk log list', 'obk help pending'],
    },
    run,
  );

export const run: Run<Options> = async (context, { id, verbose = 1 }) => {
  const found = await findRuns(context.ports.journal, id);
  const runs = Array.isArray(found) ? found : [found];
  const detail = verbose >= 3 ? 3 : verbose === 2 ? 2 : 1;
  return {
    kind: 'data',
    data: found,
    text: (style) => runs.map((view) => runText(view, detail, style)).join('\n\n'),
    name: runs.map((view) => view.run).join('\n'),
  };
};

function runText(view: RunView, detail: 1 | 2 | 3, style: Style): string {
  const facts = [
    view.startedAt,
    view.command ?? '',
    view.profile === null ? '' : `profile ${view.profile}`,
    view.exit === null ? 'not ended' : `exit ${view.exit}`,
  ];
  return [
    `${style.bold(`Run ${cleanLine(view.run)}`)} · ${cleanLine(facts.filter((fact) => fact !== '').join(' · '))}`,
    ...view.exchanges.map((exchange) => exchangeText(exchange, detail, style)),
  ].join(detail === 1 ? '\n' : '\n\n');
}

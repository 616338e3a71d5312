import { pairedRatio } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';

const pairs = 25;

/** P1, P2 and P3: what is answered before anything is loaded, beside Node doing nothing. */
export async function startUp(machine: Machine): Promise<Figure[]> {
  const nothing = machine.node(['-e', '0']);
  const against = async (args: readonly string[], exit = 0): Promise<number> =>
    (await pairedRatio(machine.obk(args, exit), nothing, pairs)).ratio;
  return [
    { id: 'P1', what: 'obk --version / node -e 0', ratio: await against(['--version']), goal: 1.05 },
    { id: 'P2', what: 'obk --help / node -e 0', ratio: await against(['--help']), goal: 1.08 },
    {
      id: 'P2',
      what: 'obk payment init --help / node -e 0',
      ratio: await against(['payment', 'init', '--help']),
      goal: 1.08,
    },
    {
      id: 'P3',
      what: 'a TAB whose candidates are saved here / node -e 0',
      ratio: await against(['__complete', '--', 'payment', 'status', '']),
      goal: 1.12,
    },
    { id: 'P2', what: 'obk paiment (unknown) / node -e 0', ratio: await against(['paiment'], 2), goal: 1.08 },
  ];
}

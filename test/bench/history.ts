import { startExemptingBank } from '../helpers/exempting-bank.ts';
import { grownCopy } from '../helpers/grown-home.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import { benchEnv, pairedRatio } from './measure.ts';
import type { Timed } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';

const pairs = 9;
const commands: readonly (readonly [words: readonly string[], exit?: number])[] = [
  [['payment', 'list', '--limit', '20']],
  [['payment', 'status', '@last']],
  [['log', 'list']],
  [['log', 'list', '--status', '5xx']],
  [['log', 'show', '@failed'], 2],
  [['log', 'prune', '--older-than', '3650d', '--dry-run']],
  [['pending', 'list']],
  [['__complete', '--', 'payment', 'status', '']],
];

/** P16: what a history of 20,000 runs and payments costs, beside one of 1,000. */
export async function history(machine: Machine): Promise<Figure[]> {
  const bank = await startExemptingBank();
  const home = await payingHome(bank);
  const { code, stderr } = await home.pay('1.00', 'first');
  if (code !== 0) throw new Error(stderr);
  const [short, long] = [await grownCopy(home, 1000), await grownCopy(home, 20_000)];
  const of = (side: typeof short, args: readonly string[], exit = 0) => ({
    ...machine.obk(args, exit),
    env: benchEnv(side.env),
  });
  try {
    const figures: Figure[] = [];
    const measured = async (what: string, it: (side: typeof short) => Timed) => {
      const { ratio } = await pairedRatio(it(long), it(short), pairs);
      figures.push({ id: 'P16', what: `${what}, 20,000 runs / 1,000 runs`, ratio, goal: 1.5 });
    };
    for (const [words, exit] of commands) {
      const profile = words[0] === '__complete' ? [] : ['--profile', 'acme', '--json'];
      await measured(words.join(' '), (side) => of(side, [...words, ...profile], exit));
    }
    let paid = 2;
    await measured('payment init', (side) => {
      const next = of(side, []);
      // Each payment is another one.
      return {
        ...next,
        get argv(): typeof next.argv {
          paid += 1;
          return [...next.argv, ...payArgs(`${String(paid)}.00`, String(paid))];
        },
      };
    });
    return figures;
  } finally {
    for (const one of [home, short, long]) one.close();
    await bank.close();
  }
}

import { killCycles } from '../helpers/kill-cycles.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';

/** 300 payments, each killed at another moment. Tells whether the promise held. */
export async function kill(say: (line: string) => void, seed: number): Promise<boolean> {
  const bank = await startStandaloneBank();
  try {
    const { cycles, violations } = await killCycles(bank, { cycles: 300, seed });
    const unknown = cycles.filter((cycle) => cycle.exit === 12).length;
    const existing = cycles.filter((cycle) => cycle.before === 1).length;
    say(
      `kill -9: ${String(cycles.length)} cycles (seed ${String(seed)}), ${String(existing)} with the payment made before the kill, ` +
        `${String(unknown)} unknown, ${String(violations.length)} violations\n`,
    );
    for (const violation of violations) say(`  ${violation}\n`);
    return violations.length === 0;
  } finally {
    await bank.close();
  }
}

// `npm run campaign`: the promises with their full figures; `npm test` runs a part of each.
import { killCycles } from '../helpers/kill-cycles.ts';
import { startStandaloneBank } from '../helpers/standalone-bank.ts';

const seed = Number(process.argv[2] ?? 20_261_121);
const bank = await startStandaloneBank();
let failed = false;
try {
  const { cycles, violations } = await killCycles(bank, { cycles: 300, seed });
  const unknown = cycles.filter((cycle) => cycle.exit === 12).length;
  const existing = cycles.filter((cycle) => cycle.before === 1).length;
  process.stdout.write(
    `kill -9: ${String(cycles.length)} cycles (seed ${String(seed)}), ${String(existing)} with the payment made before the kill, ` +
      `${String(unknown)} unknown, ${String(violations.length)} violations\n`,
  );
  for (const violation of violations) process.stdout.write(`  ${violation}\n`);
  failed = violations.length > 0;
} finally {
  await bank.close();
}
if (failed) process.exitCode = 1;

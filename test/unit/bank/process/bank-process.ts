import { doorsFromFlags } from '../../../../src/settings/doors/read-doors.ts';
import { createBank } from '../../../../src/bank/index.ts';

/** A process with a bank of its own: `serve` until it is killed, `ensure` and wait for stdin to end, `ensure-and-end`. */
const [mode, stateDir = ''] = process.argv.slice(2);
const bank = createBank({ stateDir, clock: { now: () => new Date() } });
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
if (mode === 'serve') {
  await bank.serve({ doors: [doorsFromFlags({ port: 0 })], without: [] }, say, new AbortController().signal);
} else {
  say(await bank.ensure());
  if (mode === 'ensure') {
    process.stdin.on('end', () => {
      process.exitCode = 0;
    });
    process.stdin.resume();
  }
}

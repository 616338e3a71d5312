import type { Flags, OptionsOf, Register, Run } from '../../command.ts';

const flags = (command: Flags) =>
  command.argument('[move]', '+1d, +90m, +2w, +30s, +12h or a time to come; reset goes back to now');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show the clock of the bank inside or move it forward: dates come, timers run out',
      examples: ['obk sandbox clock', 'obk sandbox clock +1d', 'obk sandbox clock reset'],
      more: ['obk help sandbox scenario', 'obk help payment status'],
    },
    run,
  );

const run: Run<Options> = async (context, { move }) => {
  const { bank } = context.ports;
  const { now, movedMs } = await (move === undefined
    ? bank.control('getClock')
    : bank.control('moveClock', { body: moved(move) }));
  return {
    kind: 'data',
    data: { now, movedMs },
    text: () =>
      `The bank inside has ${now}${movedMs === 0 ? '' : `, ${durationText(movedMs)} ahead of this machine`}.`,
    name: now,
  };
};

/** What is no move by a number of units is for the bank to judge as a time. */
function moved(move: string): { reset: true } | { move: string } | { set: string } {
  if (move === 'reset') return { reset: true };
  return /^\+[0-9]{1,6}[smhdw]$/.test(move) ? { move } : { set: move };
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

function durationText(ms: number): string {
  let rest = ms;
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${String(count)}${unit}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}

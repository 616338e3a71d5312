import { paceEight } from '../helpers/counting-bank.ts';

const minute = 60_000;
const minutes = 5;
const pagesEach = 58;

/** Five minutes of eight processes at a bank that refuses the 101st call of a minute. Tells whether the promise held. */
export async function pace(say: (line: string) => void): Promise<boolean> {
  const { arrivals, refused, rows, complaints } = await paceEight(minute, pagesEach, (minutes + 2) * minute);
  const perMinute = arrivals.filter((at) => at < minutes * minute).length / minutes;
  const whole = rows.every((count) => count === pagesEach) && complaints === '';
  say(
    `pace: 8 processes, ${perMinute.toFixed(1)} calls a minute over ${String(minutes)} minutes, ` +
      `${String(refused)} times 429, ${whole ? 'every' : 'not every'} report whole\n${complaints}`,
  );
  return whole && refused === 0 && perMinute >= 85;
}

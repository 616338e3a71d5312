import type { StandingOrder } from '../../standard/xs2a/wire.ts';

const months: Readonly<Record<string, number>> = {
  Monthly: 1,
  EveryTwoMonths: 2,
  Quarterly: 3,
  SemiAnnual: 6,
  Annual: 12,
  MonthlyVariable: 1,
};
const days: Readonly<Record<string, number>> = { Daily: 1, Weekly: 7, EveryTwoWeeks: 14 };
const dayMs = 86_400_000;

/** The days (ISO dates) on which a standing order is executed, oldest first; without an end there is no last one. */
export function* executionDays(order: StandingOrder): Generator<string> {
  for (const day of plannedDays(order)) {
    if (order.endDate !== undefined && day > order.endDate) return;
    if (day >= order.startDate) yield onBankingDay(day, order.executionRule);
  }
}

function* plannedDays(order: StandingOrder): Generator<string> {
  const step = days[order.frequency];
  if (step !== undefined) {
    for (let at = Date.parse(order.startDate); ; at += step * dayMs) yield isoDate(at);
  }
  const [year = 0, month = 0, day = 0] = order.startDate.split('-').map(Number);
  const wanted = order.dayOfExecution === undefined ? day : Number(order.dayOfExecution);
  for (let n = month - 1; ; n += months[order.frequency] ?? 1) {
    if (order.monthsOfExecution?.map(Number).includes((n % 12) + 1) === false) continue;
    // Day 0 of the next month is the last day of this month; 31 means that day.
    const last = new Date(Date.UTC(year, n + 1, 0)).getUTCDate();
    yield isoDate(Date.UTC(year, n, Math.min(wanted, last)));
  }
}

/** Without a rule the bank executes on any day. */
function onBankingDay(day: string, rule: string | undefined): string {
  if (rule === undefined) return day;
  const weekday = new Date(day).getUTCDay();
  if (weekday !== 0 && weekday !== 6) return day;
  const shift = rule.startsWith('prec') ? (weekday === 6 ? -1 : -2) : weekday === 6 ? 2 : 1;
  return isoDate(Date.parse(day) + shift * dayMs);
}

const isoDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

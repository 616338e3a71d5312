import { cleanLine } from '../../base/clean.ts';
import type { LoadReport, LoadRow } from '../../settings/records/load-report.ts';
import type { Style } from './style.ts';
import { span } from './wrap.ts';

/** Milliseconds, exact where they are few. */
export const ms = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** How a load ended, in a few words. */
export function verdictOfLoad({ passed, failed, unknown, begun, notBegun, stopped }: LoadReport): string {
  const wrong = failed + unknown;
  return [
    `${String(passed)} of ${String(begun)} journeys passed`,
    ...(wrong > 0 ? [`${String(wrong)} failed`] : []),
    ...(notBegun > 0 ? [`${String(notBegun)} found no free user`] : []),
    ...(stopped === 'errors' ? ['stopped: too many failed'] : []),
    ...(stopped === 'interrupted' ? ['interrupted'] : []),
  ].join(', ');
}

const [leastWidth, longestName] = [24, 60];
const columns = ['p50', 'p90', 'p99', 'p999', 'max'] as const;

/** What a person reads after a load. */
export function loadLines(report: LoadReport, style: Style): string {
  const { journeys, operations, perSecond, failed, unknown, notBegun } = report;
  // Both tables under each other: operations have names of up to 56 letters, journeys those that their files give.
  const names = [...journeys, ...operations].map(({ name }) => cleanLine(name, longestName));
  const width = Math.max(leastWidth, ...names.map(span));
  const table = (title: string, rows: readonly LoadRow[]) => [
    style.bold(
      cells(width, title, [
        'ended',
        'failed',
        ...columns.map((name) => `${name.replace('p999', 'p99.9')} ms`),
      ]),
    ),
    ...rows.flatMap((row) => [
      cells(width, cleanLine(row.name, longestName), [
        String(row.ended),
        String(row.failed),
        ...columns.map((name) => (row.latencyMs === null ? '' : ms(row.latencyMs[name]))),
      ]),
      ...Object.entries(row.errors).map(([code, count]) =>
        style.bad(`    ${String(count)} × ${cleanLine(code, 100)}`),
      ),
    ]),
  ];
  const verdict = verdictOfLoad(report);
  return [
    ...table('journey', journeys),
    ...table('operation', operations),
    `${String(perSecond.journeys)} journeys and ${String(perSecond.calls)} calls a second`,
    failed + unknown + notBegun > 0 ? style.bad(verdict) : style.good(verdict),
  ].join('\n');
}

/** The widths of the numbers; those of the times are all alike. */
const [endedWidth, failedWidth, timeWidth] = [7, 6, 8];

const cells = (
  width: number,
  first: string,
  [ended = '', failed = '', ...times]: readonly string[],
): string =>
  [
    first + ' '.repeat(width - span(first)),
    ended.padStart(endedWidth),
    failed.padStart(failedWidth),
    ...times.map((one) => one.padStart(timeWidth)),
  ]
    .join(' ')
    .trimEnd();

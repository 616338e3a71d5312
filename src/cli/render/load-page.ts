import type { LoadMoment, LoadReport, LoadRow } from '../../settings/records/load-report.ts';
import { filePage, html, Html } from './html.ts';
import { ms, verdictOfLoad } from './load-lines.ts';
import { pageTable } from './page-table.ts';
import type { PageCell } from './page-table.ts';
import { ticketStyle } from './ticket-style.ts';

/** What a page about a load has besides the style of a report. */
const style = `
.num { font-variant-numeric: tabular-nums; } .found td { min-width: 3rem; }
@media (min-width: 60rem) { .num { text-align: right; } }
figure { margin: 1rem 0; } figcaption { color: var(--soft); }
.curves { border: 1px solid var(--line); background: var(--shade); }
.curves svg { display: block; width: 100%; height: 14rem; }
.curves path { fill: none; stroke-width: 2px; vector-effect: non-scaling-stroke; }
.curves .first { stroke: var(--link); } .curves .second { stroke: var(--ink); stroke-dasharray: 5 3; }
.curves .third { stroke: var(--bad); }
.key::before { content: ""; display: inline-block; width: 1.5rem; border-top: 2px solid; margin-right: .35rem;
  vertical-align: middle; }
.key { color: var(--ink); margin-right: 1rem; white-space: nowrap; }
.key.first::before { border-color: var(--link); } .key.second::before { border-top-style: dashed; }
.key.third::before { border-color: var(--bad); }
.scale { display: flex; justify-content: space-between; margin: .25rem 0; }
@media print { tr, figure { break-inside: avoid; } }
`;

/** A load as one HTML page without scripts or other files. */
export function loadHtml(report: LoadReport, { version }: { version: string }): string {
  const { run, at, profiles, arrivals, moments } = report;
  const title = verdictOfLoad(report);
  const { perSecond, forS, users, maxErrors } = arrivals;
  const facts: readonly (readonly [string, string])[] = [
    ['Profiles', profiles.join(', ')],
    ['Arrivals', `${String(perSecond)} a second for ${String(forS)} s, at most ${String(users)} at once`],
    ['Begun', `${String(report.begun)} of ${String(report.due)} that were due`],
    [
      'Ended',
      `${String(report.perSecond.journeys)} journeys and ${String(report.perSecond.calls)} calls a second`,
    ],
    ['Failed', `${String(report.failed + report.unknown)}, bound ${maxErrors}`],
  ];
  const main = html`<p class="soft">Run ${run}, ${at} (UTC), obk ${version}.</p>
    <dl>
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    ${moments.length === 0 ? null : curvesOf(report)}
    <h2>Latency</h2>
    <p class="soft">
      In milliseconds. A journey counts from the time at which it was due, also where it had to wait for a
      free user; a call counts from its sending, the first one of a journey from when that was due.
    </p>
    ${rowsOf('Journey', report.journeys)} ${rowsOf('Operation', report.operations)}
    ${errorsOf([...report.journeys, ...report.operations])}`;
  return filePage(title, main, { name: ' - obk load', style: `${ticketStyle}${style}` });
}

function curvesOf({ moments, tookS }: LoadReport): Html {
  const length = (at: number) => (moments[at]?.atS ?? 0) - (moments[at - 1]?.atS ?? 0) || 1;
  const curve = (name: string, value: (moment: LoadMoment, at: number) => number | null) => ({
    name,
    points: moments.map((moment, at) => ({ x: moment.atS, y: value(moment, at) })),
  });
  const rates = [
    curve('second', ({ due }, at) => due / length(at)),
    curve('first', ({ ended }, at) => ended / length(at)),
    curve('third', ({ failed }, at) => failed / length(at)),
  ];
  const latencies = [curve('second', ({ p99Ms }) => p99Ms), curve('first', ({ p50Ms }) => p50Ms)];
  const figure = (
    curves: readonly { name: string; points: { x: number; y: number | null }[] }[],
    words: { label: string; unit: string; names: Readonly<Record<string, string>> },
  ) => {
    const most = Math.max(0, ...curves.flatMap(({ points }) => points.map(({ y }) => y ?? 0)));
    return html`<figure>
      <div class="scale soft"><span>${ms(most)} ${words.unit}</span></div>
      <div class="curves">${loadDrawing(curves, { endS: tookS, most, label: words.label })}</div>
      <div class="scale soft"><span>0 s</span><span>${tookS} s</span></div>
      <figcaption>
        ${Object.entries(words.names).map(([name, text]) => html`<span class="key ${name}">${text}</span>`)}
      </figcaption>
    </figure>`;
  };
  return html`<h2>Journeys a second</h2>
    ${figure(rates, {
      label: 'Journeys that were due, ended and failed a second, over time',
      unit: 'a second',
      names: { second: 'due', first: 'ended', third: 'failed' },
    })}
    <h2>Latency of journeys over time</h2>
    ${figure(latencies, {
      label: 'Median and 99th percentile of the latency of journeys, over time',
      unit: 'ms',
      names: { first: 'median', second: '99 of 100 are faster' },
    })}`;
}

const columns = ['p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'] as const;

const rowsOf = (title: string, rows: readonly LoadRow[]): Html =>
  pageTable(
    [title, 'Ended', 'Failed', ...columns.map((name) => name.replace('p999', 'p99.9'))],
    rows.map(({ name, ended, failed, latencyMs }) => [
      name,
      ended,
      { content: failed, class: failed > 0 ? 'bad' : 'soft' },
      ...columns.map((key) => (latencyMs === null ? '' : ms(latencyMs[key]))),
    ]),
    1,
  );

function errorsOf(rows: readonly LoadRow[]): Html | null {
  const all = rows.flatMap(({ name, errors }) =>
    Object.entries(errors).map(([code, count]): PageCell[] => [name, { content: code, class: 'bad' }, count]),
  );
  if (all.length === 0) return null;
  return html`<h2>Errors</h2>
    ${pageTable(['Where', 'Code', 'Times'], all, 2)}`;
}

/** One curve: a value for each point of time, null where there is none. */
interface Curve {
  /** The class of its line. */
  name: string;
  points: readonly { x: number; y: number | null }[];
}

const [width, height, margin] = [1000, 300, 6] as const;

/** Draws curves from 0 to `most`, over the seconds from 0 to `endS`: without text, so that the drawing scales to any width. */
function loadDrawing(
  curves: readonly Curve[],
  { endS, most, label }: { endS: number; most: number; label: string },
): Html {
  const at = (part: number, room: number) => String(Math.round(part * room * 10) / 10);
  const place = (x: number, y: number) =>
    `${at(x / (endS || 1), width)} ${String(margin + Number(at(1 - y / (most || 1), height - 2 * margin)))}`;
  const lineOf = ({ points }: Curve) => {
    let isOpen = false;
    return points
      .map(({ x, y }) => {
        const step = y === null ? '' : `${isOpen ? 'L' : 'M'}${place(x, y)}`;
        isOpen = y !== null;
        return step;
      })
      .join('');
  };
  return html`<svg
    viewBox="0 0 ${width} ${height}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${curves.map((curve) => html`<path class="${curve.name}" d="${new Html(lineOf(curve))}" />`)}
  </svg>`;
}

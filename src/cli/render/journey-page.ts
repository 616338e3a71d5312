import type { JourneyResult, StepResult } from '../../settings/records/journey-run.ts';
import { pageTable } from './page-table.ts';
import { toJson } from './json.ts';
import type { Html } from './html.ts';
import { filePage, html } from './html.ts';
import { againOf, reasonsOf } from './journey-lines.ts';
import { ticketStyle } from './ticket-style.ts';

/** What a page of results is about. */
interface Made {
  at: string;
  version: string;
  run: string;
}

/** The journeys as one HTML page without scripts or other files; secrets are cut out already. */
export function journeyHtml(results: readonly JourneyResult[], { at, version, run }: Made): string {
  const passed = results.filter(({ verdict }) => verdict === 'passed').length;
  const title = `${String(passed)} of ${String(results.length)} journeys passed`;
  const main = html`<p class="soft">Run ${run}, ${at} (UTC), obk ${version}. Secrets are cut out.</p>
    ${pageTable(
      ['Journey', 'Profile', 'Verdict', 'Time'],
      results.map(({ journey, profile, verdict, durationMs }, index) => [
        { content: html`<a href="${`#j${String(index)}`}">${journey}</a>`, class: '' },
        profile,
        {
          content: verdict,
          class: verdict === 'passed' ? 'good' : verdict === 'skipped' ? 'soft' : 'bad',
        },
        `${(durationMs / 1000).toFixed(1)} s`,
      ]),
    )}
    ${results.map(journeySection)}`;
  return filePage(title, main, { name: ' - obk journeys', style: ticketStyle });
}

function journeySection({ journey, file, profile, steps, why }: JourneyResult, at: number): Html {
  return html`<h2 id="${`j${String(at)}`}">${journey}</h2>
    <p class="soft">${file}, profile ${profile}</p>
    ${why === undefined ? null : html`<p class="soft">${why}</p>`}
    ${steps.map((step) => stepDetails(step, profile))}`;
}

function stepDetails(step: StepResult, profile: string): Html {
  const { name, verdict, commandLine, checks, calls, findings = [] } = step;
  const ok = verdict === 'passed' || verdict === 'skipped';
  const inside = html`<summary>${ok ? '' : '✗ '}${name}: ${verdict}</summary>
    ${reasonsOf(step).map((one) => html`<p class="${ok ? 'soft' : 'bad'}">${one}</p>`)}
    ${ok && commandLine !== '' ? html`<pre>${commandLine}</pre>` : againOf(step, profile).map((one) => html`<pre>${one}</pre>`)}
    ${checks.length === 0 ? null : checkTable(step)} ${findings.length === 0 ? null : findingTable(findings)}
    ${calls.map(
      ({ method, url, status, requestId, facts }) =>
        html`<h3>${method} ${url}: ${status === null ? 'no answer' : String(status)}</h3>
          <p class="soft">X-Request-ID ${requestId}</p>
          ${ok ? null : html`<pre>${toJson(facts, { pretty: true })}</pre>`}`,
    )}`;
  return ok ? html`<details>${inside}</details>` : html`<details open="open">${inside}</details>`;
}

const checkTable = ({ checks }: StepResult): Html =>
  pageTable(
    ['What', 'Expected', 'Found'],
    checks.map(({ what, expected, is, ok }) => [what, expected, { content: is, class: ok ? 'good' : 'bad' }]),
  );

const findingTable = (findings: NonNullable<StepResult['findings']>): Html =>
  pageTable(
    ['Finding', 'Where', 'What is wrong'],
    findings.map(({ side, rule, level, place, pointer, what, why, source }) => [
      { content: `${level} ${rule}`, class: level === 'may' ? 'soft' : 'bad' },
      `${side} ${place} ${pointer}`.trim(),
      `${what} ${why} [${source}]`,
    ]),
  );

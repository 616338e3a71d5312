import type { CaseResult, CheckRun } from '../../settings/records/check-run.ts';
import { coverage } from './check-lines.ts';
import type { Html } from './html.ts';
import { filePage, html } from './html.ts';
import { pageTable } from './page-table.ts';
import type { PageCell } from './page-table.ts';
import { toJson } from './json.ts';
import { ticketStyle } from './ticket-style.ts';

/** A check as one HTML page without scripts or other files: findings on top, exchanges folded; secrets are cut out already. */
export function checkHtml(run: CheckRun, { version }: { version: string }): string {
  const { verdict, profile, framework, warnings, areas, cases, waivers, at } = run;
  const title = `${profile}: ${verdict}: ${coverage(cases)}`;
  const wrong = cases.filter(({ findings }) => findings.length > 0);
  const main = html`<p class="soft">
      Check ${run.run}, ${at} (UTC), framework ${framework}, obk ${version}. Secrets are cut out.
    </p>
    ${warnings.map((one) => html`<p class="bad">${one}</p>`)}
    <h2>Findings</h2>
    ${wrong.length === 0 ? html`<p>There are none.</p>` : findingTable(wrong)}
    <h2>Areas</h2>
    ${pageTable(
      ['Area', 'Verdict', 'Findings'],
      areas.map((one) => [one.area, verdictCell(one.verdict), String(one.findings)]),
    )}
    ${waivers.length === 0 ? null : html`<h2>Waivers</h2>`}
    ${
      waivers.length === 0
        ? null
        : pageTable(
            ['Rule', 'Reason', 'Issue', 'Owner', 'Until', 'Verdict'],
            waivers.map(({ rule, reason, issue = '', owner = '', until = '', verdict: own }) => [
              ...[rule, reason, issue, owner, until],
              verdictCell(own),
            ]),
          )
    }
    <h2>Cases</h2>
    ${cases.map(caseDetails)}`;
  return filePage(title, main, { name: ' - obk check', style: ticketStyle });
}

function findingTable(cases: readonly CaseResult[]): Html {
  return pageTable(
    ['Rule', 'Level', 'Operation', 'Place', 'What is wrong', 'What says so'],
    cases.flatMap(({ operation, findings }) =>
      findings.map(({ rule, level, place, pointer, what, why, source, waived }) => [
        ...[rule, level, operation, `${place} ${pointer}`.trim()],
        waived === undefined ? what : `${what} (waived: ${waived})`,
        `${why} [${source}]`,
      ]),
    ),
  );
}

const verdictCell = (verdict: string): PageCell => ({
  content: verdict,
  class:
    verdict === 'pass' || verdict === 'used'
      ? 'good'
      : /^(?:fail|expired|obsolete)$/.test(verdict)
        ? 'bad'
        : '',
});

function caseDetails({ case: name, about, operation, verdict, why, calls }: CaseResult): Html {
  return html`<details>
    <summary>${verdict === 'fail' ? '✗ ' : ''}${name}: ${verdict}</summary>
    <p class="soft">${about} ${operation}</p>
    ${why === undefined ? null : html`<p>${why}</p>`}
    ${calls.map(
      ({ method, url, status, requestId, facts }) =>
        html`<h3>${method} ${url}: ${status === null ? 'no answer' : String(status)}</h3>
          <p class="soft">X-Request-ID ${requestId}</p>
          ${facts === undefined ? null : html`<pre>${toJson(facts, { pretty: true })}</pre>`}`,
    )}
  </details>`;
}

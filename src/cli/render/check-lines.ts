import { cleanLine } from '../../base/clean.ts';
import type { CaseFinding, CaseResult, CheckRun } from '../../settings/records/check-run.ts';
import type { Style } from './style.ts';

const marks: Readonly<Record<CaseResult['verdict'], (style: Style) => string>> = {
  pass: (style) => style.good('✓'),
  fail: (style) => style.bad('✗'),
  waived: (style) => style.warn('~'),
  inconclusive: (style) => style.warn('?'),
  'not tested': (style) => style.dim('-'),
  'not applicable': (style) => style.dim('-'),
};

/** A case as it ended, on a line. */
export function caseLine({ case: name, verdict, why, operation }: CaseResult, style: Style): string {
  const reason = why === undefined ? '' : `: ${cleanLine(why, 200)}`;
  const end = verdict === 'pass' ? '' : ` ${verdict}${reason}`;
  return `${marks[verdict](style)} ${cleanLine(name)} ${style.dim(operation)}${end}`;
}

/** What is wrong where, and what says so. */
export function findingText({ rule, level, place, pointer, what, waived }: CaseFinding): string {
  const taken = waived === undefined ? '' : ` (waived: ${waived})`;
  return `${level} ${rule} ${place} ${pointer}`.trim() + `: ${what}${taken}`;
}

/** How much of a check the verdict covers. */
export function coverage(cases: CheckRun['cases']): string {
  const tried = cases.filter(({ verdict }) => verdict !== 'not tested' && verdict !== 'not applicable');
  return `${String(tried.length)} of ${String(cases.length)} tried`;
}

/** What a person reads at the end: warnings first, the areas, each case that did not pass, and the verdict. */
export function checkLines(run: CheckRun, style: Style): string {
  const { warnings, areas, cases, waivers, verdict, profile, framework } = run;
  const wrong = cases.filter((one) => one.verdict === 'fail' || one.findings.length > 0);
  const old = waivers.filter((one) => one.verdict === 'obsolete' || one.verdict === 'expired');
  const width = Math.max(...areas.map(({ area }) => area.length));
  const count = (wished: string) => cases.filter((one) => one.verdict === wished).length;
  const sums = ['pass', 'fail', 'waived', 'inconclusive', 'not tested', 'not applicable']
    .filter((one) => count(one) > 0)
    .map((one) => `${one}: ${String(count(one))}`);
  return [
    ...warnings.map((one) => style.warn(one)),
    ...areas.map(
      ({ area, verdict: own, findings }) =>
        `${area.padEnd(width)}  ${marks[own](style)} ${own}${findings === 0 ? '' : ` (${String(findings)})`}`,
    ),
    ...wrong.flatMap((one) => [
      caseLine(one, style),
      ...one.findings.map((finding) => `    ${cleanLine(findingText(finding), 800)}`),
    ]),
    ...old.map(
      ({ rule, reason, verdict: own }) =>
        `${style.bad('✗')} waiver ${own}: ${cleanLine(`${rule}, ${reason}`, 300)}`,
    ),
    `${cleanLine(profile)}, framework ${framework}: ${verdict === 'pass' ? style.good(verdict) : style.bad(verdict)}: ${coverage(cases)} (${sums.join(', ')})`,
  ].join('\n');
}

import { cleanLine } from '../../base/clean.ts';
import type { CaseResult, CheckRun } from '../../settings/records/check-run.ts';
import { findingText } from './check-lines.ts';
import { junitDocument } from './junit-xml.ts';
import type { JunitEnd } from './junit-xml.ts';

/** A check as JUnit XML: a suite for each area, a case for each of its own, and one suite for the waivers that fail. */
export function checkJunit({ at, cases, waivers, profile }: CheckRun): string {
  const old = waivers.filter(({ verdict }) => verdict === 'obsolete' || verdict === 'expired');
  const suites = [...new Set(cases.map(({ area }) => area))].map((name) => ({
    name,
    cases: cases.filter(({ area }) => area === name).map((one) => ({ name: one.case, end: endOf(one) })),
  }));
  const ofWaivers = old.map(({ rule, reason, verdict }) => ({
    name: rule,
    end: { kind: 'failure', message: cleanLine(`${verdict}: ${reason}`) } as const,
  }));
  if (ofWaivers.length > 0) suites.push({ name: 'waivers', cases: ofWaivers });
  return junitDocument(suites, { name: `check of ${profile}`, at });
}

function endOf({ verdict, why, findings }: CaseResult): JunitEnd | undefined {
  if (verdict === 'pass' || verdict === 'waived') return undefined;
  const message = cleanLine([why, ...findings.map(findingText)].filter(Boolean).join('; '), 2000);
  return verdict === 'fail'
    ? { kind: 'failure', message }
    : { kind: 'skipped', message: cleanLine(`${verdict}: ${message}`, 2000) };
}

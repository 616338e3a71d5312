import { cleanLine } from '../../base/clean.ts';
import { xml } from '../../standard/formats/xml/xml-writer.ts';
import type { XmlPiece } from '../../standard/formats/xml/xml-writer.ts';
import type { CaseResult, CheckRun } from '../../settings/records/check-run.ts';
import { findingText } from './check-lines.ts';

/** A check as JUnit XML: a suite for each area, a case for each of its own, and one suite for the waivers that fail. */
export function checkJunit({ at, cases, waivers, profile }: CheckRun): string {
  const old = waivers.filter(({ verdict }) => verdict === 'obsolete' || verdict === 'expired');
  const areas = [...new Set(cases.map(({ area }) => area))];
  const document = xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${cleanLine(`check of ${profile}`)}" tests="${String(cases.length + old.length)}" failures="${String(failed(cases) + old.length)}" errors="0" skipped="${String(skipped(cases))}" timestamp="${at}">
${areas.map((area) =>
  suite(
    area,
    cases.filter((one) => one.area === area),
  ),
)}${old.length === 0 ? undefined : oldWaivers(old)}</testsuites>
`;
  return document.text;
}

const failed = (cases: readonly CaseResult[]) => cases.filter(({ verdict }) => verdict === 'fail').length;
const skipped = (cases: readonly CaseResult[]) =>
  cases.filter(({ verdict }) => /^(inconclusive|not tested|not applicable)$/.test(verdict)).length;

function suite(area: string, cases: readonly CaseResult[]): XmlPiece {
  return xml`  <testsuite name="${area}" tests="${String(cases.length)}" failures="${String(failed(cases))}" errors="0" skipped="${String(skipped(cases))}">
${cases.map((one) => caseOf(area, one))}  </testsuite>
`;
}

function caseOf(area: string, { case: name, verdict, why, findings }: CaseResult): XmlPiece {
  const message = cleanLine([why, ...findings.map(findingText)].filter(Boolean).join('; '), 2000);
  const ending =
    verdict === 'fail'
      ? xml`<failure message="${message}"/>`
      : verdict === 'pass' || verdict === 'waived'
        ? undefined
        : xml`<skipped message="${cleanLine(`${verdict}: ${message}`, 2000)}"/>`;
  return xml`    <testcase classname="${area}" name="${cleanLine(name)}">${ending}</testcase>
`;
}

function oldWaivers(waivers: CheckRun['waivers']): XmlPiece {
  return xml`  <testsuite name="waivers" tests="${String(waivers.length)}" failures="${String(waivers.length)}" errors="0" skipped="0">
${waivers.map(
  ({
    rule,
    reason,
    verdict,
  }) => xml`    <testcase classname="waivers" name="${cleanLine(rule)}"><failure message="${cleanLine(`${verdict}: ${reason}`, 500)}"/></testcase>
`,
)}  </testsuite>
`;
}

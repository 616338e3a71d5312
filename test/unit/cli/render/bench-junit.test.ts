// JUnit files of checks and journeys with texts that a bank or a file has chosen: a CI server must be able to read them.
import { expect, it } from 'vitest';
import type { CheckRun } from '../../../../src/settings/records/check-run.ts';
import type { JourneyResult } from '../../../../src/settings/records/journey-run.ts';
import { checkJunit } from '../../../../src/cli/render/check-junit.ts';
import { journeyJunit } from '../../../../src/cli/render/journey-junit.ts';

const hostile = [
  ']]></failure><testcase name="x"/>',
  '"\'&<>',
  '\u0000\u0007\u001b[2J\uFFFE\uD800',
  '\u202e\n\r\t',
].join(' ');
const at = '2026-11-21T10:00:00.000Z';

const check: CheckRun = {
  ...{ run: 'r', profile: hostile, environment: 'sandbox', framework: '1.3.6', at, complete: true },
  ...{ verdict: 'fail', warnings: [], areas: [] },
  cases: [
    {
      ...{
        case: hostile,
        about: '',
        area: 'accounts',
        operation: 'getAccountList',
        verdict: 'fail',
        calls: [],
      },
      why: hostile,
      findings: [
        {
          ...{ side: 'answer', rule: 'answer-code', level: 'must', place: 'body', pointer: hostile },
          ...{ what: hostile, why: '', source: '' },
        },
      ],
    },
  ],
  waivers: [{ rule: 'answer-code', reason: hostile, verdict: 'obsolete' }],
};
const journey: JourneyResult = {
  ...{ journey: hostile, file: hostile, profile: hostile, tags: [], verdict: 'failed', at, durationMs: 1 },
  steps: [
    {
      ...{ name: hostile, line: 1, commandLine: `obk ${hostile}`, verdict: 'failed', why: hostile, exit: 1 },
      ...{
        durationMs: 1,
        tries: 1,
        checks: [{ what: hostile, expected: hostile, is: hostile, ok: false }],
        calls: [],
      },
    },
  ],
};

it.each([
  ['check', checkJunit(check), 2],
  ['journeys', journeyJunit([journey], { at }), 1],
])('a JUnit file of %s stays what it is', (_, text, count) => {
  // Characters that XML 1.0 does not have (2.2), and those that hide what stands there.
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\u202e]|\p{Surrogate}/u);
  expect(text.match(/<testcase /g)).toHaveLength(count);
  expect(text.match(/<failure /g)).toHaveLength(count);
  // No bare sign of markup is left but that of the writer.
  expect(
    text.replace(
      /<\/?[a-z]+(?: [a-z]+="[^"<>]*")*\/?>|<\?[^?]*\?>|&(?:amp|lt|gt|quot|apos|#\d+|#x[\dA-Fa-f]+);/g,
      '',
    ),
  ).not.toMatch(/[<>&]/);
});

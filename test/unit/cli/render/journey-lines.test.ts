import { describe, expect, it } from 'vitest';
import type { JourneyResult } from '../../../../src/settings/records/journey-run.ts';
import { annotationFormats, annotations, journeyLines } from '../../../../src/cli/render/journey-lines.ts';
import { plainStyle } from '../../../../src/cli/render/style.ts';

const hostile = 'x\n::error file=a::owned\n##vso[task.setvariable variable=a]b\n##teamcity[buildStatus]';
const result: JourneyResult = {
  journey: 'x',
  file: 'a.yaml',
  profile: 'p',
  tags: [],
  verdict: 'failed',
  at: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  steps: [
    {
      ...{
        name: 'y',
        line: 3,
        commandLine: 'obk version',
        verdict: 'failed',
        exit: 5,
        durationMs: 1,
        tries: 1,
      },
      checks: [{ what: 'body a', expected: 'b', is: hostile, ok: false }],
      error: { code: 'REFUSED', title: 'Refused.', detail: hostile },
      calls: [],
    },
  ],
};

describe('the report of journeys', () => {
  it('lets no text of a bank be a command to a CI server', () => {
    const lines = journeyLines([result], 0, plainStyle).split('\n');
    expect(lines.filter((line) => /^\s*::|##\w*\[/.test(line))).toEqual([]);
    expect(lines.join()).toContain('owned');
  });

  it.each(annotationFormats)('has one command for each failure in the annotations for %s', (format) => {
    const lines = annotations([result], format);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.split('\n')).toHaveLength(1);
    expect(lines[0]?.match(/##\w+\[/g) ?? []).toHaveLength(format === 'github' ? 0 : 1);
  });
});

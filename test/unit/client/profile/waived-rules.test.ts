import { describe, expect, it } from 'vitest';
import { listedRules } from '../../../../src/tester/check/rule-list.ts';
import { lintWaivers, needKnownRules } from '../../../../src/client/profile/waived-rules.ts';

const waivers = (...rules: readonly string[]) => ({
  waivers: rules.map((rule) => ({ rule, reason: 'known' })),
});

describe('the waivers of a profile', () => {
  it('may name every rule that is listed, and those of the reader of answers', () => {
    expect(lintWaivers(waivers(...listedRules.map(({ rule }) => rule), 'required', 'framework'))).toEqual([]);
  });

  it('are reported, with their place and a suggestion, where they name no rule', () => {
    expect(lintWaivers(waivers('answer-code', 'answer-cod'))).toEqual([
      expect.objectContaining({ setting: 'waivers[1].rule', severity: 'error' }),
    ]);
    expect(() => {
      needKnownRules(waivers('answer-cod'), 'obk bank lint bank.json');
    }).toThrow(
      expect.objectContaining({
        code: 'PROFILE_INVALID',
        detail: expect.stringMatching(/Did you mean answer-code\?/) as string,
      }) as Error,
    );
    expect(lintWaivers(waivers('xyz'))[0]?.text).toBe('There is no rule xyz. obk check rules lists them.');
  });
});

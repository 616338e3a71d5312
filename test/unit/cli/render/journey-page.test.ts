import { expect, it } from 'vitest';
import { journeyHtml } from '../../../../src/cli/render/journey-page.ts';

it('heads both of its tables, and cleans what it shows', () => {
  const check = { what: 'exit', expected: 'ok', is: '<b>', ok: false };
  const step = {
    ...{ name: 'pay', line: 3, commandLine: 'obk payment init', verdict: 'failed' as const, exit: 1 },
    ...{ durationMs: 1, tries: 1, checks: [check], calls: [] },
  };
  const journey = { journey: 'x', file: 'x.yaml', profile: 'sandbox', tags: [], verdict: 'failed' as const };
  const page = journeyHtml([{ ...journey, at: '2026-01-01', durationMs: 1, steps: [step] }], {
    ...{ at: '2026-01-01', version: '1', run: 'r' },
  });
  const heads = [...page.matchAll(/<th scope="col">([^<]+)<\/th>/g)].map(([, title]) => title);
  expect(heads).toEqual(['Journey', 'Profile', 'Verdict', 'Time', 'What', 'Expected', 'Found']);
  expect(page).toContain('&lt;b&gt;');
});

it('says why a journey was left out', () => {
  const why = 'the profile does not offer createSigningBasket';
  const journey = { journey: 'x', file: 'x.yaml', profile: 'sandbox', tags: [], verdict: 'skipped' as const };
  const page = journeyHtml([{ ...journey, at: '2026-01-01', durationMs: 0, steps: [], why }], {
    ...{ at: '2026-01-01', version: '1', run: 'r' },
  });
  expect(page).toContain(`<p class="soft">${why}</p>`);
});

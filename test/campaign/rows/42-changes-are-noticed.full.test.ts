import { afterAll, beforeAll, expect, it } from 'vitest';
import { trials } from '../../helpers/trials.ts';
import { openLaboratory } from '../mutants/stryker.ts';
import type { Laboratory } from '../mutants/stryker.ts';
import { subjects } from '../mutants/subjects.ts';

const row = trials('42', subjects.length);
const dueShare = 0.95;
let laboratory: Laboratory;
beforeAll(async () => {
  laboratory = await openLaboratory();
}, row.timeout(300_000));
afterAll(() => {
  laboratory.close();
});

it.each(subjects.slice(0, row.count))(
  'changes of $file are noticed',
  { timeout: row.timeout(900_000) },
  async (subject) => {
    const { file, changes, noticed, survivors } = await laboratory.mutate(subject);
    const share = noticed / changes;
    const list = survivors.map((one) => `${String(one.line)} ${one.mutator} ${one.replacement}`);
    row.report(
      `${file} ${(share * 100).toFixed(1)} % of ${String(changes)} changes` +
        (list.length === 0 ? '' : ` (survived: ${list.join('; ')})`),
      1,
    );
    expect(changes).toBeGreaterThan(0);
    expect(share, list.join('\n')).toBeGreaterThanOrEqual(dueShare);
  },
);

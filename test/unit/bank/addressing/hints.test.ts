import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HandledBank } from '../../../helpers/steered-bank.ts';
import { createBank } from '../../../helpers/steered-bank.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

/** What the bank advises reaches the commands from the ledger of this process and from another bank alike. */
let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({ name: 'shop', doors: { tenants: 'header:X-Tenant' } });
});
afterAll(() => bank.close());

const oldest = ['obk sandbox snapshot delete s0   # the oldest', 'obk sandbox snapshot list'];
const unknown = ['obk sandbox tenant list', "obk sandbox tenant create 'team b'"];
const fill = async (own: HandledBank) => {
  for (let number = 0; number < 20; number += 1) await own.snapshot('save', `s${String(number)}`);
};

it.each<[string, string | undefined, (own: HandledBank) => Promise<unknown>, readonly string[]]>([
  ['a snapshot too many', 'team-a', (own) => fill(own).then(() => own.snapshot('save', 'more')), oldest],
  [
    'a snapshot that is not there',
    'team-a',
    (own) => own.snapshot('restore', 'x'),
    ['obk sandbox snapshot list'],
  ],
  ['a tenant who has not called', 'team b', (own) => own.people(), unknown],
])('the hint on a bank is complete for %s', async (_, tenant, act, hint) => {
  const at = { clock: { now: () => new Date() }, stateDir: bank.stateDir, at: 'shop' };
  await createBank(at).tenant('create', 'team-a');
  const own = createBank({ ...at, ...(tenant !== undefined && { tenant }) });
  expect((await failedWith(act(own))).hint).toEqual(hint);
  await own.close();
});

it('the hint on a snapshot too many in the ledger of this process is complete', async () => {
  const own = createBank({ clock: { now: () => new Date() }, stateDir: `${bank.stateDir}-own` });
  expect((await failedWith(fill(own).then(() => own.snapshot('save', 'more')))).hint).toEqual(oldest);
  await own.close();
});

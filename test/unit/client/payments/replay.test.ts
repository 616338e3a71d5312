import { expect, it } from 'vitest';
import { buildPayment } from '../../../../src/client/orders/single-body.ts';
import { initiatePayment } from '../../../../src/client/payments/pay.ts';
import { findPending, listPending } from '../../../../src/client/payments/pending.ts';
import { prepareReplay, sendReplay } from '../../../../src/client/payments/replay.ts';
import { intentHash } from '../../../../src/client/resources/intent.ts';
import type { UnknownWrite } from '../../../../src/client/resources/unknown-writes.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import type { MemoryJournal } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';

it('a signature that is older than the bank allows is not sent again (signing.jws.maxAgeS)', async () => {
  const there = await world({ profile: { requestIdSemantics: 'replay' } });
  const at = there.clock.now().toISOString();
  const item: UnknownWrite = {
    ...{ kind: 'unknown', id: 'abc', run: 'r', exchange: 'e', operation: 'initiatePayment', at },
    ...{ requestId: 'x', bodySha256: 'y', detail: 'lost', next: 'obk pending show abc' },
  };
  await there.clock.sleep(61_000);
  const why = async (mode: 'jws' | 'cavage', maxAgeS: number) => {
    const { signing } = there.target;
    const target = { ...there.target, signing: { ...signing, mode, jws: { ...signing.jws, maxAgeS } } };
    const error: unknown = await prepareReplay(target, item).catch((thrown: unknown) => thrown);
    return String((error as { detail?: string }).detail);
  };
  expect(await why('jws', 60)).toContain('older than 60 s');
  expect(await why('jws', 3600)).toContain('exact bytes are not in the journal');
  expect(await why('cavage', 60)).toContain('exact bytes are not in the journal');
});

const fields = {
  ...{ debtor: 'DE40100100103307118608', creditorAccount: 'DE02100100109307118603' },
  ...{ creditorName: 'Shop', amount: '12.50' },
};
const place = '/v1/payments/sepa-credit-transfers';
const minute = 60_000;

/** A payment whose answer was lost, at a bank that knows an X-Request-ID again. */
async function lostPayment(payments: object = {}) {
  const there = await world({ profile: { requestIdSemantics: 'replay', payments } });
  const hash = intentHash('acme', 'k');
  there.http.expectFailure('POST', place, { sent: true, reason: 'reset' });
  const order = buildPayment({ service: 'payments', product: 'sepa-credit-transfers' }, fields, {
    intentHash: hash,
  });
  const intent = { hash, key: 'k', chosen: true, allowDuplicate: false };
  await failedWith(initiatePayment(there.target, order, { intent }));
  const found = async (id = hash) => {
    const item = await findPending(there.target.ports, 'acme', id);
    if (item.kind !== 'unknown') throw new Error('nothing unknown');
    return item;
  };
  return { there, found };
}

it('the time of a replay counts from the first sending, however often it was sent again since', async () => {
  const { there, found } = await lostPayment();
  const first = await found();
  await there.clock.sleep(40 * minute);
  there.http.expectFailure('POST', place, { sent: true, reason: 'reset' });
  await failedWith(sendReplay(there.target, await prepareReplay(there.target, first)));
  const listed = await listPending(there.target.ports, 'acme');
  expect(listed).toHaveLength(2);
  await there.clock.sleep(30 * minute);
  // By the id of either sending.
  for (const { id } of listed) {
    expect((await found(id)).at).toBe(first.at);
    const late = await failedWith(prepareReplay(there.target, await found(id)));
    expect(late.detail).toContain('more than 60 minutes ago');
  }
});

it('a bank description shortens the time of a replay, and never extends it beyond a day', async () => {
  const short = await lostPayment({ duplicateWindowMin: 5 });
  await short.there.clock.sleep(6 * minute);
  expect((await failedWith(prepareReplay(short.there.target, await short.found()))).detail).toContain(
    'more than 5 minutes',
  );
  const long = await lostPayment({ duplicateWindowMin: 100_000 });
  await long.there.clock.sleep(25 * 60 * minute);
  expect((await failedWith(prepareReplay(long.there.target, await long.found()))).detail).toContain(
    'more than 1440 minutes',
  );
});

it('a request that creates nothing is not sent again: the bank is asked what became of it', async () => {
  const { there, found } = await lostPayment();
  const error = await failedWith(
    prepareReplay(there.target, { ...(await found()), operation: 'cancelPayment' }),
  );
  expect(error.detail).toContain('Nothing was sent');
});

/** Why the payment is not sent again when `change` has been made to what the journal has of it. */
async function refused(change: (journal: MemoryJournal) => Pick<MemoryJournal, 'exact'> | undefined) {
  const { there, found } = await lostPayment();
  const item = await found();
  const { ports } = there.target;
  const journal = { ...there.journal, ...change(there.journal) };
  const error = await failedWith(prepareReplay({ ...there.target, ports: { ...ports, journal } }, item));
  expect(there.http.requests).toHaveLength(1);
  return error.detail;
}

it('a request that was not kept as it was sent is not sent again', async () => {
  const exactly = (part: object) => (journal: MemoryJournal) => ({
    exact: async (run: string, exchange: string) => {
      const exact = await journal.exact(run, exchange);
      return exact && { ...exact, ...part };
    },
  });
  expect(await refused(exactly({ body: '{"instructedAmount":"[secret]"}' }))).toContain('held a secret');
  expect(await refused(exactly({ headers: [['X-Api-Key', '[secret]']] }))).toContain('header X-Api-Key held');
  expect(await refused(() => ({ exact: async () => undefined }))).toContain('not in the journal any more');
});

it('a request sent in the future, by a clock that was put back, is not sent again', async () => {
  const { there, found } = await lostPayment();
  const item = await found();
  const at = new Date(there.clock.now().getTime() + 5 * minute).toISOString();
  expect((await failedWith(prepareReplay(there.target, { ...item, at }))).detail).toContain(
    'Nothing was sent',
  );
});

import { expect, it } from 'vitest';
import { prepareReplay } from '../../../../src/flows/payments/replay.ts';
import type { UnknownWrite } from '../../../../src/flows/resources/unknown-writes.ts';
import { world } from '../../../helpers/world.ts';

it('a signature that is older than the bank takes is not sent again (signing.jws.maxAgeS)', async () => {
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

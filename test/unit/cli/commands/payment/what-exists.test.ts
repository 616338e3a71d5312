import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answers, order, split, startWalk } from '../walk/walk.ts';
import type { Walk } from '../walk/walk.ts';

let walk: Walk;

beforeAll(async () => {
  walk = await startWalk();
});
afterAll(() => walk.close());

const faulty = async (fault: string, line: string) => {
  await walk.json(`sandbox fault add ${fault}`);
  return (await walk.run(split(line))).stderr;
};

describe('a payment in an error', () => {
  it.each([400, 401, 403, 405, 406, 415, 500])(
    'exists by no %i of an id that nobody has issued',
    async (status) => {
      const id = '11111111-2222-4333-8444-555555555555';
      const stderr = await faulty(
        `getPaymentInitiationStatus status ${String(status)} --count 3`,
        `payment status ${id} --service payments --product sepa-credit-transfers`,
      );
      await walk.json('sandbox fault clear');
      expect(stderr).toContain(`This is about the payment ${id}.`);
      expect(stderr).not.toMatch(/The payment .* exists/);
    },
  );

  it('exists by the answer to its initiation, and by a status that was read', async () => {
    const pay = `payment init ${order} --allow-duplicate --psu-id embedded-choice ${answers}`;
    expect(await faulty('startPaymentAuthorisation status 400', pay)).toMatch(
      /The payment \S+ exists \(RCVD\)/,
    );
    expect(await faulty('updatePaymentPsuData status 400', pay)).toMatch(
      /The payment \S+ exists \(last known status RCVD, authorisation \S+, psuAuthenticated\)/,
    );
  });
});

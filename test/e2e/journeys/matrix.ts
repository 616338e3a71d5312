import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../../src/standard/xs2a/variants.ts';
import { findingsIn } from '../../contract/journeys.ts';
import { checkExchange, hasOfficialFiles } from '../../helpers/contract.ts';
import { isWhole, part, ranTable } from '../../helpers/trials.ts';
import { startTraveller } from './traveller.ts';
import type { Ended, Traveller } from './traveller.ts';
import { confirmed, ways } from './ways.ts';
import type { Way } from './ways.ts';

/**
 * Every approach, started by the bank and by the TPP, for a payment and for its cancellation, with a happy and an unhappy end:
 * obk as a script runs it. Each journey is held against its exit code, the status that obk tells, and the books of
 * the bank; at the end every exchange of them all is judged by the official files (the method: requests.test.ts).
 */
export function journeys(variant: 'v1' | 'v136', by: 'built' | 'inside'): void {
  describe(variant, () => {
    let traveller: Traveller;
    beforeAll(async () => {
      traveller = await startTraveller(variant, by);
    });
    afterAll(() => traveller.close());

    const all = variant === 'v136' ? [...ways, ...confirmed] : ways;
    const each = all.map((way) => [`${way.psuId} (${way.approach}, ${way.start})`, way] as const);
    // What a process adds is the same for both starts of an approach; the others run within this one.
    const [alone, refusedAlone] = [part(all, 4, 0), part(all, 8, 0)];
    // Ends other than the happy one of a payment: both starts of each approach, in one variant or the other.
    const own = variant === 'v1' ? 0 : 1;
    const runOf = (way: Way, happy: boolean): Traveller =>
      (happy ? alone : refusedAlone).includes(way) ? traveller : { ...traveller, run: traveller.prepare };
    afterAll(() => {
      ranTable(`${String(all.length)} ways of ${variant}`);
    });

    describe('a payment', () => {
      it.each(each)('%s is authorised and booked once', async (_name, way) => {
        traveller.nextMinute();
        const paid = await authorised(runOf(way, true), way);
        expect(paid).toMatchObject({ code: 0, document: { transactionStatus: 'ACSC' } });
        expect(traveller.booked(paid.document.paymentId)).toEqual({ status: 'ACSC', bookings: 1 });
      });

      it.each(part(each, 2, own))('%s is refused and never booked', async (_name, way) => {
        traveller.nextMinute();
        const refused = await started(runOf(way, false), way, false);
        expect(refused.code).toBe(9);
        const { paymentId, transactionStatus } = refused.document;
        const open = way.approach === 'embedded';
        expect(transactionStatus).toBe(open ? 'RCVD' : 'RJCT');
        expect(traveller.booked(paymentId)).toEqual({ status: transactionStatus, bookings: 0 });
      });
    });

    describe('a cancellation', () => {
      beforeAll(() => {
        traveller.bank.scenario({ lifeCycle: 'next-day' });
      });

      it.each(part(each, 2, own + 1))(
        '%s is authorised, and the payment is never booked',
        async (_name, way) => {
          traveller.nextMinute();
          const { document } = await started(traveller, way, true, 'prepare');
          expect(document.transactionStatus).toBe('ACTC');
          const cancelled = await cancelling(runOf(way, true), way, document.paymentId, true);
          expect(cancelled).toMatchObject({ code: 0, document: { transactionStatus: 'CANC' } });
          expect(traveller.booked(document.paymentId)).toEqual({ status: 'CANC', bookings: 0 });
        },
      );

      it.each(part(each, 2, own))('%s is refused, and the payment stands', async (_name, way) => {
        traveller.nextMinute();
        const { document } = await started(traveller, way, true, 'prepare');
        const refused = await cancelling(runOf(way, false), way, document.paymentId, false);
        expect(refused.code).toBe(9);
        expect(refused.document.transactionStatus).toBe('ACTC');
        expect(traveller.booked(document.paymentId)).toEqual({ status: 'ACTC', bookings: 0 });
      });
    });

    it.skipIf(!hasOfficialFiles())('and all of it was as the official files say', () => {
      const exchanges = traveller.take();
      expect(exchanges.length).toBeGreaterThan(isWhole ? 250 : 120);
      expect(findingsIn(presets[variant], exchanges, checkExchange)).toEqual([]);
    });
  });
}

const authorised = (traveller: Traveller, way: Way) => started(traveller, way, true);

/** Starts a payment and leads it to the end that the PSU wants. */
async function started(
  traveller: Traveller,
  way: Way,
  happy: boolean,
  how: 'run' | 'prepare' = 'run',
): Promise<Ended> {
  const { flags, env } = traveller.as(way, !happy);
  const made = await traveller[how]([...traveller.pay(way), ...flags], env);
  return way.approach === 'embedded' ? made : elsewhere(traveller, way, made, happy, how);
}

async function cancelling(traveller: Traveller, way: Way, paymentId: string, happy: boolean): Promise<Ended> {
  const { flags, env } = traveller.as(way, !happy);
  const asked = await traveller.run(['payment', 'cancel', paymentId, ...flags], env);
  return way.approach === 'embedded' ? asked : elsewhere(traveller, way, asked, happy);
}

/** The first run has ended with the resource made; the PSU decides in the browser or on the phone, and a second run goes on. */
async function elsewhere(
  traveller: Traveller,
  way: Way,
  first: Ended,
  happy: boolean,
  how: 'run' | 'prepare' = 'run',
): Promise<Ended> {
  expect(first).toMatchObject({ document: { paymentId: expect.any(String) } });
  // A cancellation that is only begun is made, as a payment is.
  expect(first.code).toBe(0);
  const { paymentId, sca } = first.document;
  const inBrowser = way.approach !== 'decoupled';
  expect(sca.url).toEqual(inBrowser ? expect.any(String) : null);
  const decision = happy ? 'approve' : 'refuse';
  const { redirectedTo } = traveller.bank.decide(decision, inBrowser ? sca.url : paymentId, way.psuId);
  const back = way.approach === 'oauth' || way.confirmation === true ? ['--return-url-from', 'env:BACK'] : [];
  const env = { BACK: redirectedTo ?? '' };
  return traveller[how](['payment', 'authorise', paymentId, '--psu-id', way.psuId, ...back], env);
}

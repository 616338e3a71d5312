import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../../src/standard/xs2a/variants.ts';
import { findingsIn } from '../../contract/journeys.ts';
import { checkExchange, hasOfficialFiles } from '../../helpers/contract.ts';
import type { Exchange } from '../../helpers/contract.ts';
import { headerMap } from '../../helpers/contract-judge.ts';
import { isWhole, part, ranTable } from '../../helpers/trials.ts';
import { startTraveller } from './traveller.ts';
import type { Ended, Traveller } from './traveller.ts';
import { confirmed, ways } from './ways.ts';
import type { Way } from './ways.ts';

/**
 * Every approach at a bank at which the PSU logs in before any call (OAuth pre-step): payments, cancellations and consents
 * with a happy and an unhappy end. obk runs within this process; what a process adds, the journeys without tokens show.
 */
export function preStepJourneys(variant: 'v1' | 'v136'): void {
  describe(`${variant} after a login`, () => {
    let traveller: Traveller;
    const loggedIn = new Set<string>();
    const judged: Exchange[] = [];
    beforeAll(async () => {
      traveller = await startTraveller(variant);
      traveller.bank.scenario({ oauthPreStep: 'required', rateLimit: 'off' });
    });
    afterAll(() => traveller.close());

    const obk: Traveller['prepare'] = (args, env) => traveller.prepare(args, env);

    async function login(psuId: string, decision: 'approve' | 'refuse' = 'approve'): Promise<Ended> {
      const asked = await obk(['auth', 'login', '--psu-id', psuId]);
      expect(asked).toMatchObject({ code: 0, document: { psuId } });
      const { redirectedTo = '' } = traveller.bank.decide(decision, asked.document.url, psuId);
      const back = ['auth', 'login', '--psu-id', psuId, '--return-url-from', 'env:BACK'];
      return obk(back, { BACK: redirectedTo });
    }

    /** What a PSU starts, led to the end that they want; nobody is asked for a password. */
    async function leads(way: Way, start: readonly string[], happy: boolean): Promise<Ended> {
      if (!loggedIn.has(way.psuId))
        expect(await login(way.psuId)).toMatchObject({ code: 0, document: { kind: 'pre-step' } });
      loggedIn.add(way.psuId);
      const { flags, env } = traveller.as(way, !happy);
      const password = ['--psu-password-from', 'env:PASSWORD'];
      const own = flags.filter((flag) => !password.includes(flag));
      const first = await obk([...start, ...own], env);
      if (way.approach === 'embedded') return first;
      expect(first.code, first.stderr).toBe(0);
      const { paymentId, consentId, sca } = first.document;
      const noun = paymentId === undefined ? 'consent' : 'payment';
      const id = (paymentId ?? consentId) as string;
      const page = way.approach === 'decoupled' ? id : sca.url;
      const { redirectedTo } = traveller.bank.decide(happy ? 'approve' : 'refuse', page, way.psuId);
      const back = way.confirmation === true ? ['--return-url-from', 'env:BACK'] : [];
      const args = [noun, 'authorise', id, '--psu-id', way.psuId, ...back];
      return obk(args, { BACK: redirectedTo ?? '' });
    }

    const redirects = variant === 'v136' ? confirmed.filter(({ approach }) => approach === 'redirect') : [];
    const all = [...ways, ...redirects];
    const each = all.map((way) => [`${way.psuId} (${way.approach}, ${way.start})`, way] as const);
    // Who is exempted from SCA has nothing to refuse.
    const refusing = each.filter(([, { psuId }]) => !psuId.startsWith('embedded-none'));
    // Both starts of each approach, in one variant or the other.
    const own = variant === 'v1' ? 0 : 1;
    afterAll(() => {
      ranTable(`${String(each.length)} ways of ${variant} after a login`);
    });

    describe('a payment', () => {
      it.each(part(each, 3, own))('%s is authorised and booked once', async (_name, way) => {
        const paid = await leads(way, traveller.pay(way), true);
        expect(paid.document, paid.stderr).toMatchObject({ transactionStatus: 'ACSC' });
        expect(traveller.booked(paid.document.paymentId)).toEqual({ status: 'ACSC', bookings: 1 });
      });

      it.each(part(refusing, 3, own))('%s is refused and never booked', async (_name, way) => {
        const refused = await leads(way, traveller.pay(way), false);
        expect(refused.code, refused.stderr).toBe(9);
        const { paymentId, transactionStatus } = refused.document;
        expect(transactionStatus).toBe(way.approach === 'embedded' ? 'RCVD' : 'RJCT');
        expect(traveller.booked(paymentId)).toEqual({ status: transactionStatus, bookings: 0 });
      });

      it('of a PSU who will not log in is not made, and obk says what helps', async () => {
        const before = traveller.bank.payments().length;
        expect(await login('multicurrency', 'refuse')).toMatchObject({ code: 9 });
        const way: Way = { psuId: 'multicurrency', approach: 'redirect', start: 'implicit' };
        const refused = await obk([...traveller.pay(way), '--psu-id', 'multicurrency']);
        expect(refused.code).toBe(4);
        expect(JSON.parse(refused.stderr)).toMatchObject({
          error: { hint: ['obk auth login --profile traveller --psu-id multicurrency'] },
        });
        expect(traveller.bank.payments()).toHaveLength(before);
      });
    });

    describe('a consent', () => {
      const ask = ({ psuId }: Way) => {
        const iban = traveller.bank.person(psuId).accounts[0]?.iban ?? '';
        return ['consent', 'create', '--iban', iban, '--recurring'];
      };

      it.each(part(each, 3, own + 1))('%s is authorised, and accounts are read', async (_name, way) => {
        const made = await leads(way, ask(way), true);
        expect(made.document, made.stderr).toMatchObject({ consentStatus: 'valid' });
        const named = ['--psu-id', way.psuId, '--consent', made.document.consentId];
        const read = await obk(['accounts', ...named]);
        expect(read.document, read.stderr).toHaveLength(1);
      });

      it.each(part(refusing, 3, own + 1))('%s is refused', async (_name, way) => {
        const refused = await leads(way, ask(way), false);
        expect(refused.code, refused.stderr).toBe(9);
        const open = way.approach === 'embedded';
        expect(refused.document.consentStatus).toBe(open ? 'received' : 'rejected');
      });
    });

    describe('a cancellation', () => {
      beforeAll(() => {
        traveller.bank.scenario({ lifeCycle: 'next-day' });
      });

      it.each(part(each, 4, own))('%s is authorised, and the payment is never booked', async (_name, way) => {
        const { document } = await leads(way, traveller.pay(way), true);
        expect(document.transactionStatus).toBe('ACTC');
        const { paymentId } = document;
        const cancelled = await leads(way, ['payment', 'cancel', paymentId], true);
        expect(cancelled).toMatchObject({ code: 0, document: { transactionStatus: 'CANC' } });
        expect(traveller.booked(paymentId)).toEqual({ status: 'CANC', bookings: 0 });
      });

      it.each(part(refusing, 4, own + 1))('%s is refused, and the payment stands', async (_name, way) => {
        const { document } = await leads(way, traveller.pay(way), true);
        const refused = await leads(way, ['payment', 'cancel', document.paymentId], false);
        expect(refused).toMatchObject({ code: 9, document: { transactionStatus: 'ACTC' } });
        expect(traveller.booked(document.paymentId)).toEqual({ status: 'ACTC', bookings: 0 });
      });
    });

    it('and every call carried the token of its PSU, and no password', () => {
      const exchanges = traveller.take();
      const calls = exchanges.filter(({ path }) => path.startsWith(presets[variant].prefix));
      expect(calls.length).toBeGreaterThan(isWhole ? 200 : 40);
      const without = calls.filter((one) => !headerMap(one.requestHeaders).has('authorization'));
      expect(new Set(without.map(({ path, status }) => [path, status].join(' ')))).toEqual(
        new Set([`${presets[variant].prefix}/accounts 401`, ...refusedPayment(variant)]),
      );
      const named = calls.filter(
        (one) => headerMap(one.requestHeaders).has('psu-id') && !without.includes(one),
      );
      expect(named.length > 0).toBe(variant === 'v136');
      expect(calls.filter(({ requestBody }) => String(requestBody).includes('psuData'))).toEqual([]);
      // What asks the bank where its OAuth server is has no consent yet.
      judged.push(...exchanges.filter((one) => !(without.includes(one) && one.method === 'GET')));
    });

    it.skipIf(!hasOfficialFiles())('and all of it was as the official files say', () => {
      expect(judged.length).toBeGreaterThan(isWhole ? 200 : 40);
      expect(findingsIn(presets[variant], judged, checkExchange)).toEqual([]);
    });
  });
}

const refusedPayment = (variant: 'v1' | 'v136') => [
  `${presets[variant].prefix}/payments/sepa-credit-transfers 401`,
];

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../../src/standard/xs2a/variants.ts';
import { findingsIn } from '../../contract/journeys.ts';
import { checkExchange, hasOfficialFiles } from '../../helpers/contract.ts';
import { createObk } from '../../helpers/obk.ts';
import { startTraveller } from './traveller.ts';
import type { Ended, Traveller } from './traveller.ts';
import type { Way } from './ways.ts';

/** Payments and baskets that several PSUs must authorise, each in an authorisation and in a run of their own. */
export function severalPsus(variant: 'v1' | 'v136', by: 'built' | 'inside'): void {
  describe(variant, () => {
    let traveller: Traveller;
    const run: Traveller['run'] = (args, env) => traveller.run(args, env);

    beforeAll(async () => {
      traveller = await startTraveller(variant, by);
      traveller.bank.scenario({ surface: 'framework' });
      await traveller.obk.json(['profile', 'edit', 'traveller', '--surface', 'framework']);
    });
    afterAll(() => traveller.close());

    const way = (psuId: string, approach: Way['approach'], method?: string): Way => ({
      psuId,
      approach,
      start: 'explicit',
      ...(method === undefined ? {} : { method }),
    });
    const pairA = way('pair-a', 'embedded');
    const pairB = way('pair-b', 'redirect');
    const trioA = way('trio-a', 'embedded', 'chip');
    const trioB = way('trio-b', 'decoupled');

    async function started(payer: Way, more: readonly string[] = []): Promise<string> {
      traveller.nextMinute();
      const made = await run([...traveller.pay(payer), ...more]);
      expect(made).toMatchObject({ code: 0, document: { transactionStatus: 'RCVD' } });
      return made.document.paymentId;
    }

    function authorise(id: string, who: Way, how: Traveller['run'] = run): Promise<Ended> {
      const { flags, env } = traveller.as(who);
      return how(['payment', 'authorise', id, ...flags], env);
    }

    const ids = async (id: string): Promise<unknown[]> => {
      const { document } = await run(['payment', 'authorisations', id]);
      return document.map((row: { authorisationId: string }) => row.authorisationId);
    };

    describe('a payment of several PSUs', () => {
      it('two processes at once lose nothing of each other', async () => {
        const paymentId = await started(pairA);
        const [a, b] = await Promise.all([
          authorise(paymentId, pairA, traveller.alone),
          authorise(paymentId, pairB, traveller.alone),
        ]);
        expect(a).toMatchObject({
          code: 0,
          document: {
            transactionStatus: 'PATC',
            sca: { scaStatus: 'finalised' },
            authorisations: { done: 1 },
          },
        });
        expect(a.document.next).toBe(`obk payment authorise ${paymentId} --psu-id ID`);
        expect(b).toMatchObject({ code: 8, document: { sca: { approach: 'REDIRECT' } } });
        const own = [a, b].map(({ document }) => document.sca.authorisationId as unknown);
        expect(new Set(own)).toEqual(new Set(await ids(paymentId)));

        // Without a PSU-ID the run goes on with what is open, and without any secret of somebody else.
        traveller.bank.decide('approve', b.document.sca.url, 'pair-b');
        const last = await run(['payment', 'authorise', paymentId]);
        expect(last).toMatchObject({
          code: 0,
          document: { transactionStatus: 'ACSC', sca: { authorisationId: own[1] } },
        });
        // Who is done is done: nothing is started anew.
        const again = await authorise(paymentId, pairA);
        expect(again).toMatchObject({ code: 0, document: { sca: { authorisationId: own[0] } } });
        expect(await ids(paymentId)).toHaveLength(2);
        expect(traveller.booked(paymentId)).toEqual({ status: 'ACSC', bookings: 1 });
      });

      it('ends where the second of three refuses, and says so', async () => {
        const paymentId = await started(trioA);
        const first = await authorise(paymentId, trioA);
        expect(first).toMatchObject({ code: 0, document: { transactionStatus: 'PATC' } });
        const second = await authorise(paymentId, trioB);
        expect(second).toMatchObject({ code: 8, document: { sca: { approach: 'DECOUPLED' } } });
        traveller.bank.decide('refuse', paymentId, 'trio-b');
        const args = ['payment', 'authorise', paymentId, '--psu-id', 'trio-b'];
        const { code, stdout } = await traveller.obk.run(args);
        expect(code).toBe(9);
        expect(stdout).toContain('RJCT');
        expect(stdout).toContain('failed at the bank: the PSU refused');
        expect(stdout).toContain('cannot be authorised any more; a new one is needed');
        expect(traveller.booked(paymentId)).toEqual({ status: 'RJCT', bookings: 0 });
      });

      it('is gone on with from another machine, where nothing of it is saved', async () => {
        const paymentId = await started(pairA);
        await authorise(paymentId, pairA);
        const elsewhere = createObk({ CI: 'true', OBK_PROFILE: 'there' });
        try {
          const { baseUrl, certificatePath, keyPath } = traveller.bank;
          await elsewhere.json([
            ...['profile', 'create', 'there', '--variant', variant, '--environment', 'sandbox'],
            ...['--base-url', baseUrl, '--certificate', certificatePath, '--key', keyPath],
          ]);
          const args = [
            'payment',
            'authorise',
            paymentId,
            '--product',
            'sepa-credit-transfers',
            '--psu-id',
            'pair-b',
          ];
          const begun = await elsewhere.run([...args, '--json']);
          expect(begun.stderr).toContain(
            'The bank has 1 authorisation of this payment already; another one is started.',
          );
          expect(begun.code).toBe(8);
          traveller.bank.decide('approve', JSON.parse(begun.stdout).sca.url, 'pair-b');
          expect(await elsewhere.json(args)).toMatchObject({ transactionStatus: 'ACSC' });
        } finally {
          elsewhere.close();
        }
        // And the first machine sees it.
        const { document } = await run(['payment', 'authorise', paymentId]);
        expect(document).toMatchObject({ transactionStatus: 'ACSC' });
      });
    });

    describe('a signing basket', () => {
      const members = (one: string, two: string) => ['--payment', one, '--payment', two.slice(0, 8)];
      const payer = way('embedded-one', 'embedded');
      const explicit = ['--explicit', 'yes', '--authorise-later'];

      it('signs its payments by one authorisation, and shows where they stand', async () => {
        const [one, two] = [await started(payer, explicit), await started(payer, explicit)];
        const { flags, env } = traveller.as(payer);
        const made = await run(['basket', 'create', ...members(one, two), ...flags], env);
        expect(made).toMatchObject({
          code: 0,
          document: {
            transactionStatus: 'ACTC',
            paymentIds: [one, two],
            members: [
              { paymentId: one, transactionStatus: 'ACSC' },
              { paymentId: two, transactionStatus: 'ACSC' },
            ],
          },
        });
        const { basketId } = made.document;
        expect(traveller.booked(one)).toEqual({ status: 'ACSC', bookings: 1 });
        const listed = await run(['basket', 'list']);
        expect(listed.document).toMatchObject([{ basketId, members: 2, transactionStatus: 'ACTC' }]);
        expect((await run(['basket', 'get', '@last'])).document).toMatchObject({
          payments: [one, two],
        });
        const gone = await run(['basket', 'delete', basketId]);
        expect(gone.code).toBe(5);
        expect(gone.stderr).toContain('After its first authorisation a basket cannot be deleted');
      });

      it('signs consents as well', async () => {
        const { flags, env } = traveller.as(payer);
        const access = ['--iban', traveller.bank.person(payer.psuId).accounts[0]?.iban ?? ''];
        const ask = ['consent', 'create', ...access, ...explicit, '--psu-id', payer.psuId];
        const ids = [];
        for (let at = 0; at < 2; at += 1) ids.push((await run(ask)).document.consentId);
        const [one = '', two = ''] = ids as string[];
        const made = await run(['basket', 'create', '--consent', one, '--consent', two, ...flags], env);
        expect(made).toMatchObject({
          code: 0,
          document: { transactionStatus: 'ACTC', consentIds: [one, two] },
        });
        const status = await run(['consent', 'status', one]);
        expect(status.document).toMatchObject({ consentStatus: 'valid' });
      });

      it('that is refused leaves its payments free', async () => {
        const other = way('decoupled', 'decoupled');
        const [one, two] = [await started(other, explicit), await started(other, explicit)];
        const made = await run(['basket', 'create', ...members(one, two), '--psu-id', 'decoupled']);
        expect(made).toMatchObject({
          code: 0,
          document: { transactionStatus: 'RCVD', sca: { approach: 'DECOUPLED' } },
        });
        const { basketId } = made.document;
        const waiting = await run(['pending', 'list']);
        expect(waiting.document).toContainEqual(
          expect.objectContaining({ basketId, next: `obk basket authorise ${basketId}` }),
        );

        const blocked = await run(['basket', 'create', ...members(one, two), '--psu-id', 'decoupled']);
        expect(blocked.code).toBe(5);
        expect(JSON.parse(blocked.stderr).error).toMatchObject({
          tppMessages: [{ code: 'RESOURCE_BLOCKED' }],
          next: 'obk basket list',
        });

        traveller.bank.decide('refuse', basketId, 'decoupled');
        const refused = await run(['basket', 'authorise', basketId]);
        expect(refused).toMatchObject({
          code: 9,
          document: {
            transactionStatus: 'RJCT',
            members: [{ transactionStatus: 'RCVD' }, { transactionStatus: 'RCVD' }],
          },
        });
        const status = await run(['basket', 'status', basketId, '--exit-status', '--watch']);
        expect(status).toMatchObject({ code: 9, document: { transactionStatus: 'RJCT' } });
      });

      it('needs a profile of the framework, and says how', async () => {
        await traveller.obk.json(['profile', 'edit', 'traveller', '--surface', 'service']);
        const refused = await run(['basket', 'status', '@last']);
        expect(refused.code).toBe(2);
        expect(JSON.parse(refused.stderr).error.hint[0]).toContain(
          'obk profile edit traveller --surface framework',
        );
      });
    });

    it.skipIf(!hasOfficialFiles())('and all of it was as the official files say', () => {
      const exchanges = traveller.take();
      expect(exchanges.length).toBeGreaterThan(50);
      expect(findingsIn({ ...presets[variant], surface: 'framework' }, exchanges, checkExchange)).toEqual([]);
    });
  });
}

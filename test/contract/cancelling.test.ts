// How a cancellation ends, in every way in which banks answer it, with obk and the bank inside this process; each exchange is
// held against the official files.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOfficialFiles } from '../helpers/contract.ts';
import { sent, startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';
import { part, ranTable } from '../helpers/trials.ts';
import { inTurns } from '../helpers/turns.ts';

describe.each([
  ['v1', 0],
  ['v136', 1],
] as const)('a cancellation in %s', (variant, own) => {
  const turn = inTurns(2, own);
  let tpp: Tpp;
  beforeAll(async () => {
    tpp = await startTpp(variant, ['--redirect-uri', 'https://tpp.example/back']);
  });
  afterAll(async () => {
    ranTable(`cancellations in ${variant}`);
    await tpp.close();
  });

  const booked = (id: string) => tpp.bank.payments().find(({ paymentId }) => paymentId === id);

  turn('is done at once (204), and what is read afterwards says so', async () => {
    const id = await tpp.accepted('cancel-free');
    expect(await tpp.run(['payment', 'cancel', id])).toMatchObject({
      code: 0,
      document: { transactionStatus: 'CANC', sca: { of: 'cancellation', approach: null } },
    });
    expect(await tpp.run(['payment', 'status', id])).toMatchObject({
      code: 0,
      document: { transactionStatus: 'CANC' },
    });
  });

  it.each(part(['http-404', 'http-403'] as const, 2, own))(
    'is done where the payment is gone afterwards (%s)',
    async (after) => {
      tpp.bank.scenario({ afterCancellation: after });
      const free = await tpp.accepted('cancel-free');
      expect(await tpp.run(['payment', 'cancel', free])).toMatchObject({ code: 0 });
      const status = await tpp.run(['payment', 'status', free]);
      expect(status).toMatchObject({ code: 0, document: { transactionStatus: 'CANC' } });
      expect(status.stderr).toMatch(/RESOURCE_(UNKNOWN|EXPIRED)/);

      const id = await tpp.accepted('next-day');
      expect(await tpp.run(['payment', 'cancel', id], 'next-day')).toMatchObject({
        code: 0,
        document: { transactionStatus: 'CANC', sca: { scaStatus: 'finalised' } },
      });
      expect(booked(id)).toMatchObject({ status: 'CANC', bookings: 0 });
      tpp.bank.scenario({ afterCancellation: 'status' });
    },
  );

  turn('does not take a payment for cancelled that was never there', async () => {
    const place = ['--product', 'sepa-credit-transfers'];
    const never = '00000000-0000-4000-8000-000000000000';
    expect(await tpp.run(['payment', 'status', never, ...place])).toMatchObject({ code: 5, document: {} });
  });

  it.each(part(['redirect', 'decoupled', 'redirect-explicit'], 2, own))(
    'waits for the PSU where it is of %s (202)',
    async (psuId) => {
      tpp.bank.scenario({ lifeCycle: 'next-day' });
      const id = await tpp.accepted(psuId);
      const asked = await tpp.run(['payment', 'cancel', id], psuId);
      expect(asked).toMatchObject({ code: 0, document: { transactionStatus: 'ACTC' } });
      expect(await tpp.run(['payment', 'authorise', id], psuId)).toMatchObject({ code: 8 });
      tpp.bank.decide('approve', id, psuId);
      expect(await tpp.run(['payment', 'authorise', id], psuId)).toMatchObject({
        code: 0,
        document: { transactionStatus: 'CANC' },
      });
      tpp.bank.scenario({ lifeCycle: 'by-person' });
    },
  );

  turn(
    'of several PSUs goes on with the cancellation, whoever the PSU is, and never with the payment',
    async () => {
      tpp.bank.scenario({ lifeCycle: 'next-day' });
      const { document } = await tpp.pay('pair-a');
      const id = document.paymentId as string;
      const next = `obk payment authorise ${id} --psu-id ID`;
      await tpp.run(['payment', 'authorise', id], 'pair-b');
      tpp.bank.decide('approve', id, 'pair-b');
      const paid = await tpp.run(['payment', 'authorise', id, '--psu-id', 'pair-b']);
      expect(paid).toMatchObject({ code: 0, document: { transactionStatus: 'ACTC' } });

      const first = await tpp.run(['payment', 'cancel', id], 'pair-a');
      expect(first).toMatchObject({
        code: 8,
        document: {
          transactionStatus: 'ACTC',
          sca: { scaStatus: 'finalised' },
          authorisations: { done: 1, open: 0, listed: 1 },
          next,
        },
      });
      const again = await tpp.run(['payment', 'authorise', id, '--psu-id', 'pair-a']);
      expect(again).toMatchObject({ code: 8, document: { sca: first.document.sca as object, next } });
      tpp.take();
      const begun = await tpp.run(['payment', 'authorise', id], 'pair-b');
      expect(begun).toMatchObject({ code: 8, document: { sca: { approach: 'REDIRECT' } } });
      const posts = tpp.take().filter(({ method }) => method === 'POST');
      expect(posts.map(({ path }) => path.split('/').at(-1))).toEqual(['cancellation-authorisations']);
      expect(begun.document.next).toBe(`obk payment authorise ${id} --wait`);

      tpp.bank.decide('approve', begun.document.sca.url as string, 'pair-b');
      expect(await tpp.run(['payment', 'authorise', id, '--psu-id', 'pair-b'])).toMatchObject({
        code: 0,
        document: { transactionStatus: 'CANC' },
      });
      expect(booked(id)).toMatchObject({ status: 'CANC', bookings: 0 });
      tpp.bank.scenario({ lifeCycle: 'by-person' });
    },
  );

  turn('that is begun anew with --new is begun at the cancellation', async () => {
    tpp.bank.scenario({ lifeCycle: 'next-day' });
    const id = await tpp.accepted('redirect-explicit');
    await tpp.run(['payment', 'cancel', id], 'redirect-explicit');
    tpp.take();
    const anew = await tpp.run(['payment', 'authorise', id, '--new'], 'redirect-explicit');
    expect(anew).toMatchObject({ code: 8, document: { transactionStatus: 'ACTC' } });
    const [post] = tpp.take().filter(({ method }) => method === 'POST');
    expect(post?.path).toMatch(/\/cancellation-authorisations$/);
    tpp.bank.scenario({ lifeCycle: 'by-person' });
  });

  it.each(['http-405', 'http-400'] as const)('is an answer where it is impossible (%s)', async (how) => {
    tpp.bank.scenario({ cancellationRefusal: how });
    const id = await tpp.accepted('cancel-impossible');
    expect(await tpp.run(['payment', 'cancel', id])).toMatchObject({
      code: 9,
      document: {
        paymentId: id,
        code: 'CANCELLATION_INVALID',
        tppMessages: [{ code: 'CANCELLATION_INVALID' }],
        next: `obk payment get ${id}`,
      },
    });
    expect(booked(id)).toMatchObject({ status: 'ACTC' });
  });

  it('starts without a body in v1 unless a link asks for one, and repeats the redirect addresses', async () => {
    const nok = ['--nok-redirect-uri', 'https://tpp.example/nok'];
    tpp.bank.scenario({ lifeCycle: 'next-day' });
    tpp.take();
    for (const psuId of ['redirect-explicit', 'embedded-one']) {
      const { document } = await tpp.pay(psuId, ...nok);
      if (document.transactionStatus === 'RCVD') {
        tpp.bank.decide('approve', document.paymentId, psuId);
        await tpp.run(['payment', 'authorise', document.paymentId], psuId);
      }
      await tpp.run(['payment', 'cancel', document.paymentId], psuId);
      const made = tpp.take();
      const start = made.find(
        ({ method, path }) => method === 'POST' && path.endsWith('/cancellation-authorisations'),
      );
      const body = start?.requestBody.toString();
      if (psuId === 'embedded-one') expect(body).toContain('psuData');
      else expect(body).toBe(variant === 'v1' ? '' : '{}');
      for (const one of made.filter(({ method }) => method !== 'GET' && method !== 'PUT')) {
        // The older framework has forgotten them there: they go only where a redirect may follow.
        if (variant === 'v1' && psuId === 'embedded-one' && one.method === 'DELETE') {
          expect(sent(one, 'TPP-Redirect-URI')).toBeUndefined();
          continue;
        }
        expect(sent(one, 'TPP-Redirect-URI')).toBe('https://tpp.example/back');
        expect(sent(one, 'TPP-Nok-Redirect-URI')).toBe('https://tpp.example/nok');
      }
    }
    tpp.bank.scenario({ lifeCycle: 'by-person' });
  });

  it('carries its preferences as far as the framework has them', async () => {
    tpp.bank.scenario({ lifeCycle: 'next-day' });
    const id = await tpp.accepted('embedded-choice');
    tpp.take();
    const explicit = await tpp.run(['payment', 'cancel', id, '--explicit', 'yes', '--redirect', 'no']);
    const [remove] = tpp.take();
    if (variant === 'v1') {
      expect(explicit).toMatchObject({ code: 2, document: {} });
      expect(explicit.stderr).toContain('TPP-Explicit-Authorisation-Preferred cannot be sent here');
      expect(remove).toBeUndefined();
      await tpp.run(['payment', 'cancel', id, '--redirect', 'no']);
      expect(sent(tpp.take()[0], 'TPP-Redirect-Preferred')).toBe('false');
    } else {
      expect(explicit).toMatchObject({ code: 0 });
      expect(sent(remove, 'TPP-Explicit-Authorisation-Preferred')).toBe('true');
      expect(sent(remove, 'TPP-Redirect-Preferred')).toBe('false');
    }
    tpp.bank.scenario({ lifeCycle: 'by-person' });
  });

  it.skipIf(!hasOfficialFiles())('is as the official files say', () => {
    // The switch of the bank is there because real banks refuse with 400 what the files have at 405.
    expect(tpp.findings()).toEqual([
      expect.stringMatching(/^DELETE \S+ 400: answer \/tppMessages\/0\/code enum: /),
      expect.stringMatching(
        /^DELETE \S+ 400: .*CANCELLATION_INVALID does not come with 400 of cancelPayment$/,
      ),
    ]);
  });
});

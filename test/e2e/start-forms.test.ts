import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { part, ranTable } from '../helpers/trials.ts';
import { startTraveller } from './journeys/traveller.ts';
import type { Ended, Traveller } from './journeys/traveller.ts';

/**
 * Each way in which an authorisation starts, used by obk as a script runs it: for a payment, its cancellation, a consent and
 * a basket, in both variants and in the spellings of the standard and of the service. How often obk has called the
 * operations of the authorisation proves that it took the form, and no other way round.
 */
const kinds = ['payment', 'cancellation', 'consent', 'basket'] as const;
type Kind = (typeof kinds)[number];

interface Form {
  psuId: string;
  /** The calls of the authorisation: how many start it, and how many go on. */
  calls: [starts: number, updates: number];
  /** The PSU acts elsewhere, and a second run goes on. */
  elsewhere?: true;
  flags?: string[];
}
const password = ['--psu-password-from', 'env:PASSWORD'];
const otp = ['--otp-from', 'env:OTP'];
const forms: Readonly<Record<string, Form>> = {
  scaRedirect: { psuId: 'redirect', calls: [0, 0], elsewhere: true },
  scaOAuth: { psuId: 'oauth', calls: [0, 0], elsewhere: true },
  startAuthorisation: { psuId: 'redirect-explicit', calls: [1, 0], elsewhere: true },
  startAuthorisationWithPsuIdentification: {
    psuId: 'embedded-one',
    calls: [1, 2],
    flags: [...password, ...otp],
  },
  startAuthorisationWithPsuAuthentication: {
    psuId: 'embedded-one',
    calls: [1, 1],
    flags: [...password, ...otp],
  },
  startAuthorisationWithEncryptedPsuAuthentication: {
    psuId: 'embedded-encrypted',
    calls: [1, 1],
    flags: [...password, ...otp],
  },
  startAuthorisationWithAuthenticationMethodSelection: {
    psuId: 'embedded-method-first',
    calls: [1, 1],
    flags: ['--sca-method', 'chip', ...otp],
  },
  startAuthorisationWithTransactionAuthorisation: {
    psuId: 'embedded-otp-first',
    calls: [1, 0],
    flags: otp,
  },
};

const operations: Readonly<Record<Kind, readonly [start: string, update: string]>> = {
  payment: ['startPaymentAuthorisation', 'updatePaymentPsuData'],
  cancellation: ['startPaymentInitiationCancellationAuthorisation', 'updatePaymentCancellationPsuData'],
  consent: ['startConsentAuthorisation', 'updateConsentsPsuData'],
  basket: ['startSigningBasketAuthorisation', 'updateSigningBasketPsuData'],
};

describe.each(['v1', 'v136'] as const)('%s', (variant) => {
  let traveller: Traveller;
  beforeAll(async () => {
    traveller = await startTraveller(variant, 'inside');
    traveller.bank.scenario({ surface: 'framework', lifeCycle: 'next-day' });
    const key = join(traveller.obk.folder, 'bank.jwk');
    writeFileSync(key, await traveller.bank.bank.passwordKey());
    const settings = ['--surface', 'framework', '--psu-password-key', key];
    await traveller.prepare(['profile', 'edit', 'traveller', ...settings]);
  });
  beforeEach(() => {
    traveller.nextMinute();
  });
  afterEach(() => {
    traveller.bank.scenario({ links: 'standard' });
  });
  afterAll(() => traveller.close());

  const secretsOf = (psuId: string) => {
    const { password: PASSWORD, otp: OTP } = traveller.bank.person(psuId);
    return { PASSWORD, OTP };
  };
  const run = (psuId: string, args: readonly string[]): Promise<Ended> =>
    traveller.run(args, secretsOf(psuId));
  const ibanOf = (psuId: string) => traveller.bank.person(psuId).accounts[0]?.iban ?? '';
  const pays = (psuId: string) => traveller.pay({ psuId, approach: 'embedded', start: 'explicit' });
  const count = (kind: Kind): [number, number] => {
    const [start, update] = operations[kind];
    return [traveller.bank.arrivals(start).length, traveller.bank.arrivals(update).length];
  };

  /** A payment that waits for its day. */
  async function accepted(psuId: string): Promise<string> {
    const made = await run(psuId, [...pays(psuId), '--psu-id', psuId, ...flagsOf(psuId)]);
    const { paymentId, transactionStatus } = made.document as Record<string, string>;
    if (transactionStatus === 'RCVD') {
      traveller.bank.decide('approve', paymentId ?? '', psuId);
      await run(psuId, ['payment', 'authorise', paymentId ?? '']);
    }
    return paymentId ?? '';
  }
  const flagsOf = (psuId: string) => Object.values(forms).find((form) => form.psuId === psuId)?.flags ?? [];

  /** The command that creates (or cancels) and authorises; `nobody` leaves the PSU to a second run. */
  async function commandOf(kind: Kind, psuId: string): Promise<string[]> {
    switch (kind) {
      case 'payment':
        return pays(psuId);
      case 'cancellation':
        return ['payment', 'cancel', await accepted(psuId)];
      case 'consent':
        return ['consent', 'create', '--iban', ibanOf(psuId), '--recurring'];
      case 'basket': {
        const later = ['--explicit', 'yes', '--authorise-later'];
        const { document } = await run(psuId, [...pays(psuId), '--psu-id', psuId, ...later]);
        return ['basket', 'create', '--payment', document.paymentId as string];
      }
    }
  }

  const statusOf = ({ document }: Ended): unknown => document.consentStatus ?? document.transactionStatus;
  /** Where the PSU is not known yet, the error names what was made. */
  const idOf = ({ document, stderr }: Ended): string => {
    const last = stderr.trimEnd().split('\n').at(-1) ?? '';
    const told =
      last.startsWith('{"error"') && (JSON.parse(last) as { error: { resource: object } }).error.resource;
    const { basketId, consentId, paymentId } = { ...told, ...document } as Record<string, string>;
    return basketId ?? consentId ?? paymentId ?? '';
  };
  const nouns = {
    payment: 'payment',
    cancellation: 'payment',
    consent: 'consent',
    basket: 'basket',
  } as const;
  const ends: Readonly<Record<Kind, string>> = {
    payment: 'ACTC',
    cancellation: 'CANC',
    consent: 'valid',
    basket: 'ACTC',
  };

  const without: Readonly<Partial<Record<Kind, RegExp>>> = {
    // A payment is not accepted before its PSU is known, and the start of its cancellation takes nothing encrypted.
    cancellation: /Identification|Encrypted/,
    // A basket is always started by the TPP.
    basket: /^sca/,
  };
  const cases = kinds.flatMap((kind) =>
    Object.entries(forms).flatMap(([link, form]) =>
      without[kind]?.test(link)
        ? []
        : (['standard', 'service'] as const).map((links) => [kind, link, links, form] as const),
    ),
  );

  it('is one step of its own for who goes step by step', async () => {
    const made = await run('embedded-method-first', [
      ...pays('embedded-method-first'),
      ...['--psu-id', 'embedded-method-first', '--authorise-later'],
    ]);
    const { paymentId } = made.document as { paymentId: string };
    const methods = (await traveller.run(['sca', 'methods', paymentId])).document as object[];
    expect(methods).toMatchObject(
      ['sms', 'chip', 'app', 'page'].map((id) => ({ authenticationMethodId: id })),
    );
    const chosen = await traveller.run(['sca', 'select', paymentId, '--sca-method', 'chip']);
    expect(chosen).toMatchObject({ code: 0, document: { sca: { scaStatus: 'scaMethodSelected' } } });
    const ended = await run('embedded-method-first', ['sca', 'submit', paymentId, ...otp]);
    expect(ended).toMatchObject({ code: 0, document: { transactionStatus: 'ACTC' } });
  });

  it('with a wrong one-time password goes on in the authorisation that it has started', async () => {
    const psuId = 'embedded-otp-first';
    const wrong = await traveller.run([...pays(psuId), '--psu-id', psuId, ...otp], { OTP: '000000' });
    const { error } = JSON.parse(wrong.stderr.trimEnd().split('\n').at(-1) ?? '') as {
      error: { resource: { paymentId: string } };
    };
    expect(wrong.code).toBe(9);
    const ended = await run(psuId, ['payment', 'authorise', error.resource.paymentId, ...otp]);
    expect(ended).toMatchObject({ code: 0, document: { transactionStatus: 'ACTC' } });
  });

  afterAll(() => {
    ranTable(`${String(cases.length)} starts of ${variant}`);
  });

  // The links take turns, and the spellings with them: each variant has half of the links, in one spelling.
  it.each(part(cases, 6, variant === 'v1' ? 0 : 3))(
    'a %s is authorised by %s (spelled as %s)',
    async (kind, link, links, form) => {
      const { psuId, flags = [], calls } = form;
      const command = await commandOf(kind, psuId);
      traveller.bank.scenario({ links });
      const before = count(kind);
      const nobody = link.endsWith('Identification');
      const who = nobody ? ['--redirect', 'no', '--explicit', 'yes'] : ['--psu-id', psuId, ...flags];
      let ended = await run(psuId, [...command, ...who]);
      const again = [nouns[kind], 'authorise', idOf(ended)];
      if (nobody) ended = await run(psuId, [...again, '--psu-id', psuId, ...flags]);
      if (form.elsewhere) {
        const { redirectedTo } = traveller.bank.decide('approve', ended.document.sca.url as string, psuId);
        const back = link === 'scaOAuth' ? ['--return-url-from', 'env:BACK'] : [];
        ended = await traveller.run([...again, ...back], { BACK: redirectedTo ?? '' });
      }
      expect([ended.code, statusOf(ended)], ended.stderr).toEqual([0, ends[kind]]);
      const after = count(kind);
      expect(after.map((now, at) => now - (before[at] ?? 0))).toEqual(calls);
    },
  );
});

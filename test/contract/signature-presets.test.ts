// Each way to sign, by a profile that names it, at a bank that wants exactly that: a whole payment, its reads, and a refusal of
// who signs otherwise.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signingPresetNames } from '../../src/signing/presets.ts';
import { sent, startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';

let tpp: Tpp;
beforeAll(async () => {
  tpp = await startTpp('v1');
});
afterEach(() => {
  tpp.bank.scenario({ signatureProfile: 'guidelines', dateHeader: 'ignored' });
});
afterAll(() => tpp.close());

/** Whether Date is among what is signed; it is sent in any case. */
const dated = { guidelines: false, adorsys: true, wso2: false };

const calls = () =>
  tpp.take().map((made) => ({
    date: sent(made, 'Date') !== undefined,
    signed: /headers="([^"]*)"/
      .exec(sent(made, 'Signature') ?? '')?.[1]
      ?.split(' ')
      .includes('date'),
  }));

describe.each(signingPresetNames)('signing as %s', (preset) => {
  it('is accepted by a bank of that kind', async () => {
    tpp.bank.scenario({ signatureProfile: preset });
    expect(await tpp.run(['profile', 'edit', 'tpp', '--signing', preset])).toMatchObject({ code: 0 });
    tpp.take();
    const paid = await tpp.pay('embedded-one');
    expect(paid, paid.stderr).toMatchObject({ code: 0, document: { transactionStatus: 'ACSC' } });
    const made = calls();
    expect(made.length).toBeGreaterThan(3);
    for (const one of made) expect(one).toEqual({ date: true, signed: dated[preset] });
  });

  it.each(signingPresetNames.filter((other) => other !== preset))(
    'is refused by one of %s',
    async (other) => {
      tpp.bank.scenario({ signatureProfile: other });
      // A read has no body: there all three differ.
      const { code, stderr } = await tpp.run(['api', 'GET', 'v1/consents/none/status']);
      expect(code, stderr).toBe(3);
      expect(stderr).toMatch(/SIGNATURE_INVALID|CERTIFICATE_INVALID|FORMAT_ERROR/);
    },
  );
});

it('a date rule of the guidelines before their errata is met by one setting', async () => {
  tpp.bank.scenario({ dateHeader: 'required' });
  await tpp.run(['profile', 'edit', 'tpp', '--signing', 'guidelines', '--set', 'signing.date.sign=true']);
  expect(await tpp.pay('embedded-one')).toMatchObject({ code: 0 });
});

import fc from 'fast-check';
import type { CreditTransfer } from '../../../../src/standard/formats/payments/credit-transfer.ts';
import { transferSchemes, writePain001 } from '../../../../src/standard/formats/payments/pain001.ts';
import type { Pain001Message } from '../../../../src/standard/formats/payments/pain001.ts';
import type { Pain001Checks } from '../../../../src/standard/formats/payments/pain001-lint.ts';
import { checkLei, isQrIban, referenceFault } from '../../../../src/standard/xs2a/creditor-reference.ts';
import { checkBic, checkCharset, checkIban, checkIsoDate } from '../../../../src/standard/xs2a/check.ts';
import { anyCharacter } from '../../../helpers/any-character.ts';

/** The checks as flows hand them in. */
export const checks: Pain001Checks = {
  iban: checkIban,
  bic: checkBic,
  lei: checkLei,
  reference: referenceFault,
  isQrIban,
  date: checkIsoDate,
  charset: checkCharset,
};

/** The smallest SEPA payment. */
export const transfer: CreditTransfer = {
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorName: 'Shop',
};

/** A message around payments, with what is given instead of its members. */
export function message(
  payments: readonly CreditTransfer[] = [transfer],
  members: Partial<Pain001Message> = {},
): Pain001Message {
  return {
    scheme: 'sepa-credit-transfers',
    messageId: 'MSG-1',
    createdAt: '2026-11-21T10:00:00Z',
    initiatingParty: 'TPP Ltd',
    debtorAccount: { iban: 'DE02120300000000202051' },
    debtorName: 'Payer',
    payments: () => payments,
    ...members,
  };
}

/** The whole text of a message. */
export async function textOf(source: Pain001Message): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of writePain001(source)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const text = (max: number) =>
  fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: max })
    .map((value) => value.replace(/\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, '<'))
    .filter((value) => value.trim() !== '' && value !== 'NOTPROVIDED');
const alphanumeric = fc.constantFrom('A', 'B', 'X', 'Z', '0', '1', '9');
const iban = fc.array(alphanumeric, { minLength: 1, maxLength: 30 }).map((rest) => `DE12${rest.join('')}`);
const bic = fc.constantFrom('DEUTDEFF', 'COBADEFFXXX', 'BNPAFRPP');
const eurosOf = (digitsOfCents: bigint) =>
  fc.bigInt({ min: 1n, max: 10n ** digitsOfCents - 1n }).map((cents) => {
    const digits = cents.toString().padStart(3, '0');
    return { currency: 'EUR', amount: `${digits.slice(0, -2)}.${digits.slice(-2)}` };
  });
const yens = fc
  .bigInt({ min: 1n, max: 10n ** 14n - 1n })
  .map((yen) => ({ currency: 'JPY', amount: String(yen) }));
const address = fc.record(
  {
    country: fc.constantFrom('DE', 'FR', 'US'),
    streetName: text(70),
    buildingNumber: text(16),
    postCode: text(16),
    townName: text(35),
  },
  { requiredKeys: ['country'] },
);

/** Any message that the builder takes, and its payments. */
export const anyMessage: fc.Arbitrary<{ message: Pain001Message; payments: CreditTransfer[] }> = fc
  .constantFrom(...transferSchemes)
  .chain((scheme) => {
    const sepa = scheme.includes('sepa');
    const free = {
      ...(sepa ? {} : { chargeBearer: fc.constantFrom('DEBT', 'CRED', 'SHAR', 'SLEV') }),
      endToEndIdentification: text(35),
      instructionIdentification: text(35),
      creditorAgent: bic,
      creditorAddress: address,
      remittanceInformationUnstructured: text(140),
    };
    const account = sepa ? fc.record({ iban }) : fc.oneof(fc.record({ iban }), fc.record({ bban: iban }));
    const payment = fc.record(
      {
        // SEPA moves less at once than ISO 20022 has digits.
        instructedAmount: sepa ? eurosOf(11n) : fc.oneof(eurosOf(16n), yens),
        creditorAccount: account,
        creditorName: text(70),
        ...free,
      },
      { requiredKeys: ['instructedAmount', 'creditorAccount', 'creditorName'] },
    ) as fc.Arbitrary<CreditTransfer>;
    const head = fc.record(
      {
        messageId: text(35),
        initiatingParty: text(140),
        debtorName: text(70),
        debtorAgent: bic,
        paymentInformationId: text(35),
        requestedExecutionDate: fc.constantFrom('2026-11-30', '1999-01-01'),
        batchBookingPreferred: fc.boolean(),
      },
      { requiredKeys: ['messageId', 'initiatingParty'] },
    );
    return fc.record({ head, payments: fc.array(payment, { minLength: 1, maxLength: 5 }) }).map((all) => ({
      payments: all.payments,
      message: message(all.payments, { scheme, ...all.head }),
    }));
  });

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import type { CreditTransfer } from '../../../../../src/standard/formats/payments/credit-transfer.ts';
import { addDecimals } from '../../../../../src/standard/formats/payments/credit-transfer.ts';
import {
  checkPain001,
  transferSchemes,
  writePain001,
} from '../../../../../src/standard/formats/payments/pain001.ts';
import { readPain001 } from '../../../../../src/standard/formats/payments/pain001-read.ts';
import { hasPrograms } from '../../../../helpers/programs.ts';
import { anyMessage, message, textOf, transfer } from '../messages.ts';
import { runs } from '../../../../helpers/trials.ts';

const hasXmllint = hasPrograms('xmllint');
const schema = join(import.meta.dirname, '../fixtures/pain.001.001.03-subset.xsd');

function xmllint(text: string, ...options: string[]): string {
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', ...options, '-'], {
    input: text,
    encoding: 'utf8',
  });
  return status === 0 ? 'ok' : stderr;
}

async function partsOf(text: string) {
  const parts = [];
  for await (const part of readPain001(Buffer.from(text))) parts.push(part);
  return parts;
}

// Typed by hand from ISO 20022 and the EPC guidelines, never made by the builder.
const goldenSepa = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>MSG-1</MsgId>
      <CreDtTm>2026-11-21T10:00:00Z</CreDtTm>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>12.60</CtrlSum>
      <InitgPty><Nm>TPP Ltd</Nm></InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>BATCH-7</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <BtchBookg>true</BtchBookg>
      <NbOfTxs>2</NbOfTxs>
      <CtrlSum>12.60</CtrlSum>
      <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
      <ReqdExctnDt>2026-11-23</ReqdExctnDt>
      <Dbtr><Nm>M&amp;M &lt;Sons&gt;</Nm></Dbtr>
      <DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></DbtrAcct>
      <DbtrAgt><FinInstnId><BIC>BYLADEM1001</BIC></FinInstnId></DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>
      <CdtTrfTxInf>
        <PmtId><EndToEndId>NOTPROVIDED</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">12.50</InstdAmt></Amt>
        <Cdtr><Nm>Shop</Nm></Cdtr>
        <CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>
      </CdtTrfTxInf>
      <CdtTrfTxInf>
        <PmtId><InstrId>I-2</InstrId><EndToEndId>E-2</EndToEndId></PmtId>
        <Amt><InstdAmt Ccy="EUR">0.10</InstdAmt></Amt>
        <CdtrAgt><FinInstnId><BIC>BNPAFRPP</BIC></FinInstnId></CdtrAgt>
        <Cdtr>
          <Nm>Café</Nm>
          <PstlAdr><StrtNm>Rue 1</StrtNm><BldgNb>1</BldgNb><PstCd>75001</PstCd><TwnNm>Paris</TwnNm><Ctry>FR</Ctry></PstlAdr>
        </Cdtr>
        <CdtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></CdtrAcct>
        <RmtInf><Ustrd>Invoice &quot;2&quot;</Ustrd></RmtInf>
      </CdtTrfTxInf>
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`;
const second: CreditTransfer = {
  instructionIdentification: 'I-2',
  endToEndIdentification: 'E-2',
  instructedAmount: { currency: 'EUR', amount: '0.1' },
  creditorAgent: 'BNPAFRPP',
  creditorName: 'Café',
  creditorAddress: {
    street: 'Rue 1',
    buildingNumber: '1',
    postalCode: '75001',
    city: 'Paris',
    country: 'FR',
  },
  creditorAccount: { iban: 'FR1420041010050500013M02606' },
  chargeBearer: 'SLEV',
  remittanceInformationUnstructured: 'Invoice "2"',
};
const sepa = message([transfer, second], {
  paymentInformationId: 'BATCH-7',
  batchBookingPreferred: true,
  requestedExecutionDate: '2026-11-23',
  debtorName: 'M&M <Sons>',
  debtorAgent: 'BYLADEM1001',
  debtorAccount: { iban: 'DE02120300000000202051', currency: 'EUR' },
});
const withoutIndent = (text: string) => text.replace(/>\s+</g, '><').trim();

describe('writePain001', () => {
  it('writes the golden SEPA message', async () => {
    expect(withoutIndent(await textOf(sepa))).toBe(withoutIndent(goldenSepa));
  });

  it.each([
    ['sepa-credit-transfers', '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>', 1],
    [
      'instant-sepa-credit-transfers',
      '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>INST</Cd></LclInstrm></PmtTpInf>',
      1,
    ],
    ['target-2-payments', '<PmtTpInf><SvcLvl><Cd>URGP</Cd></SvcLvl></PmtTpInf>', 0],
    ['cross-border-credit-transfers', undefined, 0],
  ] as const)('writes for %s its payment type and charges', async (scheme, type, charges) => {
    const text = await textOf(message([transfer], { scheme }));
    expect(/<PmtTpInf>.*<\/PmtTpInf>/.exec(text)?.[0]).toBe(type);
    expect(text.match(/<ChrgBr>/g) ?? []).toHaveLength(charges);
  });

  it('ends with its last tag, because some banks verify the digest of it only', async () => {
    expect(await textOf(message())).toMatch(/<\/Document>$/);
  });

  it('writes charges, a BBAN and another currency where the scheme has them', async () => {
    const payment = {
      ...transfer,
      instructedAmount: { currency: 'USD', amount: '5' },
      creditorAccount: { bban: '123456789' },
      chargeBearer: 'SHAR',
    };
    const text = await textOf(message([payment], { scheme: 'cross-border-credit-transfers' }));
    expect(text).toContain('<InstdAmt Ccy="USD">5.00</InstdAmt></Amt><ChrgBr>SHAR</ChrgBr>');
    expect(text).toContain('<CdtrAcct><Id><Othr><Id>123456789</Id></Othr></Id></CdtrAcct>');
  });

  it.each<[string, CreditTransfer['remittanceInformationStructured'], string]>([
    [
      'ISO 11649',
      { reference: 'RF18539007547034', referenceType: 'SCOR', referenceIssuer: 'ISO' },
      '<Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry><Issr>ISO</Issr></Tp><Ref>RF18539007547034</Ref>',
    ],
    [
      'a QR reference',
      { reference: '210000000003139471430009017', referenceType: 'QRR' },
      '<Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp><Ref>210000000003139471430009017</Ref>',
    ],
    ['no type', { reference: '4711' }, '<Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>4711</Ref>'],
  ])('writes a reference of %s', async (_, structured, written) => {
    const scheme = 'cross-border-credit-transfers' as const;
    const payment = { ...transfer, remittanceInformationStructured: structured! };
    const both = { ...payment, remittanceInformationUnstructured: 'March' };
    const text = await textOf(message([payment, both], { scheme }));
    expect(text).toContain(`<RmtInf><Strd><CdtrRefInf>${written}</CdtrRefInf></Strd></RmtInf>`);
    expect(text).toContain(
      `<RmtInf><Ustrd>March</Ustrd><Strd><CdtrRefInf>${written}</CdtrRefInf></Strd></RmtInf>`,
    );
    expect((await partsOf(text))[2]).toMatchObject({
      payment: { remittanceInformationStructured: structured },
    });
  });

  it('writes the day of its making where no date is given', async () => {
    expect(await textOf(message())).toContain('<ReqdExctnDt>2026-11-21</ReqdExctnDt>');
  });

  it('adds exactly, also over currencies', async () => {
    const amounts = [
      ...Array.from({ length: 1000 }, () => ['EUR', '0.10']),
      ['EUR', '99999999999999.99'],
      ['JPY', '7'],
      ['KWD', '0.001'],
    ];
    const payments = amounts.map(([currency = '', amount = '']) => ({
      ...transfer,
      instructedAmount: { currency, amount },
    }));
    const source = message(payments, { scheme: 'cross-border-credit-transfers' });
    expect(await checkPain001(source)).toEqual({
      count: 1003,
      sums: [
        { currency: 'EUR', amount: '100000000000099.99' },
        { currency: 'JPY', amount: '7' },
        { currency: 'KWD', amount: '0.001' },
      ],
    });
    expect((await textOf(source)).match(/<CtrlSum>100000000000106\.991<\/CtrlSum>/g)).toHaveLength(2);
  });

  it('accepts payments that come one by one, and reads them twice', async () => {
    let begun = 0;
    async function* payments() {
      begun += 1;
      yield transfer;
      yield await Promise.resolve(second);
    }
    expect(await textOf({ ...sepa, payments })).toBe(await textOf(sepa));
    expect(begun).toBe(2);
  });

  it('writes 1,000 payments in pieces, the first before the last is read a second time', async () => {
    let read = 0;
    function* payments() {
      for (let at = 0; at < 1000; at += 1) {
        read += 1;
        yield transfer;
      }
    }
    const chunks = writePain001({ ...sepa, payments });
    await chunks.next();
    expect(read).toBeLessThan(1999);
    await chunks.return(undefined);
  });

  it('notices payments that changed between the passes', async () => {
    const passes = [[transfer], [{ ...transfer, instructedAmount: { currency: 'EUR', amount: '12.51' } }]];
    const changed = textOf(message([], { payments: () => passes.shift() ?? [] }));
    await expect(changed).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringContaining('changed'),
    });
  });

  it.each<[string, Partial<CreditTransfer>, RegExp]>([
    ['another currency in SEPA', { instructedAmount: { currency: 'USD', amount: '1' } }, /EUR, not USD/],
    ['a zero', { instructedAmount: { currency: 'EUR', amount: '0.00' } }, /zero/],
    ['a comma', { instructedAmount: { currency: 'EUR', amount: '1,00' } }, /dot/],
    ['three decimals', { instructedAmount: { currency: 'EUR', amount: '1.005' } }, /decimals/],
    ['no account', { creditorAccount: {} }, /creditorAccount/],
    ['a BBAN in SEPA', { creditorAccount: { bban: '1' } }, /IBAN/],
    ['two accounts', { creditorAccount: { iban: 'DE89370400440532013000', bban: '1' } }, /creditorAccount/],
    ['an IBAN with blanks', { creditorAccount: { iban: 'DE89 3704' } }, /malformed/],
    ['an empty name', { creditorName: ' ' }, /empty/],
    ['71 characters', { creditorName: 'x'.repeat(71) }, /70/],
    ['an ESC in the name', { creditorName: 'a\u001b[2J' }, /character 2 .* U\+001B/],
    ['a line break', { remittanceInformationUnstructured: 'a\nb' }, /U\+000A/],
    ['half a character', { creditorName: 'a\ud83d' }, /U\+D83D/],
    ['141 characters', { remittanceInformationUnstructured: 'x'.repeat(141) }, /140/],
    ['36 characters', { endToEndIdentification: 'x'.repeat(36) }, /35/],
    ['an empty reference', { endToEndIdentification: '' }, /empty/],
    ['a wrong BIC', { creditorAgent: 'DEUT' }, /malformed/],
    ['a wrong country', { creditorAddress: { country: 'Germany' } }, /country/],
    ['charges in SEPA', { chargeBearer: 'SHAR' }, /SLEV/],
    ['unknown charges', { chargeBearer: 'OUR' }, /unknown/],
    [
      'more than SEPA moves',
      { instructedAmount: { currency: 'EUR', amount: '1000000000.00' } },
      /at most 999999999\.99/,
    ],
    [
      'a text and a reference in SEPA',
      { remittanceInformationUnstructured: 'x', remittanceInformationStructured: { reference: 'x' } },
      /not both/,
    ],
    [
      'a QR reference in SEPA',
      { remittanceInformationStructured: { reference: 'x', referenceType: 'QRR' } },
      /SCOR, not QRR/,
    ],
    ['a long structured reference', { remittanceInformationStructured: { reference: 'x'.repeat(36) } }, /35/],
    ['a member that has no place', { purposeCode: 'SALA' } as never, /purposeCode/],
  ])('refuses %s', async (_, members, why) => {
    const broken = message([transfer, { ...transfer, ...members }]);
    await expect(textOf(broken)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringMatching(why),
    });
  });

  it('names the payment that it refuses', async () => {
    const broken = message([transfer, transfer, { ...transfer, creditorName: '' }]);
    await expect(checkPain001(broken)).rejects.toMatchObject({
      detail: expect.stringContaining('Payment 3: creditorName'),
    });
  });

  it.each<[string, Parameters<typeof message>[1]]>([
    ['no payments', { payments: () => [] }],
    ['a long messageId', { messageId: 'x'.repeat(36) }],
    ['an empty messageId', { messageId: '' }],
    ['a date for a time', { createdAt: '2026-11-21' }],
    ['a time for a date', { requestedExecutionDate: '2026-11-21T10:00:00Z' }],
    ['no debtor IBAN', { debtorAccount: { bban: '1' } }],
    ['an ESC in the party', { initiatingParty: '\u001b' }],
  ])('refuses %s', async (_, members) => {
    await expect(textOf(message([transfer], members))).rejects.toThrow(ObkError);
  });

  it('writes what is read back equal, for any message', async () => {
    await fc.assert(
      fc.asyncProperty(anyMessage, async ({ message: source, payments }) => {
        const [group, batch, ...rest] = await partsOf(await textOf(source));
        const sum = addDecimals(payments.map(({ instructedAmount }) => instructedAmount.amount));
        const counts = { numberOfTransactions: String(payments.length), controlSum: sum };
        expect(group).toEqual({
          kind: 'group',
          group: {
            messageId: source.messageId,
            createdAt: source.createdAt,
            initiatingParty: source.initiatingParty,
            ...counts,
          },
        });
        const { debtorName, debtorAgent, batchBookingPreferred } = source;
        expect(batch).toMatchObject({
          kind: 'batch',
          batch: {
            paymentInformationId: source.paymentInformationId ?? source.messageId,
            requestedExecutionDate: source.requestedExecutionDate ?? '2026-11-21',
            debtorAccount: source.debtorAccount,
            ...JSON.parse(JSON.stringify({ debtorName, debtorAgent, batchBookingPreferred })),
            ...counts,
          },
        });
        expect(rest).toEqual(payments.map((payment) => ({ kind: 'payment', payment })));
      }),
      // The campaign runs 10,000.
      { numRuns: runs(200) },
    );
  });
});

describe.skipIf(!hasXmllint)('xmllint', () => {
  it('accepts the golden message and refuses a broken one', () => {
    expect(xmllint(goldenSepa, '--schema', schema)).toBe('ok');
    expect(xmllint(goldenSepa.replace('<CtrlSum>', '<Ctrl>'))).toContain('mismatch');
    for (const [from, to] of [
      ['<PmtMtd>TRF</PmtMtd>', ''],
      ['Ccy="EUR"', ''],
      ['SLEV', 'SLOW'],
      ['2026-11-23', '2026-02-30'],
      ['<MsgId>MSG-1</MsgId>', `<MsgId>${'x'.repeat(36)}</MsgId>`],
    ] as const) {
      expect(xmllint(goldenSepa.replace(from, to), '--schema', schema)).toContain('Schemas validity error');
    }
  });

  it.each(transferSchemes)('finds %s valid', async (scheme) => {
    const payments = [transfer, scheme.includes('sepa') ? second : { ...second, chargeBearer: 'DEBT' }];
    expect(xmllint(await textOf(message(payments, { scheme })), '--schema', schema)).toBe('ok');
  });

  it('finds any message valid', async () => {
    const written: string[] = [];
    await fc.assert(
      fc.asyncProperty(anyMessage, async ({ message: source }) => void written.push(await textOf(source))),
      { numRuns: 40 },
    );
    for (const text of written) expect(xmllint(text, '--schema', schema)).toBe('ok');
  });
});

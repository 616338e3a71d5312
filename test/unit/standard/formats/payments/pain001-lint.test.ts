import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPain001 } from '../../../../../src/standard/formats/payments/pain001-read.ts';
import { XmlFault } from '../../../../../src/standard/formats/xml/xml-fault.ts';
import { anyMessage, checks, message, textOf, transfer } from '../messages.ts';
import { good, lint, told } from '../pain001-linted.ts';
import { runs } from '../../../../helpers/trials.ts';

describe('lintPain001', () => {
  it('finds nothing in a good message, and sums it up', async () => {
    expect(await lint(good)).toEqual({
      findings: [],
      errors: 0,
      warnings: 0,
      summary: {
        version: '001.03',
        group: {
          messageId: 'MSG-1',
          createdAt: '2026-11-21T10:00:00',
          numberOfTransactions: '3',
          controlSum: '112.35',
          initiatingParty: 'TPP Ltd',
        },
        count: 3,
        sums: [{ currency: 'EUR', amount: '112.35' }],
        batches: [
          {
            paymentInformationId: 'A',
            numberOfTransactions: '2',
            controlSum: '12.350',
            serviceLevel: 'SEPA',
            requestedExecutionDate: '2026-11-23',
            debtorName: 'Anna',
            debtorAccount: { iban: 'DE02120300000000202051' },
            debtorAgent: 'BYLADEM1001',
            chargeBearer: 'SLEV',
          },
          {
            paymentInformationId: 'B',
            serviceLevel: 'SEPA',
            requestedExecutionDate: '1999-01-01',
            debtorName: 'Anna',
            debtorAccount: { iban: 'DE02120300000000202051' },
          },
        ],
        payments: [
          {
            endToEndIdentification: 'E-1',
            instructedAmount: { currency: 'EUR', amount: '12.25' },
            creditorAccount: { iban: 'DE89370400440532013000' },
            creditorName: 'Shop',
            remittanceInformationUnstructured: 'Invoice 1',
          },
          {
            instructedAmount: { currency: 'EUR', amount: '0.10' },
            creditorAccount: { iban: 'FR1420041010050500013M02606' },
            creditorName: 'Bakery',
          },
          {
            endToEndIdentification: 'E-3',
            instructedAmount: { currency: 'EUR', amount: '100' },
            creditorAccount: { iban: 'DE89370400440532013000' },
            creditorName: 'Landlord',
          },
        ],
      },
    });
  });

  const first = 'PmtInf[1]/CdtTrfTxInf[1]';
  it.each<[string, string, string, string[]]>([
    ['a count of the group', '<NbOfTxs>3<', '<NbOfTxs>4<', ['error count GrpHdr/NbOfTxs']],
    ['a sum of the group', '112.35', '112.36', ['error control-sum GrpHdr/CtrlSum']],
    ['a count of a batch', '<NbOfTxs>2<', '<NbOfTxs>1<', ['error count PmtInf[1]/NbOfTxs']],
    ['a sum of a batch', '12.350', '12.36', ['error control-sum PmtInf[1]/CtrlSum']],
    [
      'an amount: both sums',
      '>12.25<',
      '>12.26<',
      ['error control-sum GrpHdr/CtrlSum', 'error control-sum PmtInf[1]/CtrlSum'],
    ],
    ['an unreadable amount: no sums', '>12.25<', '>12,25<', [`error amount ${first}/Amt/InstdAmt`]],
    ['an amount of three decimals', '>12.25<', '>12.255<', [`error amount ${first}/Amt/InstdAmt`]],
    ['a negative amount', '>12.25<', '>-12.25<', [`error amount ${first}/Amt/InstdAmt`]],
    ['a zero', '>12.25<', '>0.00<', [`error amount ${first}/Amt/InstdAmt`]],
    ['a currency', 'Ccy="EUR">12.25', 'Ccy="USD">12.25', [`error scheme ${first}/Amt/InstdAmt`]],
    [
      'no currency',
      ' Ccy="EUR">12.25',
      '>12.25',
      [`error amount ${first}/Amt/InstdAmt`, `error scheme ${first}/Amt/InstdAmt`],
    ],
    ['an IBAN', 'DE89370400440532013000', 'DE89370400440532013001', [`error iban ${first}/CdtrAcct/Id/IBAN`]],
    [
      'an IBAN with blanks',
      'DE89370400440532013000',
      'DE89 3704 0044 0532 0130 00',
      [`error iban ${first}/CdtrAcct/Id/IBAN`],
    ],
    ['a BIC', 'BYLADEM1001', 'BYLADEM', ['error bic PmtInf[1]/DbtrAgt/FinInstnId/BIC']],
    ['a day that is not', '2026-11-23', '2026-11-31', ['error date PmtInf[1]/ReqdExctnDt']],
    ['a past day that is not', '2026-11-23', '2026-02-30', ['error date PmtInf[1]/ReqdExctnDt']],
    ['an id that another batch has', '>B<', '>A<', ['warning duplicate PmtInf[2]/PmtInfId']],
    ['that id between blanks', '>B<', '> A <', ['warning duplicate PmtInf[2]/PmtInfId']],
    ['a past day', '2026-11-23', '2026-11-20', ['warning date PmtInf[1]/ReqdExctnDt']],
    ['a time', '2026-11-21T10:00:00', '2026-11-21', ['error value GrpHdr/CreDtTm']],
    ['a method', '>TRF<', '>DD<', ['error value PmtInf[1]/PmtMtd']],
    ['a foreign character', '<Nm>Shop<', '<Nm>Café<', [`warning charset ${first}/Cdtr/Nm`]],
    ['an empty name', '<Nm>Shop<', '<Nm> <', [`error empty ${first}/Cdtr/Nm`]],
    ['a name of 71', '<Nm>Shop<', `<Nm>${'x'.repeat(71)}<`, [`error scheme ${first}/Cdtr/Nm`]],
    [
      'a name of 141',
      '<Nm>Shop<',
      `<Nm>${'x'.repeat(141)}<`,
      [`error length ${first}/Cdtr/Nm`, `error scheme ${first}/Cdtr/Nm`],
    ],
    ['a long reference', '>E-1<', `>${'x'.repeat(36)}<`, [`error length ${first}/PmtId/EndToEndId`]],
    ['a long text', 'Invoice 1', 'x'.repeat(141), [`error length ${first}/RmtInf/Ustrd`]],
    [
      'a reference with wrong check digits',
      '<Ustrd>Invoice 1</Ustrd>',
      '<Strd><CdtrRefInf><Ref>RF81539007547034</Ref></CdtrRefInf></Strd>',
      [`error reference ${first}/RmtInf/Strd/CdtrRefInf/Ref`],
    ],
    [
      'a text and a reference',
      '</Ustrd>',
      '</Ustrd><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd>',
      [`error scheme ${first}/RmtInf`],
    ],
    [
      'a Swiss reference',
      '<Ustrd>Invoice 1</Ustrd>',
      '<Strd><CdtrRefInf><Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp><Ref>210000000003139471430009017</Ref></CdtrRefInf></Strd>',
      [
        `error reference ${first}/RmtInf/Strd/CdtrRefInf/Ref`,
        `error scheme ${first}/RmtInf/Strd/CdtrRefInf/Tp`,
      ],
    ],
    [
      'a reference in the wrong order',
      '<Ustrd>Invoice 1</Ustrd>',
      '<Strd><CdtrRefInf><Ref>4711</Ref><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp></CdtrRefInf></Strd>',
      [`error order ${first}/RmtInf/Strd[1]/CdtrRefInf/Tp`],
    ],
    ['charges', '>SLEV<', '>SHAR<', ['error scheme PmtInf[1]/ChrgBr']],
    ['unknown charges', '>SLEV<', '>OUR<', ['error value PmtInf[1]/ChrgBr', 'error scheme PmtInf[1]/ChrgBr']],
    [
      'no service level',
      '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>',
      '',
      ['warning scheme PmtInf[1]/PmtTpInf'],
    ],
    ['another service level', '>SEPA<', '>URGP<', ['error scheme PmtInf[1]/PmtTpInf/SvcLvl/Cd']],
    ['no name of the debtor', '<Nm>Anna</Nm>', '', ['warning scheme PmtInf[1]/Dbtr']],
    ['no MsgId', '<MsgId>MSG-1</MsgId>', '', ['error required GrpHdr']],
    ['no PmtMtd', '<PmtMtd>TRF</PmtMtd>', '', ['error required PmtInf[1]']],
    [
      'no debtor',
      '<Dbtr><Nm>Anna</Nm></Dbtr>',
      '',
      ['error required PmtInf[1]', 'warning scheme PmtInf[1]/Dbtr'],
    ],
    ['no EndToEndId', '<EndToEndId>E-1</EndToEndId>', '', [`error required ${first}/PmtId`]],
    ['no creditor', '<Cdtr><Nm>Shop</Nm></Cdtr>', '', [`error required ${first}/Cdtr`]],
    ['no amount', '<InstdAmt Ccy="EUR">12.25</InstdAmt>', '', [`error choice ${first}/Amt`]],
    [
      'no account',
      '<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>',
      '',
      [`error required ${first}/CdtrAcct`],
    ],
    ['an unknown element', '<PmtMtd>', '<PmtWay>x</PmtWay><PmtMtd>', ['error unexpected PmtInf[1]/PmtWay']],
    ['an element twice', '<PmtMtd>', '<PmtMtd>TRF</PmtMtd><PmtMtd>', ['error repeated PmtInf[1]/PmtMtd']],
    ...(
      [
        [
          'lines of an address',
          'PstlAdr',
          `<PstlAdr>${'<AdrLine>A</AdrLine>'.repeat(8)}</PstlAdr>`,
          'AdrLine',
        ],
        [
          'an organisation',
          'Id',
          '<Id><OrgId><BICOrBEI>DEUTDEFF</BICOrBEI><BICOrBEI>DEUTDEFF</BICOrBEI></OrgId></Id>',
          'OrgId/BICOrBEI',
        ],
        ['a contact', 'CtctDtls', '<CtctDtls><Nm>A</Nm><Nm>B</Nm></CtctDtls>', 'Nm'],
      ] as const
    ).map(([title, within, text, at]): [string, string, string, string[]] => [
      `too many of ${title}`,
      '<Nm>Shop</Nm>',
      `<Nm>Shop</Nm>${text}`,
      [
        `error repeated ${first}/Cdtr/${within}/${at}`,
        ...(within === 'PstlAdr' ? [`error address ${first}/Cdtr/PstlAdr`] : []),
      ],
    ]),
    ...(
      [
        [
          'four further lines',
          `<Strd>${'<AddtlRmtInf>a</AddtlRmtInf>'.repeat(4)}</Strd>`,
          'repeated',
          'Strd[1]/AddtlRmtInf',
        ],
        [
          'a document without the choice in its type',
          '<Strd><RfrdDocInf><Tp><Cd>CINV</Cd></Tp></RfrdDocInf></Strd>',
          'required',
          'Strd[1]/RfrdDocInf[1]/Tp',
        ],
        [
          'amounts of a document in another order',
          '<Strd><RfrdDocAmt><RmtdAmt Ccy="EUR">1.00</RmtdAmt><DuePyblAmt Ccy="EUR">1.00</DuePyblAmt></RfrdDocAmt></Strd>',
          'order',
          'Strd[1]/RfrdDocAmt/DuePyblAmt',
        ],
      ] as const
    ).map(([title, text, rule, at]): [string, string, string, string[]] => [
      title,
      '<RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf>',
      `<RmtInf>${text}</RmtInf>`,
      [
        `error ${rule} ${first}/RmtInf/${at}`,
        ...(rule === 'required' ? [`error unexpected ${first}/RmtInf/${at}/Cd`] : []),
      ],
    ]),
    [
      'eleven reports to an authority',
      '<RmtInf><Ustrd>Invoice 1</Ustrd></RmtInf>',
      '<RgltryRptg><Dtls><Cd>1</Cd></Dtls></RgltryRptg>'.repeat(11),
      [`error repeated ${first}/RgltryRptg`],
    ],
    [
      'three authentications',
      '<NbOfTxs>3<',
      `${'<Authstn><Cd>AUTH</Cd></Authstn>'.repeat(3)}<NbOfTxs>3<`,
      ['error repeated GrpHdr/Authstn'],
    ],
    [
      'a person without a place of birth',
      '<Nm>Shop</Nm>',
      '<Nm>Shop</Nm><Id><PrvtId><DtAndPlcOfBirth><BirthDt>1990-01-01</BirthDt><CtryOfBirth>DE</CtryOfBirth></DtAndPlcOfBirth></PrvtId></Id>',
      [`error required ${first}/Cdtr/Id/PrvtId/DtAndPlcOfBirth`],
    ],
    [
      'an identification without its number',
      '<Nm>Shop</Nm>',
      '<Nm>Shop</Nm><Id><PrvtId><Othr><Issr>X</Issr></Othr></PrvtId></Id>',
      [`error required ${first}/Cdtr/Id/PrvtId/Othr[1]`],
    ],
    [
      'the wrong order',
      '<PmtId><EndToEndId>E-1</EndToEndId></PmtId>\n        <Amt><InstdAmt Ccy="EUR">12.25</InstdAmt></Amt>',
      '<Amt><InstdAmt Ccy="EUR">12.25</InstdAmt></Amt><PmtId><EndToEndId>E-1</EndToEndId></PmtId>',
      [`error order ${first}/PmtId`],
    ],
    [
      'something after the payments',
      '</CdtTrfTxInf>\n    </PmtInf>\n    <PmtInf>',
      '</CdtTrfTxInf><PoolgAdjstmntDt>2026-11-30</PoolgAdjstmntDt></PmtInf><PmtInf>',
      ['error order PmtInf[1]/PoolgAdjstmntDt'],
    ],
    [
      'another namespace inside',
      '<RmtInf>',
      '<RmtInf xmlns="urn:x">',
      [`error namespace ${first}/RmtInf`, `error namespace ${first}/RmtInf/Ustrd`],
    ],
  ])('finds %s', async (_, from, to, expected) => {
    expect(good).toContain(from);
    expect((await told(good.replace(from, to))).sort()).toEqual(expected.sort());
  });

  it('states the place and a sentence', async () => {
    const { findings } = await lint(
      good.replace('<Nm>Bakery<', '<Nm>B&amp;c<').replace('DE89370400440532013000', 'DE00'),
    );
    expect(findings).toEqual([
      {
        severity: 'error',
        rule: 'iban',
        path: 'PmtInf[1]/CdtTrfTxInf[1]/CdtrAcct/Id/IBAN',
        line: 26,
        column: 23,
        text: expect.stringMatching(/^"DE00": it has 4 characters/),
      },
      {
        severity: 'warning',
        rule: 'charset',
        path: 'PmtInf[1]/CdtTrfTxInf[2]/Cdtr/Nm',
        line: 32,
        column: 15,
        text: 'character 2 of Nm is "&" (U+0026), outside the set that every bank takes',
      },
    ]);
  });

  it.each<[string, string, string]>([
    ['a cut file', good.slice(0, 1500), 'error xml'],
    ['a broken tag', good.replace('</Amt>', '</Atm>'), 'error xml'],
    ['a DOCTYPE', good.replace('<Document', '<!DOCTYPE Document [<!ENTITY a "b">]><Document'), 'error xml'],
    ['an unknown entity', good.replace('Shop', '&nbsp;'), 'error xml'],
    ['another root', '<html/>', 'error root html'],
    ['another message', good.replaceAll('pain.001.001.03', 'pain.008.001.02'), 'error root Document'],
    ['no namespace', good.replace(/ xmlns="[^"]*"/, ''), 'error root Document'],
  ])('reports %s without throwing', async (_, text, expected) => {
    const all = await told(text);
    expect(all.filter((line) => line.startsWith(expected))).toHaveLength(1);
  });

  it('requires one payment where the service allows one', async () => {
    expect(await told(good, { single: true })).toEqual(['error single CstmrCdtTrfInitn']);
  });

  it('follows the rules of instant payments and other schemes', async () => {
    const instant = await told(good, { scheme: 'instant-sepa-credit-transfers' });
    expect(instant).toEqual([
      'warning scheme PmtInf[1]/PmtTpInf/LclInstrm/Cd',
      'warning scheme PmtInf[2]/PmtTpInf/LclInstrm/Cd',
    ]);
    const usd = good
      .replace('Ccy="EUR">12.25', 'Ccy="USD">12.25')
      .replace('>SLEV<', '>SHAR<')
      .replaceAll('>SEPA<', '>URGP<');
    expect(await told(usd, { scheme: 'target-2-payments' })).toEqual([]);
    const { summary } = await lint(usd, { scheme: 'target-2-payments' });
    expect(summary.sums).toEqual([
      { currency: 'USD', amount: '12.25' },
      { currency: 'EUR', amount: '100.10' },
    ]);
  });

  it('keeps the first findings and counts all', async () => {
    const row = /<CdtTrfTxInf>[^]*?<\/CdtTrfTxInf>/.exec(good)![0].replace('DE89370400440532013000', 'DE00');
    const many = good.replace('<CdtTrfTxInf>', `${row.repeat(500)}<CdtTrfTxInf>`);
    const { findings, errors } = await lint(many);
    expect(findings).toHaveLength(100);
    // One IBAN each, and two counts and two sums.
    expect(errors).toBe(504);
  });

  it('finds no errors in what the builder writes', async () => {
    await fc.assert(
      fc.asyncProperty(anyMessage, async ({ message: source }) => {
        const any = { ...checks, iban: (value: string) => ({ ok: true as const, value }) };
        const { findings } = await lint(await textOf(source), { checks: any, scheme: source.scheme });
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('readPain001', () => {
  it('refuses what is not a pain.001', async () => {
    const read = async (text: string) => {
      for await (const part of readPain001(Buffer.from(text), { code: 'INPUT_INVALID' }))
        expect(part).toBeDefined();
    };
    await expect(read('<html/>')).rejects.toThrow(XmlFault);
    await expect(read(good.replaceAll('pain.001', 'pain.002'))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    await expect(read(good.slice(0, -20))).rejects.toThrow(XmlFault);
  });

  it('reports a batch without payments', async () => {
    const kinds = [];
    const text = good.replaceAll(/<CdtTrfTxInf>[^]*?<\/CdtTrfTxInf>/g, '');
    for await (const { kind } of readPain001(Buffer.from(text))) kinds.push(kind);
    expect(kinds).toEqual(['group', 'batch', 'batch']);
  });

  it('reads back the payments of a message', async () => {
    const payments = [];
    const text = await textOf(message([transfer, transfer]));
    for await (const part of readPain001(Buffer.from(text)))
      if (part.kind === 'payment') payments.push(part.payment);
    expect(payments).toEqual([transfer, transfer]);
  });
});

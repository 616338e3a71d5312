// Codes and texts by where they stand in a pain.001, its attributes, and the largest amount of SEPA.
import { expect, it } from 'vitest';
import { good, told } from './pain001-linted.ts';

const first = 'PmtInf[1]/CdtTrfTxInf[1]';

it.each<[string, string, string, string[]]>([
  ...(
    [
      ['a purpose that is longer than a code', '<Purp><Cd>SALARY</Cd></Purp>', 'Purp/Cd'],
      ['an empty purpose', '<Purp><Cd></Cd></Purp>', 'Purp/Cd'],
      ['an empty code of a report', '<RgltryRptg><Dtls><Cd></Cd></Dtls></RgltryRptg>', 'RgltryRptg/Dtls/Cd'],
    ] as const
  ).map(
    ([title, written, at]) =>
      [
        title,
        '<RmtInf><Ustrd>Invoice 1',
        `${written}<RmtInf><Ustrd>Invoice 1`,
        [`error value ${first}/${at}`],
      ] as [string, string, string, string[]],
  ),
  ...(
    [
      ['the header', '>MSG-1<', '>/MSG<', 'GrpHdr/MsgId'],
      ['a batch', '<PmtInfId>A<', '<PmtInfId>A/<', 'PmtInf[1]/PmtInfId'],
      ['a payment', '>E-1<', '>E//1<', `${first}/PmtId/EndToEndId`],
      [
        'an instruction',
        '<EndToEndId>E-1<',
        '<InstrId>/1/</InstrId><EndToEndId>E-1<',
        `${first}/PmtId/InstrId`,
      ],
    ] as const
  ).map(([title, from, to, at]): [string, string, string, string[]] => [
    `slashes in the reference of ${title}`,
    from,
    to,
    [`warning scheme ${at}`],
  ]),
  ['a slash within a reference', '>E-1<', '>E/1<', []],
  [
    'an empty text of a report',
    '<RmtInf><Ustrd>Invoice 1',
    '<RgltryRptg><Dtls><Cd>1</Cd><Inf></Inf></Dtls></RgltryRptg><RmtInf><Ustrd>Invoice 1',
    [`error empty ${first}/RgltryRptg/Dtls/Inf`],
  ],
  [
    'documents and references of kinds that are none',
    '<Ustrd>Invoice 1</Ustrd>',
    '<Strd><RfrdDocInf><Tp><CdOrPrtry><Cd>BILL</Cd></CdOrPrtry></Tp><Nb></Nb></RfrdDocInf><CdtrRefInf><Tp><CdOrPrtry><Cd>QRR</Cd></CdOrPrtry></Tp><Ref>RF18539007547034</Ref></CdtrRefInf></Strd>',
    [
      `error value ${first}/RmtInf/Strd/RfrdDocInf/Tp/CdOrPrtry/Cd`,
      `error empty ${first}/RmtInf/Strd/RfrdDocInf/Nb`,
      `error value ${first}/RmtInf/Strd/CdtrRefInf/Tp/CdOrPrtry/Cd`,
      `error reference ${first}/RmtInf/Strd/CdtrRefInf/Ref`,
      `error scheme ${first}/RmtInf/Strd/CdtrRefInf/Tp`,
    ],
  ],
  ...(
    [
      [
        'a report',
        '1234567890',
        10,
        (cd: string) => `<RgltryRptg><Dtls><Cd>${cd}</Cd></Dtls></RgltryRptg><RmtInf><Ustrd>Invoice 1`,
        '<RmtInf><Ustrd>Invoice 1',
        'RgltryRptg/Dtls/Cd',
      ],
      [
        'a clearing system',
        'DEBLZ',
        5,
        (cd: string) =>
          `<CdtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>${cd}</Cd></ClrSysId><MmbId>10020030</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt><Cdtr><Nm>Shop`,
        '<Cdtr><Nm>Shop',
        'CdtrAgt/FinInstnId/ClrSysMmbId/ClrSysId/Cd',
      ],
      [
        'a local instrument',
        'INSTANT',
        35,
        (cd: string) => `<PmtTpInf><LclInstrm><Cd>${cd}</Cd></LclInstrm></PmtTpInf><Amt>`,
        '<Amt>',
        'PmtTpInf/LclInstrm/Cd',
      ],
    ] as const
  ).flatMap(([title, right, most, written, from, at]): [string, string, string, string[]][] => [
    [`the code of ${title}`, from, written(right), []],
    [`a long code of ${title}`, from, written('A'.repeat(most + 1)), [`error value ${first}/${at}`]],
  ]),
  ['an attribute', '<Cdtr><Nm>Shop', '<Cdtr><Nm lang="de">Shop', [`error unexpected ${first}/Cdtr/Nm`]],
  ['an attribute of a batch', '<PmtMtd>', '<PmtMtd Ccy="EUR">', ['error unexpected PmtInf[1]/PmtMtd']],
  [
    'an attribute of a container',
    '<CstmrCdtTrfInitn>',
    '<CstmrCdtTrfInitn id="1">',
    ['error unexpected CstmrCdtTrfInitn'],
  ],
  [
    'more than SEPA moves',
    '>12.25<',
    '>1000000000.00<',
    [
      `error scheme ${first}/Amt/InstdAmt`,
      'error control-sum GrpHdr/CtrlSum',
      'error control-sum PmtInf[1]/CtrlSum',
    ],
  ],
])('the lint of pain.001 finds %s', async (_, from, to, expected) => {
  expect(good).toContain(from);
  expect((await told(good.replace(from, to))).sort()).toEqual(expected.sort());
});

// The two sides of P13, each run as a process of its own: `obk` or `builder`. The last line is the peak in bytes.
import { createHash } from 'node:crypto';
import { XMLBuilder } from 'fast-xml-parser';
import { pain001Namespace, writePain001 } from '../../src/standard/formats/payments/pain001.ts';

const count = 100_000;
const iban = 'DE89370400440532013000';

function* payments() {
  for (let at = 0; at < count; at += 1) {
    yield {
      endToEndIdentification: `E2E-${at}`,
      instructedAmount: { currency: 'EUR', amount: `${(at % 900) + 1}.${String(at % 100).padStart(2, '0')}` },
      creditorAccount: { iban },
      creditorName: `Creditor ${at} & Sons`,
      remittanceInformationUnstructured: `Invoice ${at}`,
    };
  }
}

async function obk(): Promise<void> {
  const hash = createHash('sha256');
  const message = {
    scheme: 'sepa-credit-transfers',
    messageId: 'MESSAGE-1',
    createdAt: '2026-11-21T10:00:00Z',
    initiatingParty: 'Bench TPP',
    debtorAccount: { iban },
    debtorName: 'Bench Payer',
    payments,
  } as const;
  for await (const chunk of writePain001(message)) hash.update(chunk);
  hash.digest();
}

/** The whole document as an object and as a text, as one would do it with the library alone. */
function builder(): void {
  let cents = 0n;
  const transactions = [];
  for (const payment of payments()) {
    const { amount, currency } = payment.instructedAmount;
    cents += BigInt(amount.replace('.', ''));
    transactions.push({
      PmtId: { EndToEndId: payment.endToEndIdentification },
      Amt: { InstdAmt: { '#text': amount, '@_Ccy': currency } },
      Cdtr: { Nm: payment.creditorName },
      CdtrAcct: { Id: { IBAN: payment.creditorAccount.iban } },
      RmtInf: { Ustrd: payment.remittanceInformationUnstructured },
    });
  }
  const totals = {
    NbOfTxs: count,
    CtrlSum: `${String(cents / 100n)}.${String(cents % 100n).padStart(2, '0')}`,
  };
  const initiation = {
    GrpHdr: {
      MsgId: 'MESSAGE-1',
      CreDtTm: '2026-11-21T10:00:00Z',
      ...totals,
      InitgPty: { Nm: 'Bench TPP' },
    },
    PmtInf: {
      PmtInfId: 'MESSAGE-1',
      PmtMtd: 'TRF',
      ...totals,
      PmtTpInf: { SvcLvl: { Cd: 'SEPA' } },
      ReqdExctnDt: '2026-11-21',
      Dbtr: { Nm: 'Bench Payer' },
      DbtrAcct: { Id: { IBAN: iban } },
      DbtrAgt: { FinInstnId: { Othr: { Id: 'NOTPROVIDED' } } },
      ChrgBr: 'SLEV',
      CdtTrfTxInf: transactions,
    },
  };
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the anchor of the goal
  const text = new XMLBuilder({ ignoreAttributes: false }).build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    Document: { '@_xmlns': pain001Namespace, CstmrCdtTrfInitn: initiation },
  });
  createHash('sha256').update(text).digest();
}

if (process.argv[2] === 'builder') builder();
else await obk();
process.stdout.write(`${String(process.resourceUsage().maxRSS * 1024)}\n`);

import { expect, it } from 'vitest';
import { reading } from './reading.ts';

const camt = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>S</Id>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Bal>
<Ntry><Amt Ccy="EUR">0.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts></Ntry></Stmt></BkToCstmrStmt></Document>`;
const mt940 = ':20:1\n:25:X\n:28C:1/1\n:60F:D260101EUR0,00\n:61:260102D0,00NTRFX\n:62F:D260102EUR0,00\n-\n';

it.each([
  ['camt', camt],
  ['MT940', mt940],
])('a zero is written without a sign: %s', async (_, report) => {
  const { items } = await reading(report);
  const amounts = items.flatMap((item) =>
    item.kind === 'row' ? [item.row.amount] : item.kind === 'balance' ? [item.balance.amount] : [],
  );
  expect(new Set(amounts)).toEqual(new Set(['0.00']));
});

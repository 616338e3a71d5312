import { cardInvoices } from './card-past.ts';
import { diceOf, exchanged, pastBefore, shops } from './seeded-past.ts';
import type { Dice, Month, Past } from './seeded-past.ts';
import { ownIban } from '../books/iban.ts';

/** Other people's accounts: no bank has these numbers. */
const foreignIban = (n: number) => ownIban('DE', 8_000_000 + n);
const lender = 'DE98ZZZ09999999999';

/** Three years of a household: salary, rent, shopping, direct debits, fees, and what is left goes to savings. */
export function householdPast(iban: string, before: string, card: string | undefined): Past[] {
  const dice = diceOf(iban);
  const rent = BigInt(dice.between(650, 1150) * 100);
  const salary = rent + BigInt(dice.between(1500, 2300) * 100);
  const employer = dice.pick(['Nordlicht GmbH', 'Brueckenbau AG', 'Stadtwerke Havel']);
  const invoices = card === undefined ? new Map<string, bigint>() : cardInvoices(card, before);
  return pastBefore(before, (month) => {
    let left = 0n;
    const spend = (day: number, hour: number, past: Omit<Past, 'bookedAt'>) => {
      left += past.minor;
      month.add(day, hour, past);
    };
    spend(1, 6, {
      minor: -rent,
      name: 'Hausverwaltung Nord',
      iban: foreignIban(1),
      remittance: `Rent ${month.name}`,
      endToEndId: 'NOTPROVIDED',
      details: { bankTransactionCode: 'PMNT-ICDT-STDO', proprietaryBankTransactionCode: 'STO+117' },
    });
    spend(27, 5, {
      minor: salary,
      name: employer,
      iban: foreignIban(2),
      remittance: `Salary ${month.name}`,
      endToEndId: `SAL-${month.name}`,
      details: { bankTransactionCode: 'PMNT-RRCT-SALA', purposeCode: 'SALA' },
    });
    directDebits(month, dice, spend);
    shopping(month, dice, spend);
    const invoice = invoices.get(month.name);
    if (invoice !== undefined)
      spend(12, 5, {
        minor: -invoice,
        name: 'Credit card',
        remittance: `Card invoice ${month.name}`,
        details: { bankTransactionCode: 'PMNT-CCRD-POSC' },
      });
    if (month.index % 3 === 2)
      spend(28, 4, {
        minor: -990n,
        name: 'obk test bank',
        remittance: 'Account fee of the quarter',
        details: { bankTransactionCode: 'ACMT-MDOP-CHRG', additionalInformation: 'Fee of the quarter' },
      });
    if (left > 5000n)
      spend(28, 6, {
        minor: -(left / 1000n) * 1000n,
        name: 'Savings',
        iban: foreignIban(3),
        remittance: 'Savings',
        details: { bankTransactionCode: 'PMNT-ICDT-ESCT', purposeCode: 'SAVG' },
      });
  });
}

type Spend = (day: number, hour: number, past: Omit<Past, 'bookedAt'>) => void;

function directDebits({ name, index }: Month, dice: Dice, spend: Spend): void {
  const debit = (payee: string, mandateId: string, cents: number) => ({
    minor: -BigInt(cents),
    name: payee,
    iban: foreignIban(payee.length + 10),
    remittance: `${payee} ${name}`,
    endToEndId: `${mandateId}-${name}`,
    details: { bankTransactionCode: 'PMNT-RDDT-ESDD', mandateId, creditorId: lender },
  });
  spend(3, 5, debit('Havel Energy', 'MND-4711', 8900));
  spend(5, 5, debit('Mobilfunk Eins', 'MND-0815', 2499 + dice.between(0, 3) * 100));
  if (index % 6 === 3) spend(15, 5, debit('Spree Insurance', 'MND-2207', 18_640));
  if (index % 12 !== 7) return;
  // A direct debit that the PSU returns.
  const wrong = debit('Lottery Club', 'MND-9999', 2900);
  spend(9, 5, wrong);
  spend(11, 9, {
    ...wrong,
    minor: 2900n,
    remittance: `Return: ${wrong.remittance}`,
    details: {
      ...wrong.details,
      bankTransactionCode: 'PMNT-RDDT-UPDD',
      additionalInformation: 'Returned by the customer (MD06)',
    },
  });
}

function shopping({ name, index }: Month, dice: Dice, spend: Spend): void {
  for (let times = dice.between(7, 10); times > 0; times -= 1) {
    const [shop, town, , from, to] = dice.pick(shops);
    spend(dice.between(1, 28), dice.between(8, 20), {
      minor: -BigInt(dice.between(from, to)),
      name: shop,
      remittance: `${shop}, ${town}`,
      details: { bankTransactionCode: 'PMNT-CCRD-POSD' },
    });
  }
  spend(dice.between(2, 26), 12, {
    minor: -BigInt(dice.between(2, 10) * 1000),
    name: 'Cash machine Mitte',
    remittance: 'Cash withdrawal',
    details: { bankTransactionCode: 'PMNT-CCRD-CWDL' },
  });
  if (index % 5 === 1) {
    const [shop, town, , from, to] = dice.pick(shops);
    spend(dice.between(6, 25), 14, {
      minor: BigInt(dice.between(from, to)),
      name: shop,
      remittance: `Refund ${shop}, ${town}`,
      details: { bankTransactionCode: 'PMNT-CCRD-RIMB' },
    });
  }
  if (index % 2 === 0) return;
  const day = dice.between(4, 24);
  const { shop, minor, original, exchange } = exchanged(dice, `${name}-${String(day).padStart(2, '0')}`);
  spend(day, 15, {
    minor: -minor,
    name: shop[0],
    remittance: `${shop[0]}, ${shop[1]} ${original.amount} ${original.currency}`,
    details: { bankTransactionCode: 'PMNT-CCRD-POSD', currencyExchange: [exchange] },
  });
  spend(day + 1, 4, {
    minor: -((minor * 175n + 5000n) / 10_000n),
    name: 'obk test bank',
    remittance: 'Fee for foreign currency 1.75 %',
    details: { bankTransactionCode: 'PMNT-CCRD-CHRG' },
  });
}

/** A sub-account in another currency: a sale each month, and what is bought of it. */
export function foreignPast(iban: string, currency: string, before: string): Past[] {
  const dice = diceOf(`${iban} ${currency}`);
  return pastBefore(before, (month) => {
    const income = dice.between(400, 900) * 100;
    month.add(10, 9, {
      minor: BigInt(income),
      name: 'Overseas Trading Ltd',
      remittance: `Invoice ${month.name}`,
      endToEndId: `INV-${month.name}`,
      details: { bankTransactionCode: 'PMNT-RCDT-XBCT' },
    });
    month.add(20, 11, {
      minor: -BigInt(income - dice.between(0, 2000)),
      name: 'Web Hosting Inc',
      remittance: `Subscription ${month.name}`,
      details: { bankTransactionCode: 'PMNT-ICDT-XBCT' },
    });
  });
}

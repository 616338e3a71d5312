import {
  abroad,
  debtorAccount,
  front,
  instant,
  lawful,
  one,
  second,
  sepa,
  standing,
  target2,
  x,
} from './bodies.ts';
import type { Row } from './bodies.ts';

const eur = (amount: unknown) => ({ instructedAmount: { currency: 'EUR', amount } });
const payee = (creditorAccount: unknown) => ({ creditorAccount });
const payer = (account: unknown) => ({ debtorAccount: account });

// 14.1: a text, a dot, at most 14 digits before it, the decimals of the currency.
const amounts: Row[] = [
  one(sepa, eur('1056'), lawful),
  one(sepa, eur('5768.2'), lawful),
  one(sepa, eur('0.01'), lawful),
  // The pattern of the file has leading zeros.
  one(sepa, eur('007.50'), lawful),
  one(target2, eur('99999999999999.99'), lawful),
  one(sepa, eur('0.00'), '/instructedAmount/amount'),
  one(sepa, eur('-1.50'), '/instructedAmount/amount'),
  one(sepa, eur('+1.50'), '/instructedAmount/amount'),
  one(sepa, eur('1.505'), '/instructedAmount/amount'),
  one(sepa, eur('1,50'), '/instructedAmount/amount'),
  one(sepa, eur('1.'), '/instructedAmount/amount'),
  one(sepa, eur('.50'), '/instructedAmount/amount'),
  one(sepa, eur('1e2'), '/instructedAmount/amount'),
  one(sepa, eur(' 1.50'), '/instructedAmount/amount'),
  one(sepa, eur(''), '/instructedAmount/amount'),
  one(sepa, eur('100000000000000'), '/instructedAmount/amount'),
  one(sepa, eur(1.5), '/instructedAmount/amount'),
  one(sepa, eur(null), '/instructedAmount/amount'),
  one(sepa, eur(['1.50']), '/instructedAmount/amount'),
  one(sepa, { instructedAmount: { currency: 'EUR' } }, '/instructedAmount/amount'),
  one(sepa, { instructedAmount: { amount: '1.50' } }, '/instructedAmount/currency'),
  one(sepa, { instructedAmount: '1.50 EUR' }, '/instructedAmount'),
  one(sepa, { instructedAmount: [{ currency: 'EUR', amount: '1.50' }] }, '/instructedAmount'),
  one(sepa, { instructedAmount: undefined }, '/instructedAmount'),
  one(sepa, { instructedAmount: null }, '/instructedAmount'),
  one(sepa, { instructedAmount: { currency: 'EUR', amount: '1.50', fee: '0' } }, lawful),
  second(sepa, eur('0'), '/payments/1/instructedAmount/amount'),
  second(target2, eur(12), '/payments/1/instructedAmount/amount'),
  standing(sepa, eur('12.345'), '/instructedAmount/amount'),
  // The rulebooks of SEPA end at 999,999,999.99; the interface does not, and a bank may have another limit of its own.
  one(sepa, eur('1000000000.00'), lawful),
  one(instant, eur('1000000000.00'), lawful),
  second(sepa, eur('1000000000.00'), lawful),
];

// EPC125-05, TARGET: these three products are in euro.
const currencies: Row[] = [
  one(sepa, { instructedAmount: { currency: 'USD', amount: '5' } }, '/instructedAmount/currency'),
  one(instant, { instructedAmount: { currency: 'SEK', amount: '5' } }, '/instructedAmount/currency'),
  one(target2, { instructedAmount: { currency: 'USD', amount: '5' } }, '/instructedAmount/currency'),
  second(
    target2,
    { instructedAmount: { currency: 'CHF', amount: '5' } },
    '/payments/1/instructedAmount/currency',
  ),
  standing(sepa, { instructedAmount: { currency: 'GBP', amount: '5' } }, '/instructedAmount/currency'),
  one(abroad, { instructedAmount: { currency: 'USD', amount: '5.25' } }, lawful),
  one(abroad, { instructedAmount: { currency: 'JPY', amount: '500' } }, lawful),
  one(abroad, { instructedAmount: { currency: 'TND', amount: '5.125' } }, lawful),
  one(abroad, { instructedAmount: { currency: 'JPY', amount: '500.5' } }, '/instructedAmount/amount'),
  one(abroad, { instructedAmount: { currency: 'usd', amount: '5' } }, '/instructedAmount/currency'),
  one(sepa, { instructedAmount: { currency: 'eur', amount: '5' } }, '/instructedAmount/currency'),
  one(abroad, { instructedAmount: { currency: 'US', amount: '5' } }, '/instructedAmount/currency'),
  one(abroad, { instructedAmount: { currency: '', amount: '5' } }, '/instructedAmount/currency'),
  one(abroad, { instructedAmount: { currency: 978, amount: '5' } }, '/instructedAmount/currency'),
  one(abroad, { currencyOfTransfer: 'USD' }, lawful),
  one(abroad, { currencyOfTransfer: 'usd' }, '/currencyOfTransfer'),
  one(abroad, { currencyOfTransfer: ['USD'] }, '/currencyOfTransfer'),
];

// 14.2: exactly one identification, and perhaps a currency.
const accounts: Row[] = [
  one(sepa, { debtorAccount: undefined }, '/debtorAccount'),
  front(sepa, { debtorAccount: undefined }, '/debtorAccount'),
  standing(sepa, { debtorAccount: undefined }, '/debtorAccount'),
  one(sepa, { creditorAccount: undefined }, '/creditorAccount'),
  second(sepa, { creditorAccount: undefined }, '/payments/1/creditorAccount'),
  one(sepa, payee({ iban: 'fr1420041010050500013m02606' }), '/creditorAccount/iban'),
  // The file has small letters after the check digits; the electronic form of ISO 13616 has none, and no bank's table of accounts.
  one(sepa, payee({ iban: 'FR1420041010050500013m02606' }), '/creditorAccount/iban'),
  one(sepa, payee({ iban: 'FR14 2004 1010 0505 0001 3M02 606' }), '/creditorAccount/iban'),
  one(sepa, payee({ iban: 'FR1520041010050500013M02606' }), '/creditorAccount/iban'),
  one(sepa, payee({ iban: 'FR1420041010050500013M0260' }), '/creditorAccount/iban'),
  one(sepa, payee({ iban: 'ZZ1420041010050500013M02606' }), '/creditorAccount/iban'),
  one(sepa, payee({ iban: '' }), '/creditorAccount/iban'),
  one(sepa, payee({ iban: 14 }), '/creditorAccount/iban'),
  one(sepa, payee({ iban: ['FR1420041010050500013M02606'] }), '/creditorAccount/iban'),
  one(sepa, payer({ iban: null }), '/debtorAccount/iban'),
  front(sepa, payer({ iban: 'DE88370400440532013000' }), '/debtorAccount/iban'),
  second(instant, payee({ iban: 'de89370400440532013000' }), '/payments/1/creditorAccount/iban'),
  standing(target2, payee({ iban: 'DE8937040044053201300' }), '/creditorAccount/iban'),
  // Check digits within a country's account numbers and the borders of SEPA are a doubt of the payer.
  one(sepa, payee({ iban: 'FR8230066631856742938741993' }), lawful),
  one(sepa, payee({ iban: 'BR1800360305000010009795493C1' }), lawful),
  // SEPA pays IBANs, but a bank may know the account by another number: the interface leaves the kind of number open.
  one(sepa, payee({ bban: 'BARC12345612345678' }), lawful),
  second(instant, payee({ bban: 'BARC12345612345678' }), lawful),
  one(abroad, payee({ bban: x(30) }), lawful),
  one(abroad, payee({ bban: x(31) }), '/creditorAccount/bban'),
  one(abroad, payee({ bban: 'BARC 1234' }), '/creditorAccount/bban'),
  one(abroad, payee({ bban: '' }), '/creditorAccount/bban'),
  one(sepa, payer({ pan: '5409050000000000' }), lawful),
  one(sepa, payer({ pan: '5'.repeat(36) }), '/debtorAccount/pan'),
  one(sepa, payer({ maskedPan: '123456xxxxxx1234' }), lawful),
  one(sepa, payer({ msisdn: '+49 170 1234567' }), lawful),
  one(sepa, payer({ msisdn: 491701234567 }), '/debtorAccount/msisdn'),
  one(sepa, payer({}), '/debtorAccount'),
  one(sepa, payer({ currency: 'EUR' }), '/debtorAccount'),
  one(sepa, payer('DE89370400440532013000'), '/debtorAccount'),
  one(sepa, payer([debtorAccount]), '/debtorAccount'),
  one(sepa, payer(null), '/debtorAccount'),
  one(
    sepa,
    payee({ iban: 'FR1420041010050500013M02606', bban: '20041010050500013M02606' }),
    '/creditorAccount',
  ),
  front(sepa, payer({ iban: 'DE89370400440532013000', msisdn: '+49 170 1234567' }), '/debtorAccount'),
  one(sepa, payer({ iban: 'DE89370400440532013000', currency: 'USD' }), lawful),
  one(sepa, payer({ iban: 'DE89370400440532013000', currency: 'euro' }), '/debtorAccount/currency'),
  one(sepa, payer({ iban: 'DE89370400440532013000', currency: null }), '/debtorAccount/currency'),
  // A payment of SEPA goes to an account in euro (EPC125-05).
  one(sepa, payee({ iban: 'FR1420041010050500013M02606', currency: 'USD' }), '/creditorAccount/currency'),
  one(abroad, payee({ iban: 'FR1420041010050500013M02606', currency: 'USD' }), lawful),
  one(sepa, payee({ iban: 'FR1420041010050500013M02606', owner: 'x' }), lawful),
  // 1.3.9 brought `other`; before it a bank reads no account there.
  one(sepa, payee({ other: { identification: '12' } }), '/creditorAccount'),
  one(sepa, payee({ iban: 'FR1420041010050500013M02606', other: { identification: '12' } }), lawful),
];

const agents: Row[] = [
  one(sepa, { creditorAgent: 'AAAADEBBXXX' }, lawful),
  one(abroad, { creditorAgent: 'AAAADEBB' }, lawful),
  one(sepa, { creditorAgent: 'aaaadebbxxx' }, '/creditorAgent'),
  one(abroad, { creditorAgent: 'AAAADEbb' }, '/creditorAgent'),
  one(abroad, { creditorAgent: 'AAAADEBBXX' }, '/creditorAgent'),
  one(abroad, { creditorAgent: 'AAAA DE BB' }, '/creditorAgent'),
  one(abroad, { creditorAgent: 'A1AADEBB' }, '/creditorAgent'),
  one(abroad, { creditorAgent: 'AAAAZZBB' }, '/creditorAgent'),
  one(abroad, { creditorAgent: '' }, '/creditorAgent'),
  one(abroad, { creditorAgent: null }, '/creditorAgent'),
  one(abroad, { creditorAgent: { bic: 'AAAADEBB' } }, '/creditorAgent'),
  second(sepa, { creditorAgent: 'aaaadebb' }, '/payments/1/creditorAgent'),
  standing(sepa, { creditorAgent: 'AAAADEBBxxx' }, '/creditorAgent'),
  one(abroad, { creditorAgentName: x(70) }, lawful),
  one(abroad, { creditorAgentName: x(71) }, '/creditorAgentName'),
];

// 14.4. A name of the other framework is a member that this one does not have, and no reason to refuse a payment.
const addresses: Row[] = [
  one(sepa, { creditorAddress: { country: 'FR' } }, lawful),
  one(
    abroad,
    { creditorAddress: { country: 'FR', street: 'rue bleue', city: 'Paris', postalCode: '75000' } },
    lawful,
  ),
  one(
    abroad,
    { creditorAddress: { country: 'FR', streetName: x(70), townName: x(35), postCode: x(16) } },
    lawful,
  ),
  one(abroad, { creditorAddress: { country: 'FR', streetName: x(71) } }, '/creditorAddress/streetName'),
  one(abroad, { creditorAddress: { country: 'FR', street: x(71) } }, '/creditorAddress/street'),
  one(abroad, { creditorAddress: { country: 'FR', townName: x(36) } }, '/creditorAddress/townName'),
  one(
    abroad,
    { creditorAddress: { country: 'FR', buildingNumber: x(17) } },
    '/creditorAddress/buildingNumber',
  ),
  one(abroad, { creditorAddress: { country: 'FR', buildingNumber: 89 } }, '/creditorAddress/buildingNumber'),
  one(abroad, { creditorAddress: { country: 'FR', postCode: '' } }, '/creditorAddress/postCode'),
  one(abroad, { creditorAddress: { country: 'FR', region: 'Nord' } }, lawful),
  // Any two capitals are a country of the file; that ISO 3166 has no ZZ is a doubt of the payer.
  one(sepa, { creditorAddress: { country: 'ZZ' } }, lawful),
  second(sepa, { creditorAddress: { country: 'ZZ' } }, lawful),
  one(sepa, { creditorAddress: { country: 'fr' } }, '/creditorAddress/country'),
  one(sepa, { creditorAddress: { country: 'FRA' } }, '/creditorAddress/country'),
  one(sepa, { creditorAddress: { country: null } }, '/creditorAddress/country'),
  one(sepa, { creditorAddress: { townName: 'Paris' } }, '/creditorAddress/country'),
  one(sepa, { creditorAddress: 'Paris' }, '/creditorAddress'),
  second(abroad, { creditorAddress: ['Paris'] }, '/payments/1/creditorAddress'),
];

/** Amounts, accounts, agents and addresses. */
export const ofValues: readonly Row[] = [amounts, currencies, accounts, agents, addresses].flat();

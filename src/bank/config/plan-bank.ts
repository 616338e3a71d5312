import { defined } from '../../base/defined.ts';
import { existsSync } from 'node:fs';
import { isXmlProduct } from '../../standard/xs2a/products.ts';
import type { JsonProduct } from '../../standard/xs2a/products.ts';
import type { AccountFacts } from '../books/accounts.ts';
import type { Order } from '../books/order.ts';
import { madeFrom, usualSeed } from '../books/made.ts';
import { ownIban } from '../books/iban.ts';
import { parseJson, readJsonOrder } from '../payments/order-json.ts';
import type { Terms } from '../payments/order-json.ts';
import { Refusal } from '../rules/refusal.ts';
import { standardScenario } from '../rules/scenario.ts';
import type { AccountPlan, EntryPlan } from './account-section.ts';
import type { BankFile } from './config.ts';
import { planPerson } from './people-section.ts';
import type { AccountToOpen, BankPlan, EntryToBook, PersonToAdd } from './plan.ts';
import { checkReferences } from './references.ts';
import type { Names } from './references.ts';
import type { PaymentPlan } from './resources-section.ts';
import type { Report } from '../../settings/documents/shape.ts';
import { minorOf } from './values.ts';

/**
 * Makes the plan of a bank from its file and the files that this names; reports what is wrong with those. `isReady` where the
 * bank has the ready people, too, whose accounts consents and payments may name.
 */
export async function planBank(
  file: BankFile,
  absolute: (name: string) => string,
  report: Report,
  isReady = false,
): Promise<BankPlan> {
  const seed = file.seed ?? usualSeed;
  const people: PersonToAdd[] = [];
  // Those who could not be read have been told already.
  if (file.people.length === 0 && !isReady && report.faults.length === 0)
    report.add({ ...file.where.of('people'), path: 'people' }, nobody);
  for (const read of file.people) people.push(await planCustomer(read, { seed, absolute, report }));
  for (const { certificates, where } of file.tpps)
    for (const name of certificates)
      if (!existsSync(absolute(name)))
        report.add(where.of('certificates'), `there is no file ${JSON.stringify(name)}`);
  const names = checkReferences(file, people, isReady, report);
  return {
    seed,
    isReady,
    ...defined({ idKey: file.idKey }),
    people,
    scenario: { ...file.scenario, ...file.policy },
    faults: file.faults.map(({ operation, kind, status, delayMs, raw, edit, count }) => ({
      operation,
      kind,
      count,
      ...defined({ status, delayMs, edit }),
      ...(raw === true && { raw }),
    })),
    clients: file.tpps.map(({ id, redirectUris }) => ({ clientId: id, redirectUris })),
    clock: file.clock && { at: file.clock.at, stands: file.clock.stands === true },
    consents: file.consents,
    payments: await planPayments(file, names, report),
  };
}

const nobody =
  'nobody is in it; customers stand here, or come with --people options (doors: { people: options })';

/** Makes a customer with accounts of what the file says. */
export async function planCustomer(
  read: BankFile['people'][number],
  around: Omit<Surroundings, 'place'>,
): Promise<PersonToAdd> {
  const { accounts, where: _where, ...person } = planPerson(read);
  const opened: AccountToOpen[] = [];
  for (const [index, account] of accounts.entries())
    opened.push(await planAccount(account, { ...around, place: `${read.psuId} ${String(index)}` }));
  return { ...person, accounts: opened };
}

interface Surroundings {
  /** Tells accounts without a number apart. */
  place: string;
  seed: string;
  absolute: (name: string) => string;
  report: Report;
}

/** Makes an account of what the file says. */
export async function planAccount(
  read: AccountPlan,
  { place, seed, absolute, report }: Surroundings,
): Promise<AccountToOpen> {
  const { bban, msisdn, pan, maskedPan } = read;
  const currency = read.currency ?? 'EUR';
  const isNamed = [read.iban, bban, msisdn, pan, maskedPan].some((number) => number !== undefined);
  const iban = isNamed ? read.iban : madeIban(seed, place);
  const minor = (amount: string) => {
    const judged = minorOf(amount, currency);
    return judged.ok ? judged.value : 0n;
  };
  const balance = minor(
    read.balance ??
      read.balances?.find(({ balanceType }) => /Booked|expected/.test(balanceType))?.amount ??
      read.balances?.[0]?.amount ??
      '0',
  );
  const numbers = [iban, bban ?? iban?.slice(4), msisdn, pan, maskedPan].filter(
    (number) => number !== undefined,
  );
  const entries: EntryToBook[] = (read.transactions ?? []).map((one) => entryFrom(one, minor, report));
  if (read.files !== undefined) {
    const { readEntryFile } = await import('./entry-files.ts');
    const files = read.where.of('files');
    for (const name of read.files) {
      const found = await readEntryFile(absolute(name), { numbers, currency });
      if ('why' in found) report.add(files, `${name}: ${found.why}`);
      else entries.push(...found.entries);
    }
  }
  const { generated } = read;
  return {
    ...{ numbers, currency, iban, bban, msisdn, pan, maskedPan },
    name: read.name ?? 'Account',
    balance,
    creditLimit: read.creditLimit === undefined ? undefined : minor(read.creditLimit),
    settledBy: read.settledBy?.replace(/ /g, '').toUpperCase(),
    hasHistory: read.past === undefined,
    facts: factsOf(read, (amount) => minor(amount) - balance),
    entries,
    generated: generated && {
      seed: generated.seed ?? `${seed} ${place}`,
      perDay: generated.perDay,
      from: generated.from,
      to: generated.to,
    },
  };
}

/** Whatever is said of an account; nothing of one for which the bank inside makes things up. */
function factsOf(read: AccountPlan, ahead: (amount: string) => bigint): AccountFacts | undefined {
  const balances = read.balances?.map(({ balanceType, amount, creditLimitIncluded }) => ({
    balanceType,
    ahead: String(ahead(amount)),
    ...defined({ creditLimitIncluded }),
  }));
  const facts: AccountFacts = {
    ...told({ ...read, ownerName: read.owner }, factNames),
    ...told({ balances }, ['balances']),
  };
  const isMadeUp = read.deposits === true || (read.deposits === undefined && read.past !== undefined);
  return isMadeUp && Object.keys(facts).length === 0
    ? undefined
    : { ...facts, ...(isMadeUp && { deposits: true }) };
}

/** The members of an account's facts that its section names alike, but for the owner. */
const factNames = [
  'ownerName',
  'displayName',
  'product',
  'cashAccountType',
  'status',
  'usage',
  'bic',
  'details',
  'linkedAccounts',
] as const satisfies readonly (keyof AccountFacts)[];

/** Those of the named members that have a value. */
function told<Of extends object, Name extends keyof Of>(
  of: Of,
  names: readonly Name[],
): { [Key in Name]?: Exclude<Of[Key], undefined> } {
  return Object.fromEntries(names.flatMap((name) => (of[name] === undefined ? [] : [[name, of[name]]]))) as {
    [Key in Name]?: Exclude<Of[Key], undefined>;
  };
}

/** An IBAN for an account without a number, the same one each time; the bank's own people have others. */
function madeIban(seed: string, place: string): string {
  const bytes = Buffer.from(madeFrom(seed, `iban of ${place}`), 'base64url');
  return ownIban('DE', 1_000_000_000 + (bytes.readUIntBE(0, 6) % 8_000_000_000));
}

/** The members of an entry that the wire names alike, and that have no column of their own. */
const detailNames = [
  'mandateId',
  'creditorId',
  'purposeCode',
  'bankTransactionCode',
  'proprietaryBankTransactionCode',
  'additionalInformation',
] as const;

function entryFrom(read: EntryPlan, minor: (amount: string) => bigint, report: Report): EntryToBook {
  const valueDate = read.valueDate === read.bookingDate ? undefined : read.valueDate;
  const details = {
    ...defined({ valueDate }),
    ...told(read, detailNames),
    ...moreOf(read, report),
  };
  return {
    day: read.bookingDate,
    minor: minor(read.amount),
    name: read.counterpartyName,
    account: read.counterpartyAccount,
    remittance: read.remittanceInformationUnstructured,
    endToEndId: read.endToEndId,
    bookedAt: read.bookedAt,
    instructed: read.instructed,
    paymentId: read.paymentId,
    part: read.part,
    entryId: read.transactionId === undefined ? undefined : BigInt(read.transactionId.slice(1)),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

function moreOf({ more, where }: EntryPlan, report: Report): object {
  if (more === undefined) return {};
  try {
    const value: unknown = JSON.parse(more);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  report.add(where.of('more'), 'it is not a JSON object');
  return {};
}

async function planPayments(
  file: BankFile,
  names: Names,
  report: Report,
): Promise<BankPlan['payments'][number][]> {
  const planned: BankPlan['payments'][number][] = [];
  for (const plan of file.payments) {
    const bytes = Buffer.from(plan.body.kind === 'text' ? plan.body.text : JSON.stringify(plan.body.value));
    try {
      const order = await orderOf(plan, bytes);
      if (plan.former || names.has(order.debtor)) planned.push({ plan, order, bytes });
      else
        report.add(plan.body.place, names.why(order.debtor, 'no account of this file is the debtor account'));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      report.add(plan.body.place, error.message.replace(/\.$/, ''));
    }
  }
  return planned;
}

/** The order in the body of a payment, as the interface would have read it on the day of the payment. */
async function orderOf(plan: PaymentPlan, bytes: Uint8Array): Promise<Order> {
  const { framework, service, product } = plan;
  const terms: Terms = {
    framework,
    service,
    product: product.replace(/^pain\.001-/, '') as JsonProduct,
    // A day that has passed was one to come then.
    today: plan.createdAt?.slice(0, 10) ?? '0000-01-01',
    scenario: standardScenario,
  };
  if (!isXmlProduct(product)) return readJsonOrder(parseJson(bytes), terms);
  const { readXmlOrder, readXmlStandingOrder } = await import('../payments/order-xml.ts');
  return service === 'periodic-payments'
    ? readXmlStandingOrder(plan.contentType ?? '', bytes, terms)
    : readXmlOrder(bytes, terms);
}

import { defined } from '../../../base/defined.ts';
import { fieldFault, missingFields, readingOf } from '../../../client/orders/payment-fields.ts';
import type { FieldName, PaymentFields } from '../../../client/orders/payment-fields.ts';
import type { Person } from '../../../client/ports/person.ts';
import { frequencies, valuesIn } from '../../../standard/xs2a/code-lists.ts';
import type { Framework } from '../../../standard/xs2a/variants.ts';
import { grouped } from '../output/for-person.ts';
import { question } from '../flags/prompts.ts';

const amountQuestion = { name: 'amount', text: 'Amount' } as const;

const questions = [
  { name: 'debtor', text: 'Pay from account (IBAN)' },
  { name: 'debtorName', text: 'Name of the payer', only: 'pain.001' },
  { name: 'initiatingParty', text: 'Name of the party that starts the payment', only: 'pain.001' },
  { name: 'creditorName', text: 'Name of the payee' },
  { name: 'creditorAccount', text: 'Account of the payee (IBAN)' },
  { name: 'creditorAgent', text: 'Bank of the payee (BIC, may be empty)', only: 'cross-border' },
  {
    name: 'creditorAddress',
    text: 'Address of the payee (street=...; city=...; country=GB, may be empty)',
    only: 'cross-border',
  },
  {
    name: 'chargeBearer',
    text: 'Who bears the charges (DEBT, CRED, SHAR, may be empty)',
    only: 'cross-border',
  },
  amountQuestion,
  { name: 'startDate', text: 'First payment on (YYYY-MM-DD)', only: 'periodic-payments' },
  { name: 'frequency', text: 'How often', only: 'periodic-payments' },
  { name: 'remittance', text: 'Text for the payee (may be empty)' },
] as const satisfies readonly { name: FieldName; text: string; only?: string }[];

type Asked = (typeof questions)[number]['name'];

const optional: readonly FieldName[] = ['creditorAgent', 'creditorAddress', 'chargeBearer', 'remittance'];

/** The names of parties that a pain.001 has, and JSON has not. */
export const painNames = ['debtorName', 'initiatingParty'] as const satisfies readonly FieldName[];

/** Whether a field has a question, and so a variable that answers it. */
export function isAsked(name: FieldName): name is Asked {
  return questions.some((asked) => asked.name === name);
}

/** The known facts of the payment, and the account to offer. */
interface Asking {
  debtor: string | undefined;
  service: string;
  product: string;
  isPain: boolean;
  framework: Framework;
}

/** Asks for what is not there yet, each answer checked at once. */
export async function askFields(
  person: Person,
  given: PaymentFields,
  asking: Asking,
): Promise<PaymentFields> {
  const { debtor, service, isPain, framework } = asking;
  const fields = { ...given };
  const preset = debtor === undefined ? {} : { debtor };
  const currency = fields.currency ?? 'EUR';
  const meant = readingOf(fields);
  if (meant !== undefined)
    fields.amount = await askText(person, { ...amountQuestion, currency, suggested: meant, again: true });
  // A person who gave the whole payment by flags is not asked for the parts that may be absent.
  if (missingFields({ ...preset, ...fields }, service, isPain).length === 0) return { ...preset, ...fields };
  for (const one of questions) {
    const { name, text } = one;
    if (fields[name] !== undefined || !fits(one, asking)) continue;
    if (name === 'frequency') {
      fields.frequency = await askFrequency(person, framework);
      continue;
    }
    if (name === 'debtorName' || name === 'initiatingParty') {
      Object.assign(fields, await askNames(person, fields, [name]));
      continue;
    }
    const suggested = name === 'debtor' ? debtor : optional.includes(name) ? '' : undefined;
    const answer = await askText(person, { name, text, currency, suggested });
    if (answer !== '') fields[name] = answer;
  }
  return fields;
}

/** Whether a field is one of this payment. */
function fits(one: { name: FieldName; only?: string }, { service, product, isPain }: Asking): boolean {
  const { only = '' } = one;
  return only === 'pain.001' ? isPain : only === service || product.includes(only);
}

/** Asks for the names of a pain.001 that are not there yet; most payers start their payments themselves. */
export async function askNames(
  person: Person,
  given: Pick<PaymentFields, (typeof painNames)[number]>,
  names: readonly (typeof painNames)[number][] = painNames,
): Promise<typeof given> {
  const fields = { ...given };
  for (const { name, text } of questions) {
    if (name !== 'debtorName' && name !== 'initiatingParty') continue;
    if (!names.includes(name) || fields[name] !== undefined) continue;
    const suggested = name === 'initiatingParty' ? fields.debtorName : undefined;
    fields[name] = await askText(person, { name, text, currency: 'EUR', suggested });
  }
  return fields;
}

/** One line for a field; an amount that is written with other separators is asked again, with what it means as the default. */
async function askText(
  person: Person,
  asked: {
    name: Asked;
    text: string;
    currency: string;
    suggested: string | undefined;
    again?: boolean;
    /** What was typed last was understood, and is asked about once. */
    understood?: boolean;
  },
): Promise<string> {
  const { name, text, currency, suggested, again, understood = false } = asked;
  const mayBeEmpty = optional.includes(name);
  const meaning = (value: string) =>
    name === 'amount' && !understood ? readingOf({ amount: value, currency }) : undefined;
  const answer = await person.ask({
    ...question(name, name === 'amount' ? `${text} (${currency})` : text),
    ...defined({ default: suggested, again }),
    check: (value) =>
      (mayBeEmpty && value === '') || meaning(value) !== undefined
        ? undefined
        : name === 'amount' && value.includes(',')
          ? 'write it as 1250.50, with a dot and nothing between the thousands'
          : fieldFault(name, value, { currency }),
  });
  const meant = meaning(answer);
  return meant === undefined
    ? answer
    : askText(person, { ...asked, suggested: meant, again: true, understood: true });
}

/** Lets a person change one field of a payment that is asked about; undefined where all is to stay unsent. */
export async function changeField(
  person: Person,
  fields: PaymentFields,
  framework: Framework,
): Promise<PaymentFields | undefined> {
  const known = questions.filter(({ name }) => fields[name] !== undefined || name === 'remittance');
  const options = known.map(({ name, text }) => ({
    value: name,
    name: `change: ${text}  ${grouped(fields[name] ?? '', {})}`,
  }));
  const what = { id: 'change', flag: '', env: '', text: 'What now?', again: true };
  const stop = { value: 'stop', name: 'stop; nothing is sent' };
  const chosen = await person.choose({ ...what, options: [stop, ...options] });
  const field = known.find(({ name }) => name === chosen);
  if (field === undefined) return undefined;
  const { name, text } = field;
  if (name === 'frequency')
    return { ...fields, frequency: await askFrequency(person, framework, { again: true }) };
  const currency = fields.currency ?? 'EUR';
  const answer = await askText(person, { name, text, currency, suggested: fields[name] ?? '', again: true });
  const { [name]: _, ...others } = fields;
  return answer === '' ? others : { ...others, [name]: answer };
}

function askFrequency(person: Person, framework: Framework, how: { again?: boolean } = {}): Promise<string> {
  const codes = valuesIn(framework, frequencies).filter((code) => code !== 'MonthlyVariable');
  return person.choose({
    ...question('frequency', 'How often'),
    ...how,
    options: codes.map((code) => ({ value: code, name: code })),
  });
}

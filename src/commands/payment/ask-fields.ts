import { fieldFault, missingFields } from '../../flows/orders/payment-fields.ts';
import type { FieldName, PaymentFields } from '../../flows/orders/payment-fields.ts';
import type { Person } from '../../ports/person.ts';
import { frequencies, valuesIn } from '../../xs2a/code-lists.ts';
import type { Framework } from '../../xs2a/variants.ts';
import { question } from '../flags/prompts.ts';

const questions = [
  { name: 'debtor', text: 'Pay from account (IBAN)' },
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
  { name: 'amount', text: 'Amount' },
  { name: 'startDate', text: 'First payment on (YYYY-MM-DD)', only: 'periodic-payments' },
  { name: 'frequency', text: 'How often', only: 'periodic-payments' },
  { name: 'remittance', text: 'Text for the payee (may be empty)' },
] as const satisfies readonly { name: FieldName; text: string; only?: string }[];

type Asked = (typeof questions)[number]['name'];

const optional: readonly FieldName[] = ['creditorAgent', 'creditorAddress', 'chargeBearer', 'remittance'];

/** Whether a field has a question, and so a variable that answers it. */
export function isAsked(name: FieldName): name is Asked {
  return questions.some((asked) => asked.name === name);
}

/** The known facts of the payment, and the account to offer. */
interface Asking {
  debtor: string | undefined;
  service: string;
  product: string;
  framework: Framework;
}

/** Asks for what is not there yet, each answer checked at once. */
export async function askFields(
  person: Person,
  given: PaymentFields,
  { debtor, service, product, framework }: Asking,
): Promise<PaymentFields> {
  const fields = { ...given };
  const preset = debtor === undefined ? {} : { debtor };
  // A person who gave the whole payment by flags is not asked for the parts that may be absent.
  if (missingFields({ ...preset, ...fields }, service).length === 0) return { ...preset, ...fields };
  const currency = fields.currency ?? 'EUR';
  for (const { name, text, ...rest } of questions) {
    const only = 'only' in rest ? rest.only : '';
    const fits = only === service || product.includes(only);
    if (fields[name] !== undefined || !fits) continue;
    if (name === 'frequency') {
      const codes = valuesIn(framework, frequencies).filter((code) => code !== 'MonthlyVariable');
      fields.frequency = await person.choose({
        ...question('frequency', text),
        options: codes.map((code) => ({ value: code, name: code })),
      });
      continue;
    }
    const mayBeEmpty = optional.includes(name);
    const suggested = name === 'debtor' ? debtor : mayBeEmpty ? '' : undefined;
    const answer = await person.ask({
      ...question(name, name === 'amount' ? `${text} (${currency})` : text),
      ...(suggested === undefined ? {} : { default: suggested }),
      check: (value) => (mayBeEmpty && value === '' ? undefined : fieldFault(name, value, currency)),
    });
    if (answer !== '') fields[name] = answer;
  }
  return fields;
}

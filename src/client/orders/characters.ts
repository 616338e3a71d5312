import { isJsonObject, readJson } from '../../standard/xs2a/json.ts';
import { transliterate } from '../../standard/xs2a/transliteration.ts';
import type { LintFinding, LintOptions } from './lint-json.ts';
import { fieldFlags } from './payment-fields.ts';
import type { FieldName, PaymentFields } from './payment-fields.ts';
import type { PaymentOrder } from './read-order.ts';

/** A text that was written with other characters: where it stands, and both. */
export interface Change {
  place: string;
  from: string;
  to: string;
}

const texts = [
  'debtorName',
  'initiatingParty',
  'creditorName',
  'creditorAddress',
  'remittance',
  'creditorReference',
  'endToEndId',
] as const satisfies readonly FieldName[];

/** The fields in the characters that every bank takes, and what was changed. */
export function transliterated(fields: PaymentFields): { fields: PaymentFields; changes: Change[] } {
  const changes = texts.flatMap((name) => {
    const from = fields[name];
    if (from === undefined) return [];
    const to = name === 'creditorAddress' ? inAddress(from) : transliterate(from);
    return to === from ? [] : [{ name, place: fieldFlags[name], from, to }];
  });
  return { fields: { ...fields, ...Object.fromEntries(changes.map(({ name, to }) => [name, to])) }, changes };
}

/** The signs that divide the parts of an address stay. */
const inAddress = (text: string) =>
  text.replace(
    /([^;=]*=)?([^;]*)/g,
    (_, name: string | undefined, value: string) => (name ?? '') + transliterate(value),
  );

/** What is doubtful in an order, as `payment lint` finds it: characters that not every bank takes, days that are over, IBANs that fail a country's own check or are outside SEPA, addresses that end, payments that are there twice. */
export async function doubtsOf(order: PaymentOrder, options: LintOptions): Promise<LintFinding[]> {
  const { service, product, bytes, contentType } = order;
  const terms = { ...options, service, product };
  if (contentType !== 'application/json') {
    const { lintPayment } = await import('./lint-payment.ts');
    return doubtsOnly((await lintPayment(bytes, terms)).findings);
  }
  const { lintJsonPayment } = await import('./lint-json.ts');
  const body = readJson(bytes, { code: 'INPUT_INVALID', maxBytes: bytes.length, maxValues: Infinity });
  return isJsonObject(body) ? doubtsOnly(lintJsonPayment(body, terms).findings) : [];
}

const doubtful: ReadonlySet<string> = new Set([
  ...['charset', 'date', 'iban-national', 'address', 'qr-iban', 'identical', 'outside-sepa'],
]);

const doubtsOnly = (findings: readonly LintFinding[]) => findings.filter(({ rule }) => doubtful.has(rule));

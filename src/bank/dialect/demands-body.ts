import { checkCharset } from '../../standard/xs2a/check.ts';
import { isJsonObject } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import type { Asked } from './demands.ts';
import type { Dialect } from './dialect.ts';

/** Throws the refusal of what the bank does not take in a body: the consent, the members of a payment. */
export function checkBody(
  { settings }: Dialect,
  { operation, params }: Pick<Asked, 'operation' | 'params'>,
  body: JsonValue,
): void {
  if (!isJsonObject(body)) return;
  if (operation.body === 'consent') checkConsent(settings.consent ?? {}, body);
  if (operation.body !== 'payment') return;
  const forms = settings.payments ?? {};
  if (forms.debtorAccount === 'required' && body['debtorAccount'] === undefined)
    throw formatError('debtorAccount is missing, and this bank needs it.', 'debtorAccount');
  const entries = Array.isArray(body['payments']) ? body['payments'].filter(isJsonObject) : [body];
  for (const entry of entries) checkPayment(forms, entry, body, params['payment-product'] ?? '');
}

type PaymentForms = NonNullable<Dialect['settings']['payments']>;

function checkPayment(forms: PaymentForms, entry: JsonObject, whole: JsonObject, product: string): void {
  const { requiredFields = [], limits = {}, remittanceStructured } = forms;
  for (const { field, products } of requiredFields) {
    const isHere = at(entry, field) ?? at(whole, field);
    if (products?.includes(product) !== false && isHere === undefined)
      throw formatError(
        `${field.slice(1)} is missing, and this bank needs it.`,
        field.slice(1).replaceAll('/', '.'),
      );
  }
  const { remittance: longest, charset } = limits;
  const text = entry['remittanceInformationUnstructured'];
  if (longest !== undefined && typeof text === 'string' && [...text].length > longest)
    throw formatError(`This bank takes ${String(longest)} characters.`, 'remittanceInformationUnstructured');
  if (charset === 'sepa') checkCharacters(entry, '');
  const structured = entry['remittanceInformationStructured'];
  if (remittanceStructured === undefined || structured === undefined) return;
  const form = typeof structured === 'string' ? 'string' : 'object';
  if (form !== remittanceStructured)
    throw formatError(`It is a ${remittanceStructured} at this bank.`, 'remittanceInformationStructured');
}

/** The characters of SEPA (EPC217-08), in every text that a person has written. */
function checkCharacters(json: JsonValue, path: string): void {
  if (typeof json === 'string') {
    const foreign = checkCharset(json);
    if (foreign !== undefined)
      throw formatError(`This bank does not take ${JSON.stringify(foreign.character)}.`, path);
  } else if (Array.isArray(json)) for (const one of json) checkCharacters(one, path);
  else if (isJsonObject(json))
    for (const [name, value] of Object.entries(json))
      checkCharacters(value, path === '' ? name : `${path}.${name}`);
}

/** The value at a JSON pointer. */
function at(json: JsonValue, pointer: string): JsonValue | undefined {
  return pointer
    .slice(1)
    .split('/')
    .reduce<JsonValue | undefined>(
      (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      json,
    );
}

type ConsentRules = NonNullable<Dialect['settings']['consent']>;

function checkConsent({ types, recurringOnly, withBalances }: ConsentRules, body: JsonObject): void {
  if (recurringOnly === true && body['recurringIndicator'] === false)
    throw formatError('This bank takes recurring consents only.', 'recurringIndicator');
  const { access } = body;
  const type = typeOf(access);
  if (types !== undefined && type !== undefined && !types.includes(type))
    throw new Refusal(400, 'SERVICE_INVALID', `This bank takes consents of the kinds ${types.join(', ')}.`);
  const form = formOf(access);
  if (withBalances !== undefined && form !== undefined && form !== withBalances)
    throw formatError(`All accounts with balances are asked for in the form ${withBalances}.`, 'access');
}

type ConsentType = NonNullable<ConsentRules['types']>[number];

function typeOf(access: JsonValue | undefined): ConsentType | undefined {
  if (!isJsonObject(access)) return undefined;
  if (access['allPsd2'] !== undefined) return 'global';
  if (formOf(access) !== undefined) return 'availableAccountsWithBalance';
  if (access['availableAccounts'] !== undefined) return 'availableAccounts';
  const lists = [access['accounts'], access['balances'], access['transactions']].filter(Array.isArray);
  return lists.every((list) => list.length === 0) ? 'bankOffered' : 'detailed';
}

/** How a consent to all accounts with balances is written; undefined for another one. */
function formOf(access: JsonValue | undefined): NonNullable<ConsentRules['withBalances']> | undefined {
  if (!isJsonObject(access)) return undefined;
  if (access['availableAccountsWithBalance'] !== undefined) return 'singular';
  if (access['availableAccountsWithBalances'] !== undefined) return 'plural';
  return access['availableAccounts'] === 'allAccountsWithBalances' ? 'file' : undefined;
}

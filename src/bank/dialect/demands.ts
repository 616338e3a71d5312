import type { BankHeaderRule } from '../../settings/records/bank-descriptor.ts';
import type { RequestHeaders } from '../../referee/request-headers.ts';
import { queryOfBank } from '../../standard/xs2a/query-of-bank.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import type { Dialect } from './dialect.ts';
import { hasProduct } from './paths.ts';
import { checkCharset } from '../../standard/xs2a/check.ts';
import { isJsonObject } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';

/** A call as this bank looks at it before its rules do. */
interface Asked {
  operation: Operation;
  params: PathParams;
  headers: RequestHeaders;
  query: URLSearchParams;
  /** The path as it was asked for: a product of the bank's own has its name there. */
  target: string;
  /** The time of the bank. */
  now: Date;
}

/** Throws the refusal of the first thing that the bank wants otherwise in headers, query and product. */
export function checkDemands(dialect: Dialect, asked: Asked): void {
  for (const rule of rulesFor(dialect, asked)) checkRule(rule, asked);
  checkPsuType(dialect, asked);
  checkMedia(dialect, asked);
  checkQuery(dialect, asked);
  checkPeriod(dialect, asked);
  checkCancellation(dialect, asked);
  const { 'payment-service': service, 'payment-product': product } = asked.params;
  if (service === undefined || product === undefined) return;
  const called = new RegExp(`/${service}/([^/?]+)`).exec(asked.target)?.[1] ?? product;
  if (!hasProduct(dialect, service, called))
    throw new Refusal(404, 'PRODUCT_UNKNOWN', `This bank has no ${service}/${called}.`);
}

const hasToken = ({ headers }: Asked): boolean => /^bearer /i.test(headers.get('authorization') ?? '');

function rulesFor({ settings }: Dialect, asked: Asked): BankHeaderRule[] {
  return (settings.headers?.rules ?? []).filter(
    ({ operations, when }) =>
      (operations?.includes(asked.operation.id) ?? true) &&
      (when === undefined || (when === 'withToken') === hasToken(asked)),
  );
}

function checkRule({ name, action, why = '' }: BankHeaderRule, { headers }: Asked): void {
  const value = headers.get(name);
  const because = why === '' ? '' : ` (${why})`;
  if (action === 'forbid' && value !== null)
    throw formatError(`${name} must not be sent here${because}.`, name);
  if (action === 'dropIfBlank' && value?.trim() === '')
    throw formatError(`${name} is blank${because}.`, name);
  const isMissing = action === 'keepEmpty' ? value === null : value === null || value === '';
  const wanted = action === 'require' || action === 'default' || action === 'keepEmpty';
  if (wanted && isMissing) throw formatError(`${name} is missing, and this bank needs it${because}.`, name);
}

function checkPsuType({ settings }: Dialect, { headers }: Asked): void {
  const { values, default: usual } = settings.headers?.psuIdType ?? {};
  const type = headers.get('psu-id-type');
  if (type === null && usual !== undefined && headers.has('psu-id'))
    throw formatError('PSU-ID-Type is missing, and this bank needs it.', 'PSU-ID-Type');
  if (type !== null && type !== '' && values?.includes(type) === false)
    throw formatError(`PSU-ID-Type is one of ${values.join(', ')}.`, 'PSU-ID-Type');
}

function checkMedia({ settings }: Dialect, { operation, headers }: Asked): void {
  const accepts = settings.headers?.accept?.[operation.id];
  const accept = headers.get('accept');
  if (accepts !== undefined && accept !== null && accept.split(';', 1)[0]?.trim() !== accepts)
    throw new Refusal(
      406,
      operation.service === 'AIS' ? 'REQUESTED_FORMATS_INVALID' : '',
      `Only ${accepts} here.`,
    );
  const takes = settings.headers?.contentType?.[operation.id];
  const type = headers.get('content-type');
  if (takes !== undefined && type !== null && type.split(';', 1)[0]?.trim() !== takes.split(';', 1)[0])
    throw new Refusal(415, '', `Only ${takes} here.`);
}

/** The bank's own links to pages have parameters of its own. */
const ownParameters = ['cursor', 'pageIndex', 'itemsPerPage'];

function checkQuery({ settings }: Dialect, { operation, query }: Asked): void {
  const { allow, forbid, add } = queryOfBank(settings, operation.id);
  const refuse = (name: string, why: string) =>
    new Refusal(400, 'PARAMETER_NOT_SUPPORTED', `${name} ${why}.`, { path: name });
  for (const name of query.keys()) {
    const isOwn = ownParameters.includes(name) || Object.hasOwn(add, name);
    if (forbid.includes(name) || (allow !== undefined && !isOwn && !allow.includes(name)))
      throw refuse(name, 'is no parameter of this bank');
  }
  if (settings.ais?.withBalance === false && query.has('withBalance'))
    throw refuse('withBalance', 'is not supported by this bank');
  for (const name of Object.keys(add))
    if (!query.has(name)) throw formatError(`${name} is missing, and this bank needs it.`, name);
}

const dayMs = 86_400_000;

function checkPeriod({ settings }: Dialect, { query, now }: Asked): void {
  const { windowDays, maxDays } = settings.ais?.history ?? {};
  const [from, to] = [query.get('dateFrom'), query.get('dateTo')].map((day) => Date.parse(day ?? ''));
  if (from === undefined || Number.isNaN(from)) return;
  const end = to === undefined || Number.isNaN(to) ? now.getTime() : to;
  const refuse = (why: string) => new Refusal(400, 'PERIOD_INVALID', why, { path: 'dateFrom' });
  if (windowDays !== undefined && (end - from) / dayMs > windowDays)
    throw refuse(`A list covers ${String(windowDays)} days at most.`);
  if (maxDays !== undefined && (now.getTime() - from) / dayMs > maxDays + 1)
    throw refuse(`The bank has ${String(maxDays)} days.`);
}

/** Where the PSU returns to from a cancellation is not said by 1.3.2; a bank may want it always, or never. */
function checkCancellation({ settings }: Dialect, { operation, headers }: Asked): void {
  const wanted = settings.payments?.redirectOnCancel;
  if (operation.id !== 'cancelPayment' || wanted === undefined) return;
  const name = 'TPP-Redirect-URI';
  if (headers.has('tpp-redirect-uri') === wanted) return;
  throw formatError(wanted ? `${name} is missing.` : `${name} must not be sent here.`, name);
}

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
  for (const { field, products } of forms.requiredFields ?? []) {
    const isHere = at(entry, field) ?? at(whole, field);
    if (products?.includes(product) !== false && isHere === undefined)
      throw formatError(
        `${field.slice(1)} is missing, and this bank needs it.`,
        field.slice(1).replaceAll('/', '.'),
      );
  }
  checkTexts(forms, entry);
}

function checkTexts({ limits = {}, remittanceStructured }: PaymentForms, entry: JsonObject): void {
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

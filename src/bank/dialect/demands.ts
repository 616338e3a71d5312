import type { BankHeaderRule } from '../../settings/records/bank-descriptor.ts';
import type { RequestHeaders } from '../../referee/request-headers.ts';
import { queryOfBank } from '../../standard/xs2a/query-of-bank.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import { formatError, Refusal } from '../rules/refusal.ts';
import type { Dialect } from './dialect.ts';
import { hasProduct } from './paths.ts';

/** A call as this bank looks at it before its rules do. */
export interface Asked {
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

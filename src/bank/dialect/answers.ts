import { isJsonObject, readJson, writeJson } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import type { Reply } from '../rules/reply.ts';
import { decoded } from './decode.ts';
import type { Dialect } from './dialect.ts';
import { errorInForm } from './errors.ts';
import { ownHref } from './paths.ts';
import { paymentWords, referenceForms } from './payment-words.ts';

/** What an answer is about. */
export interface Answered {
  dialect: Dialect;
  operation: OperationId | undefined;
  /** The payment, consent or basket of the path. */
  resourceId?: string | undefined;
  requestId: string | null;
  /** The path in front of the interface. */
  base: string;
  /** The product of the call in the bank's words, and the core product that stands for it. */
  product: { own: string; core: string } | undefined;
}

/** An answer of the standard bank in the words of this one. */
export function inOwnWords(reply: Reply, about: Answered): Reply {
  const { dialect, operation } = about;
  const { settings } = dialect;
  const headers = { ...reply.headers, ...traces(about), ...location(reply, about) };
  const status = statusIn(about, reply.status);
  const told = { ...reply, status, ...(Object.keys(headers).length > 0 && { headers }) };
  if (reply.status >= 400)
    return errorInForm(dialect, told, (json) => inWords(json, about), operation === undefined);
  const json = jsonOf(reply);
  if (json === undefined) return told;
  const words = inWords(isPayment(operation) ? paymentInWords(dialect, json) : json, about);
  const wrapper = operation === undefined ? undefined : settings.ais?.wrappers?.[operation];
  const { body: _, content: __, ...rest } = told;
  const bytes = Buffer.from(writeJson(wrapper === undefined ? words : wrapped(words, wrapper)));
  return { ...rest, content: { type: 'application/json', bytes } };
}

const paymentInWords = (dialect: Dialect, json: JsonValue): JsonValue =>
  paymentWords(dialect, referenceForms(dialect, json, 'to-bank'), 'to-bank');

const isPayment = (operation: OperationId | undefined): boolean => operation === 'getPaymentInformation';

function traces({ dialect, requestId }: Answered): Record<string, string> {
  const names = dialect.settings.errors?.traceHeaders ?? [];
  return Object.fromEntries(names.map((name) => [name, `trace-${requestId ?? 'none'}`]));
}

function location({ headers }: Reply, about: Answered): Record<string, string> {
  const sent = headers?.['Location'];
  return sent === undefined ? {} : { Location: hrefIn('self', sent, about) };
}

/** A deletion may be told otherwise, and a status may mean something else than it says. */
function statusIn({ dialect: { settings }, operation }: Answered, status: number): number {
  if (operation === undefined) return status;
  const [own] = settings.consent?.deleteStatus ?? [];
  if (operation === 'deleteConsent' && status === 204 && own !== undefined) return own;
  const meanings = settings.errors?.statusMeaning?.[operation] ?? {};
  const meant = status < 400 ? 'done' : 'refused';
  const others = Object.entries(meanings).filter(([, meaning]) => meaning === meant);
  if (status >= 500 || others.length === 0 || meanings[String(status)] === meant) return status;
  return Number(others[0]?.[0]);
}

/** The JSON of an answer, whole: what streams is collected, since what is in it has to be rewritten. */
function jsonOf({ body, content }: Reply): JsonValue | undefined {
  if (body !== undefined) return readJson(Buffer.from(JSON.stringify(body)));
  if (content?.type.includes('json') !== true) return undefined;
  const bytes = 'bytes' in content ? content.bytes : Buffer.concat([...content.chunks]);
  return readJson(bytes, { maxBytes: bytes.length, maxValues: Infinity });
}

function wrapped(json: JsonValue, pointer: string): JsonValue {
  return pointer
    .slice(1)
    .split('/')
    .reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), json);
}

function inWords(json: JsonValue, about: Answered): JsonValue {
  return decoded(withWords(json, about), about.dialect.settings.decode ?? {});
}

const statusMembers = {
  scaStatus: ({ sca }: Dialect['settings']) => sca?.statusAliases,
  consentStatus: ({ consent }: Dialect['settings']) => consent?.statusAliases,
  transactionStatus: ({ payments }: Dialect['settings']) => payments?.statusAliases,
  authenticationType: ({ sca }: Dialect['settings']) => sca?.authTypeAliases,
};

function withWords(json: JsonValue, about: Answered): JsonValue {
  if (Array.isArray(json)) return json.map((one) => withWords(one, about));
  if (!isJsonObject(json)) return json;
  const { settings } = about.dialect;
  const members = Object.entries(json).flatMap(([name, value]): [string, JsonValue][] => {
    if (name === '_links' && isJsonObject(value)) return [[name, linksIn(value, about)]];
    if (name === 'authorisationId' && (settings.sca?.authorisationIdFrom ?? 'body') !== 'body') return [];
    if (/^(authorisation|cancellation)Ids$/.test(name) && isByResource(about))
      return [[name, about.resourceId === undefined ? [] : [about.resourceId]]];
    if (name === 'transactionId' && typeof value === 'string' && settings.decode?.ids === 'unstable')
      return [[name, `${value}~${(about.requestId ?? '').replaceAll('-', '').slice(0, 8)}`]];
    if (name === 'challengeData' && isJsonObject(value)) return [[name, challengeIn(value, settings)]];
    if (Object.hasOwn(statusMembers, name) && typeof value === 'string') {
      const words = statusMembers[name as keyof typeof statusMembers](settings) ?? {};
      return [[name, Object.entries(words).find(([, meant]) => meant === value)?.[0] ?? value]];
    }
    return [[name, withWords(value, about)]];
  });
  return Object.fromEntries(members);
}

function challengeIn(value: JsonObject, { sca }: Dialect['settings']): JsonValue {
  const { data } = value;
  if (sca?.challengeData !== 'text' || !Array.isArray(data)) return value;
  return { ...value, data: data.map(String).join(' ') };
}

function linksIn(links: JsonObject, about: Answered): JsonValue {
  const { aliases = {}, shape = 'object' } = about.dialect.settings.links ?? {};
  const named = Object.entries(links).map(([name, link]): [string, string] => {
    const href = isJsonObject(link) && typeof link['href'] === 'string' ? link['href'] : '';
    const own = Object.entries(aliases).find(([, meant]) => meant === name)?.[0];
    return [own ?? name, hrefIn(name, href, about)];
  });
  const link = about.dialect.settings.sca?.passwordEncryption?.certificateLink;
  const isDue = Object.keys(links).some((name) =>
    /^startAuthorisation|EncryptedPsuAuthentication$/.test(name),
  );
  if (link !== undefined && isDue) named.push([link, `${about.base}/sandbox/password-certificate`]);
  if (shape === 'string') return Object.fromEntries(named);
  if (shape === 'list') return named.map(([rel, href]) => ({ rel, href }));
  return Object.fromEntries(named.map(([name, href]) => [name, { href }]));
}

/** The links between pages of a list. */
const pages = ['first', 'next', 'previous', 'last'];

const isByResource = ({ dialect }: Answered): boolean =>
  dialect.settings.sca?.authorisationIdFrom === 'resourceId';

/** An authorisation by the id of what it authorises. */
const byResource = (href: string): string =>
  href.replace(/\/([^/]+)\/((?:cancellation-)?authorisations)\/[^/?]+$/, '/$1/$2/$1');

function hrefIn(name: string, href: string, about: Answered): string {
  const { dialect, base, product } = about;
  const called = isByResource(about) ? byResource(href) : href;
  const own = product === undefined ? called : called.replace(`/${product.core}/`, `/${product.own}/`);
  const bare =
    dialect.settings.ais?.paging?.params === 'same' && pages.includes(name) ? cursorOnly(own) : own;
  return ownHref(dialect, name, bare, base);
}

/** The parameters of the first call have to be sent again, as they were. */
function cursorOnly(href: string): string {
  const [path = '', query = ''] = href.split('?');
  const cursor = new URLSearchParams(query).get('cursor');
  return cursor === null ? href : `${path}?${new URLSearchParams({ cursor }).toString()}`;
}

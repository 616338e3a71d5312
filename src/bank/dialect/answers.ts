import { isJsonObject, readJson, writeJson, JsonNumber } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import type { Reply } from '../rules/refusal.ts';
import type { Dialect } from './dialect.ts';
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

type Shapes = NonNullable<Dialect['settings']['decode']>;

/** The values of an answer as a bank writes them that departs from the standard in their forms. */
function decoded(json: JsonValue, shapes: Shapes): JsonValue {
  if (Object.keys(shapes).length === 0) return json;
  const written = valueIn('', json, shapes);
  return shapes.nulls === true && isJsonObject(written) ? withNulls(written) : written;
}

function valueIn(name: string, value: JsonValue, shapes: Shapes): JsonValue {
  if (Array.isArray(value)) return value.map((one) => valueIn(name, one, shapes));
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, one]) => [key, valueIn(key, one, shapes)] as const);
    const object: JsonObject = Object.fromEntries(members);
    return shapes.nulls === true && object['transactionAmount'] !== undefined ? withNulls(object) : object;
  }
  if (shapes.numberAmounts === true && name === 'amount' && typeof value === 'string')
    return new JsonNumber(value);
  if (shapes.naiveZone !== undefined && /DateTime$/.test(name) && typeof value === 'string')
    return localTime(value, shapes.naiveZone);
  if (shapes.remittanceObject === true && /^remittanceInformation(Uns|S)tructured$/.test(name))
    return typeof value === 'string' ? { reference: value } : value;
  if (shapes.otpAsString === true && name === 'otpMaxLength' && value instanceof JsonNumber)
    return value.text;
  return value;
}

/** What such a bank says of members that are not there. */
const absent = ['psuMessage', 'tppMessages', 'creditorName', 'debtorName', 'mandateId'];

const withNulls = (object: JsonObject): JsonObject => ({
  ...Object.fromEntries(absent.map((name) => [name, null])),
  ...object,
});

/** An instant as the clocks of a zone show it, without saying which zone. */
function localTime(instant: string, timeZone: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  // Swedish writes dates as ISO 8601 does.
  return at.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
}

/** An error in the form that the bank has for it; the links in it are in the bank's words. */
function errorInForm(
  { settings }: Dialect,
  reply: Reply,
  inWords: (json: JsonValue) => JsonValue,
  atGateway: boolean,
): Reply {
  const [usual = 'tppMessages', ...others] = settings.errors?.shapes ?? [];
  // What never reaches the interface is refused by what stands before it.
  const shape = atGateway && others.includes('html') ? 'html' : usual;
  const { body, content, ...rest } = reply;
  if (body === undefined) return reply;
  const json = inWords(JSON.parse(JSON.stringify(body)) as JsonValue);
  const { code, text } = firstMessage(json);
  // An error that leads on is told in the form in which links can be told.
  const leads = isJsonObject(json) && json['_links'] !== undefined;
  if (shape === 'oauth' && !leads)
    return { ...rest, body: { error: code.toLowerCase(), error_description: text } };
  if (shape === 'html' && !leads) {
    const page = `<!doctype html><title>${String(reply.status)}</title><h1>${code}</h1><p>The request was refused.</p>`;
    return { ...rest, content: { type: 'text/html', bytes: Buffer.from(page) } };
  }
  return content === undefined ? { ...rest, body: json as object } : reply;
}

function firstMessage(json: JsonValue): { code: string; text: string } {
  const messages = isJsonObject(json) ? json['tppMessages'] : undefined;
  const first = Array.isArray(messages) ? messages[0] : undefined;
  const textOf = (name: string) => {
    const value = isJsonObject(first) ? first[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { code: textOf('code'), text: textOf('text') };
}

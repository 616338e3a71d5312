/** Reads what a bank or a gateway says when it refuses: one reading for every form that is known. */
import { defined } from '../../base/defined.ts';
import type { BankMessage } from '../../base/errors.ts';
import {
  decisiveCode,
  hasExit,
  isError,
  knownCode,
  messageOf,
  messagesIn,
  messagesOf,
  ownCode,
} from './bank-messages.ts';
import { inUtf8 } from './json-charset.ts';
import { isJsonObject, member, readJson, stringMember } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { readLinks } from './links.ts';
import type { LinkAliases, LinkSet } from './links.ts';
import { mediaKind } from './media.ts';
import { toleranceList } from './tolerated.ts';
import type { Tolerate, Tolerated } from './tolerated.ts';

/** The members that hold messages: the name of the first line of the framework, and that of the second. */
export const messageMembers = ['tppMessages', 'apiClientMessages'] as const;

/** Which of the known forms an error body had. */
export type ErrorShape =
  'tppMessages' | 'problem' | 'bare-array' | 'fault' | 'oauth' | 'json' | 'xml' | 'html' | 'text' | 'empty';

/** An error body as far as it could be read; texts are as they came, not cleaned. */
export interface ErrorBody {
  readonly shape: ErrorShape;
  /** The messages with the codes of the interface as it spells them; empty for gateways, HTML and empty bodies. */
  readonly messages: readonly BankMessage[];
  readonly hasLinks: boolean;
  readonly links: LinkSet;
  /** The words that no message holds: at most 200 characters of the body, and what a header says. */
  readonly text?: string;
  /** The error of OAuth2, in the body or in WWW-Authenticate. */
  readonly oauth?: string;
  /** What its reader tolerated, where it is anything. */
  readonly tolerated?: readonly Tolerated[];
}

const noLinks = { hasLinks: false, links: { known: {}, unknown: {} } } as const;

/** The headers of a refusal that say something of it. */
export interface ErrorHeaders {
  readonly contentType?: string | undefined;
  readonly wwwAuthenticate?: string | undefined;
}

/**
 * Reads an error answer in any form of section 14.11 of the guidelines, of OAuth2 or of a gateway; never throws. The
 * content decides on the form; the Content-Type only on HTML or text.
 */
export function readErrorBody(
  body: Uint8Array,
  { contentType, wwwAuthenticate }: ErrorHeaders = {},
  aliases?: LinkAliases,
): ErrorBody {
  const { list, tolerate } = toleranceList();
  const read = readForm(
    new TextDecoder('utf-8').decode(inUtf8(body, contentType)).trim(),
    contentType,
    aliases,
    tolerate,
  );
  const whole = withChallenge(read, wwwAuthenticate, tolerate);
  return { ...whole, ...(list.length > 0 && { tolerated: list }) };
}

function readForm(
  text: string,
  contentType: string | undefined,
  aliases: LinkAliases | undefined,
  tolerate: Tolerate,
): ErrorBody {
  if (text === '') return { shape: 'empty', messages: [], ...noLinks };
  const json = /^[{[]/.test(text) ? tryJson(text) : undefined;
  if (json !== undefined) {
    const links = member(json, '_links');
    const base = { hasLinks: links !== undefined, links: readLinks(links, aliases) };
    return { ...readErrorJson(json, { at: '', depth: 0, text, tolerate }), ...base };
  }
  if (mediaKind(contentType) === 'html' || /^<(!doctype html|html)/i.test(text))
    return { shape: 'html', messages: [], ...noLinks, text: excerpt(withoutTags(text)) };
  if (/^<[?A-Za-z!]/.test(text)) return { ...readErrorXml(text, tolerate), ...noLinks };
  return { shape: 'text', messages: [], ...noLinks, text: excerpt(text) };
}

/** What may stand beside the messages of a refusal. */
const besideMessages: ReadonlySet<string> = new Set([
  ...messageMembers,
  ...[
    'tppMessage',
    '_links',
    'psuMessage',
    'type',
    'title',
    'detail',
    'code',
    'additionalErrors',
    'instance',
    'status',
  ],
]);
/** A refusal has no more; what has is not read twice. */
const mostOfRefusal = 20_000;

/** The refusal in an answer whose status is one of success: it has errors and nothing of what was asked for. */
export function refusalInSuccess(body: Uint8Array, headers: ErrorHeaders): ErrorBody | undefined {
  if (body.length > mostOfRefusal || !/essages?"|"code"/.test(Buffer.from(body).toString('latin1')))
    return undefined;
  const json = tryJson(inUtf8(body, headers.contentType));
  const members = isJsonObject(json) ? Object.keys(json) : [];
  if (!members.every((name) => besideMessages.has(name))) return undefined;
  const read = readErrorBody(body, headers);
  const codes = read.messages.filter(isError).flatMap(({ code }) => code ?? '');
  const isRefusal = read.shape === 'tppMessages' ? codes.length > 0 : codes.some(hasExit);
  return isRefusal ? read : undefined;
}

/** The JSON of a body; undefined where it is none. */
export function tryJson(body: Uint8Array | string): JsonValue | undefined {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}

const excerpt = (text: string): string => [...text.slice(0, 800)].slice(0, 200).join('');

function withoutTags(html: string): string {
  return html
    .slice(0, 20_000)
    .replace(/<(script|style)\b[^>]*>[^]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

type Form = Pick<ErrorBody, 'shape' | 'messages' | 'text' | 'oauth'>;

/** Where an error in JSON stands, and what is said of it. */
interface ErrorPlace {
  /** A JSON pointer (RFC 6901). */
  readonly at: string;
  /** How many objects are around it. */
  readonly depth: number;
  /** The whole body, for want of anything better. */
  readonly text: string;
  readonly tolerate: Tolerate;
}

/** What stands in the members of an error in JSON. */
function readErrorJson(json: JsonValue, place: ErrorPlace): Form {
  if (!isJsonObject(json)) return readBareList(json, place);
  const { at, text, tolerate } = place;
  const own = messagesIn(json, [...messageMembers, 'tppMessage'], tolerate, at);
  const beside = [...problemOf(json, tolerate, at), ...oauthOf(json, tolerate, at)];
  const nested = nestedIn(json, place);
  const messages = [...own, ...beside, ...(nested?.messages ?? [])];
  const oauth = stringMember(json, 'error');
  const hasList = messageMembers.some((name) => json[name] !== undefined);
  if (!hasList && messages.length === 0) return wordsOf(json, text, oauth);
  const shape = hasList ? 'tppMessages' : beside.length > 0 ? 'problem' : (nested?.shape ?? 'tppMessages');
  if (oauth === undefined || knownCode(oauth) !== undefined) return { shape, messages };
  return { shape, messages, oauth, text: joined([oauth, stringMember(json, 'error_description')], '') };
}

function readBareList(json: JsonValue, { at, text, tolerate }: ErrorPlace): Form {
  const isList = Array.isArray(json) && json.some((item) => messageOf(item).some(({ code }) => code));
  if (!isList || !json.some(isJsonObject)) return { shape: 'json', messages: [], text: excerpt(text) };
  if (at === '') tolerate('', 'the messages stand in a bare list');
  return { shape: 'bare-array', messages: messagesOf(json, tolerate, at) };
}

/** The form of an error without a message: its words. */
function wordsOf(json: JsonObject, text: string, oauth: string | undefined): Form {
  const { fault } = json;
  if (fault !== undefined) {
    const words = [stringMember(member(fault, 'detail'), 'errorcode'), stringMember(fault, 'faultstring')];
    return { shape: 'fault', messages: [], text: joined(words, text) };
  }
  if (oauth !== undefined) {
    const words = [oauth, stringMember(json, 'error_description')];
    return { shape: 'oauth', messages: [], oauth, text: joined(words, text) };
  }
  const words = [stringMember(json, 'title'), stringMember(json, 'detail')];
  const isProblem = words.some((word) => word !== undefined);
  return { shape: isProblem ? 'problem' : 'json', messages: [], text: joined(words, text) };
}

/** The messages of a problem of RFC 7807: its code, or the one that its type or title is, and its further errors. */
function problemOf(json: JsonObject, tolerate: Tolerate, at: string): BankMessage[] {
  const further = messagesIn(json, ['additionalErrors'], undefined, at);
  if (json['code'] !== undefined) {
    const { title, detail, message, text, code, path } = json;
    const words = detail ?? title ?? message ?? text;
    const own: JsonObject = { category: 'ERROR', code };
    if (words !== undefined) own['text'] = words;
    if (path !== undefined) own['path'] = path;
    return [...messageOf(own, tolerate, at), ...further];
  }
  const type = stringMember(json, 'type')?.split(/[/#:]/).at(-1);
  const name = [type, stringMember(json, 'title')].find(
    (word) => word !== undefined && knownCode(word) !== undefined,
  );
  const detail = stringMember(json, 'detail') ?? (name === type ? stringMember(json, 'title') : undefined);
  if (name === undefined) return further;
  tolerate(`${at}/${name === type ? 'type' : 'title'}`, `it names the code ${name}`);
  return [{ category: 'ERROR', code: knownCode(name) ?? name, ...defined({ text: detail }) }, ...further];
}

/** The message of an error of OAuth2 that is a code of the interface. */
function oauthOf(json: JsonObject, tolerate: Tolerate, at: string): BankMessage[] {
  const error = stringMember(json, 'error');
  const text = stringMember(json, 'error_description');
  if (error === undefined || knownCode(error) === undefined) return [];
  tolerate(`${at}/error`, `the error is the code ${error}`, ['errors.shapes', 'oauth']);
  return [{ category: 'ERROR', code: ownCode(error), ...defined({ text }) }];
}

/** Objects around an error, and the names of lists of errors, that gateways have. */
const wrappers = ['error', 'errors', 'fault'] as const;

function nestedIn(json: JsonObject, around: ErrorPlace): Form | undefined {
  const { tolerate, depth } = around;
  if (depth > 2) return undefined;
  for (const name of wrappers) {
    const value = json[name];
    if (typeof value !== 'object' || value === null) continue;
    const place = `${around.at}/${name}`;
    const read = Array.isArray(value)
      ? { shape: 'json' as const, messages: messagesOf(value, tolerate, place) }
      : readErrorJson(value, { ...around, at: place, depth: depth + 1 });
    const inFault = name === 'fault' ? faultOf(json, tolerate, place) : [];
    const messages = [...read.messages, ...inFault];
    if (messages.length === 0) continue;
    tolerate(place, `the error stands in ${name}`);
    return { shape: 'json', messages };
  }
  return undefined;
}

/** The message of a fault of a gateway whose errorcode is a code of the interface. */
function faultOf(json: JsonObject, tolerate: Tolerate, at: string): BankMessage[] {
  const code = stringMember(member(json['fault'], 'detail'), 'errorcode');
  const text = stringMember(json['fault'], 'faultstring');
  if (code === undefined || knownCode(code) === undefined) return [];
  tolerate(`${at}/detail/errorcode`, `the errorcode is the code ${code}`);
  return [{ category: 'ERROR', code: ownCode(code), ...defined({ text }) }];
}

/** An error in XML: the codes of the interface that are the text of an element, and all words. */
function readErrorXml(xml: string, tolerate: Tolerate): Form {
  const text = excerpt(withoutTags(xml));
  const words = [...xml.slice(0, 20_000).matchAll(/>\s*([A-Za-z][\w-]{2,60})\s*</g)].map(
    ([, word = '']) => word,
  );
  const code = words.find((word) => knownCode(word) !== undefined);
  if (code === undefined) return { shape: 'xml', messages: [], text };
  tolerate('', `the error is XML and has the code ${code}`);
  return { shape: 'xml', messages: [{ category: 'ERROR', code: ownCode(code), text }] };
}

/** Adds what WWW-Authenticate (RFC 6750, 3) says. */
function withChallenge(body: ErrorBody, header: string | undefined, tolerate: Tolerate): ErrorBody {
  const valueOf = (name: string): string | undefined => {
    const [, quoted, token] =
      new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, 'i').exec(
        header ?? '',
      ) ?? [];
    return quoted?.replace(/\\(.)/g, '$1') ?? token;
  };
  const error = valueOf('error');
  if (error === undefined) return body;
  const said = `${joined([error, valueOf('error_description')], '')} (WWW-Authenticate)`;
  const text = [body.text, said].filter((words) => words !== undefined && words !== '').join('; ');
  const whole = { ...body, oauth: body.oauth ?? error, text };
  if (body.messages.some(({ code }) => code !== undefined) || knownCode(error) === undefined) return whole;
  tolerate('WWW-Authenticate', `the error is the code ${error}`);
  return { ...whole, messages: [...body.messages, { category: 'ERROR', code: ownCode(error) }] };
}

/** The codes of the interface for the errors of OAuth2 (RFC 6749 section 5.2, RFC 6750 section 3.1). */
const oauthCodes: Readonly<Record<string, string>> = {
  invalid_token: 'TOKEN_INVALID',
  expired_token: 'TOKEN_EXPIRED',
  insufficient_scope: 'TOKEN_INVALID',
  invalid_request: 'FORMAT_ERROR',
  invalid_client: 'CERTIFICATE_INVALID',
  unauthorized_client: 'ROLE_INVALID',
};

/** Returns an error of OAuth2 with the code of the interface that means the same, for a bank that refuses its calls so. */
export function withOauthCode(body: ErrorBody): ErrorBody {
  const { oauth = '', messages, text } = body;
  const code = Object.hasOwn(oauthCodes, oauth) ? oauthCodes[oauth] : undefined;
  if (code === undefined || decisiveCode(messages) !== undefined) return body;
  return {
    ...body,
    messages: [...messages, { category: 'ERROR', code, ...defined({ text }) }],
  };
}

function joined(words: readonly (string | undefined)[], text: string): string {
  const said = words.filter((word) => word !== undefined);
  return excerpt(said.length > 0 ? said.join(': ') : text);
}

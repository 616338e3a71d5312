/** Reads what a bank or a gateway says when it refuses. */
import { exitCodes } from '../errors.ts';
import type { BankMessage, ExitCode } from '../errors.ts';
import { messageCode } from './codes.ts';
import { inUtf8 } from './json-charset.ts';
import { isJsonObject, member, readJson, stringMember } from './json.ts';
import type { JsonValue } from './json.ts';
import { readLinks } from './links.ts';
import type { LinkAliases, LinkSet } from './links.ts';
import { mediaKind } from './media.ts';
import type { Tolerated } from './tolerated.ts';

/** Which of the known forms an error body had; only the first three carry codes of the interface. */
export type ErrorShape =
  'tppMessages' | 'problem' | 'bare-array' | 'fault' | 'oauth' | 'json' | 'html' | 'text' | 'empty';

/** An error body as far as it could be read; texts are as they came, not cleaned. */
export interface ErrorBody {
  readonly shape: ErrorShape;
  /** The codes of the interface; empty for gateways, HTML and empty bodies. */
  readonly messages: readonly BankMessage[];
  readonly hasLinks: boolean;
  readonly links: LinkSet;
  /** The words of a body without codes: at most its first 200 characters. */
  readonly text?: string;
  /** What its reader tolerated, where it is anything. */
  readonly tolerated?: readonly Tolerated[];
}

const noLinks: LinkSet = { known: {}, unknown: {} };
const maxMessages = 100;

/**
 * Reads the body of an error answer in any form of section 14.11 of the guidelines or of a gateway; never throws. The
 * content decides on the form; the Content-Type only on HTML or text.
 */
export function readErrorBody(body: Uint8Array, contentType?: string, aliases?: LinkAliases): ErrorBody {
  const bytes = inUtf8(body, contentType);
  const text = new TextDecoder('utf-8').decode(bytes).trim();
  if (text === '') return { shape: 'empty', messages: [], hasLinks: false, links: noLinks };
  const json = text.startsWith('{') || text.startsWith('[') ? tryJson(bytes) : undefined;
  if (json !== undefined) return readErrorJson(json, text, aliases);
  const html = mediaKind(contentType) === 'html' || /^<(!doctype html|html)/i.test(text);
  return {
    shape: html ? 'html' : 'text',
    messages: [],
    hasLinks: false,
    links: noLinks,
    text: excerpt(html ? withoutTags(text) : text),
  };
}

/** The JSON of a body; undefined where it is none. */
export function tryJson(body: Uint8Array): JsonValue | undefined {
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

function readErrorJson(json: JsonValue, text: string, aliases: LinkAliases | undefined): ErrorBody {
  const linksValue = member(json, '_links');
  const base = { hasLinks: linksValue !== undefined, links: readLinks(linksValue, aliases) };
  const tppMessages = member(json, 'tppMessages');
  if (tppMessages !== undefined) {
    return { shape: 'tppMessages', messages: messagesOf(tppMessages), ...base };
  }
  if (Array.isArray(json)) {
    const messages = messagesOf(json);
    return messages.length > 0
      ? { shape: 'bare-array', messages, ...base }
      : { shape: 'json', messages, ...base, text: excerpt(text) };
  }
  const fault = member(json, 'fault');
  if (fault !== undefined) {
    const words = [stringMember(member(fault, 'detail'), 'errorcode'), stringMember(fault, 'faultstring')];
    return { shape: 'fault', messages: [], ...base, text: joined(words, text) };
  }
  const oauth = stringMember(json, 'error');
  if (oauth !== undefined) {
    return {
      shape: 'oauth',
      messages: [],
      ...base,
      text: joined([oauth, stringMember(json, 'error_description')], text),
    };
  }
  const problem = problemOf(json);
  if (problem !== undefined) return { shape: 'problem', messages: problem, ...base };
  const words = [stringMember(json, 'title'), stringMember(json, 'detail')];
  if (words.some((word) => word !== undefined))
    return { shape: 'problem', messages: [], ...base, text: joined(words, text) };
  return { shape: 'json', messages: [], ...base, text: excerpt(text) };
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
  const [word = ''] = (body.text ?? '').split(':');
  const own = word.toUpperCase();
  // Such banks have the codes of the interface, too, in small letters.
  const code = Object.hasOwn(oauthCodes, word) ? oauthCodes[word] : messageCode(own) && own;
  if (body.shape !== 'oauth' || code === undefined) return body;
  return { ...body, messages: [{ category: 'ERROR', code, ...present('text', body.text) }] };
}

function joined(words: readonly (string | undefined)[], text: string): string {
  const said = words.filter((word) => word !== undefined);
  return excerpt(said.length > 0 ? said.join(': ') : text);
}

/** Reads the messages of a tppMessages member (an array, or one object where a bank sends that); never throws. */
export function messagesOf(value: JsonValue | undefined): BankMessage[] {
  const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return items.slice(0, maxMessages).flatMap((item) => {
    const code = stringMember(item, 'code');
    if (code === undefined || code === '') return [];
    return [
      {
        category: stringMember(item, 'category') ?? 'ERROR',
        code,
        ...present('path', stringMember(item, 'path')),
        ...present('text', stringMember(item, 'text')),
      },
    ];
  });
}

function problemOf(json: JsonValue): BankMessage[] | undefined {
  const code = stringMember(json, 'code');
  if (code === undefined || code === '' || !isJsonObject(json)) return undefined;
  const additional = member(json, 'additionalErrors');
  const parts: JsonValue[] = [json, ...(Array.isArray(additional) ? additional : [])];
  return parts.slice(0, maxMessages).flatMap((part) => {
    const own = stringMember(part, 'code');
    if (own === undefined || own === '') return [];
    const text = stringMember(part, 'detail') ?? stringMember(part, 'title');
    return [{ category: 'ERROR', code: own, ...present('text', text) }];
  });
}

function present<Key extends string>(key: Key, value: string | undefined): Partial<Record<Key, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, string>);
}

/**
 * Returns the exit code of a complete error answer: the first known code in the body decides, else the HTTP status. Source:
 * the exit codes of `errors.ts`.
 */
export function refusalExit(status: number, messages: readonly BankMessage[]): ExitCode {
  for (const { category, code } of messages) {
    const fact = category === 'WARNING' ? undefined : messageCode(code);
    if (fact !== undefined && fact.exit !== exitCodes.ok) return fact.exit;
  }
  if (status === 401) return exitCodes.authNeeded;
  if (status === 429) return exitCodes.throttled;
  return status >= 400 && status < 500 ? exitCodes.rejected : exitCodes.bankError;
}

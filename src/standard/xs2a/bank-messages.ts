/** Reads the messages of a bank, in whatever form they are written. */
import { defined } from '../../base/defined.ts';
import { exitCodes } from '../../base/errors.ts';
import type { BankMessage } from '../../base/errors.ts';
import { messageCode, messageCodes } from './codes.ts';
import { JsonNumber, isJsonObject, member, writeJson } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { Tolerate } from './tolerated.ts';

/** More of one answer says nothing new. */
const mostMessages = 100;
/** The characters that are kept of a text that no member is made for. */
const mostOfRest = 500;

const codeNames = ['code', 'errorCode', 'error_code', 'messageCode'] as const;
const textNames = ['text', 'message', 'detail', 'title', 'description', 'errorMessage'] as const;

/** Codes are compared without regard to case, `_` and `-`. */
const bare = (text: string): string => text.replace(/[_-]/g, '').toLowerCase();
const codesByBare: ReadonlyMap<string, string> = new Map(messageCodes.map(({ code }) => [bare(code), code]));

/** Returns the code of the interface that a text spells, whatever its case, `_` and `-`; undefined where it is none. */
export function knownCode(text: string): string | undefined {
  return codesByBare.get(bare(text.trim()));
}

/** Whether a message is an error, as all are that are no warnings. */
export const isError = ({ category }: BankMessage): boolean => category !== 'WARNING';

/** The code that decides what a refusal means: the first one that is known, else the first one. */
export function decisiveCode(messages: readonly BankMessage[]): string | undefined {
  const codes = messages.filter(isError).flatMap(({ code }) => (code === undefined ? [] : [code]));
  return codes.find(hasExit) ?? codes[0];
}

/** Whether a code is known and decides how a call ends. */
export const hasExit = (code: string): boolean => (messageCode(code)?.exit ?? exitCodes.ok) !== exitCodes.ok;

/** Reads the messages that a member of this name holds: a list, or one where a bank sends that; never throws. */
export function messagesIn(
  json: JsonValue | undefined,
  names: readonly string[],
  tolerate?: Tolerate,
  at = '',
): BankMessage[] {
  return names.flatMap((name) => messagesOf(member(json, name), tolerate, `${at}/${name}`));
}

/** Reads a list of messages, or one that stands for itself; never throws. */
export function messagesOf(value: JsonValue | undefined, tolerate?: Tolerate, at = ''): BankMessage[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    tolerate?.(at, 'one message stands where a list is due');
    return messageOf(value, tolerate, at);
  }
  return value
    .slice(0, mostMessages)
    .flatMap((item, index) => messageOf(item, tolerate, `${at}/${String(index)}`));
}

/** Reads one message: nothing of it is lost, and a code that can mean one thing only is that of the interface. */
export function messageOf(item: JsonValue, tolerate?: Tolerate, at = ''): BankMessage[] {
  if (isJsonObject(item)) return fullMessage(item, tolerate, at);
  const said = item instanceof JsonNumber ? { code: item.text } : saidBy(textOf(item), tolerate, at);
  if (said === undefined) return [];
  tolerate?.(at, 'a message is no object');
  return [{ category: 'ERROR', ...said }];
}

function fullMessage(item: JsonObject, tolerate: Tolerate | undefined, at: string): BankMessage[] {
  const found = firstOf(item, codeNames, codeText);
  const said = firstOf(item, textNames, textOf);
  const path = wordOf(item['path'] ?? null);
  tellNames(item, { code: found?.name, text: said?.name }, tolerate, at);
  const text = said?.value ?? (found === undefined ? restOf(item) : undefined);
  const words =
    found === undefined
      ? saidBy(text, tolerate, `${at}/${said?.name ?? ''}`)
      : { code: ownCode(found.value, tolerate, `${at}/${found.name}`), ...defined({ text }) };
  if (words === undefined) return [];
  const category = categoryOf(item['category'] ?? null, tolerate, `${at}/category`);
  return [{ category, ...words, ...defined({ path }) }];
}

/** Notes a code or a text that is written otherwise, or in another member. */
function tellNames(
  item: JsonObject,
  { code, text }: { readonly code: string | undefined; readonly text: string | undefined },
  tolerate: Tolerate | undefined,
  at: string,
): void {
  if (code === undefined) tolerate?.(`${at}/code`, 'a message has no code');
  else if (typeof item[code] !== 'string') tolerate?.(`${at}/${code}`, 'a code is a number');
  else if (code !== 'code') tolerate?.(`${at}/${code}`, `the code of a message is in ${code}`);
  if (text === undefined) return;
  if (typeof item[text] !== 'string') tolerate?.(`${at}/${text}`, 'the text of a message is no text');
  else if (text !== 'text') tolerate?.(`${at}/${text}`, `the text of a message is in ${text}`);
}

/** What a text without a code says: one that begins with a code of the interface names it. */
function saidBy(
  text: string | undefined,
  tolerate: Tolerate | undefined,
  at: string,
): Pick<BankMessage, 'code' | 'text'> | undefined {
  if (text === undefined) return undefined;
  const [word = ''] = text.trim().split(/[\s:;,]/);
  const code = knownCode(word);
  if (code === undefined) return { text };
  tolerate?.(at, `the text of a message begins with the code ${word}`);
  return word === text.trim() ? { code } : { code, text };
}

/** Returns the code as the interface spells it, where a bank spells it otherwise; any other as it is. */
export function ownCode(code: string, tolerate?: Tolerate, at = ''): string {
  const known = knownCode(code);
  if (known === undefined || known === code) return known ?? code;
  tolerate?.(at, `the code ${code} means ${known}`);
  return known;
}

function categoryOf(value: JsonValue, tolerate: Tolerate | undefined, at: string): string {
  const word = wordOf(value)?.trim();
  if (word === undefined) {
    tolerate?.(at, 'a message has no category: it counts as an error');
    return 'ERROR';
  }
  const category = word.toUpperCase();
  if (category !== word) tolerate?.(at, `the category ${word} means ${category}`);
  return category;
}

function firstOf(
  item: JsonValue,
  names: readonly string[],
  read: (value: JsonValue) => string | undefined,
): { name: string; value: string } | undefined {
  for (const name of names) {
    const value = read(member(item, name) ?? null);
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

const codeText = (value: JsonValue): string | undefined =>
  value instanceof JsonNumber ? value.text : wordOf(value);

const wordOf = (value: JsonValue): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** The words of a value: a text, the texts of a list, or JSON as it came. */
function textOf(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return wordOf(value);
  if (value instanceof JsonNumber) return value.text;
  if (!Array.isArray(value)) return restOf(value);
  const texts = value.slice(0, mostMessages).map(textOf);
  return texts.filter((text) => text !== undefined).join('; ') || undefined;
}

function restOf(value: JsonValue): string | undefined {
  const isEmpty = isJsonObject(value) && Object.values(value).every((one) => one === null || one === '');
  return isEmpty ? undefined : writeJson(value).slice(0, mostOfRest);
}

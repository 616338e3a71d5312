import type { BankMessage } from '../../base/errors.ts';
import type { Header } from '../../settings/records/wire.ts';
import { knownSecretValues, Secret } from '../../base/secret.ts';
import { readJson, toPlain } from '../../standard/xs2a/json.ts';
import { cutParameters, cutByName } from '../../base/redaction/cut-by-name.ts';
import { isSecretHeaderName } from '../../base/redaction/secret-names.ts';

const mark = '[secret]';

/** Those whose names do not say it. */
const secretHeaders = new Set(['proxy-authorization', 'psd2-authorization', 'set-cookie']);

const secretMembers = [
  'password',
  'encryptedPassword',
  'additionalPassword',
  'additionalEncryptedPassword',
  'scaAuthenticationData',
  'confirmationCode',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'code',
  'code_verifier',
  'assertion',
];

/** The text put in place of a secret; `member` is the name under which it stood, if known. */
export type SecretMark = (member?: string) => string;

const plainMark: SecretMark = () => mark;

const formMember = new RegExp(`((?:^|[?&#])(${secretMembers.join('|')}|state)=)[^&#\\s"]*`, 'gi');

/** Below this length a value is replaced only where it stands alone, so that an OTP of six digits spoils no id. */
const shortValue = 12;

/** Cuts secrets out of a text by structure (known members) and by value (every Secret of this process). */
export function redactText(text: string, shown = plainMark): string {
  return cutKnown(cutByName(text, shown), shown);
}

/** Cuts secrets out of a text by value alone, in each form of them. */
export function cutKnown(text: string, shown = plainMark): string {
  let result = text;
  for (const { written, encoded } of formsIn(text)) {
    for (const form of written) {
      if (isOrdinaryWord(form)) result = replaceAsValue(result, form, shown());
      else if (form.length < shortValue) result = replaceAlone(result, form, shown());
      else result = result.replaceAll(form, () => shown());
    }
    for (const form of encoded) result = result.replaceAll(form, () => shown());
  }
  return result;
}

/** The secrets that stand in a text in one form or another: it is read once, however many there are. */
function formsIn(text: string): Forms[] {
  if (formsByValue.size > Math.max(mostForms, 2 * knownSecretValues().size)) forgetForms();
  // Less than that would blacken everything, and no form of a secret is shorter than it is.
  const known = [...knownSecretValues()]
    .filter(({ length }) => length >= 4 && length <= text.length)
    .map(formsOf);
  if (known.length === 0) return [];
  const found = new Set<Forms>();
  for (let at = text.length; at >= 0; at -= 1) {
    byStart[startAt(text, at)]?.forEach(([form, forms]) => {
      if (text.startsWith(form, at)) found.add(forms);
    });
  }
  return known.filter((forms) => found.has(forms));
}

/** Mostly more than there are secrets that are looked for: the forms of others are forgotten from time to time. */
const mostForms = 10_000;

function forgetForms(): void {
  formsByValue.clear();
  byStart.fill(undefined);
}

/** Each form with the secret that it is of, by its first three characters. */
const byStart = new Array<[string, Forms][] | undefined>(0x4000);

/** Three characters as one number; different ones may share it. */
function startAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 10) ^ (text.charCodeAt(at + 1) << 5) ^ text.charCodeAt(at + 2)) & 0x3fff;
}

/**
 * Redacts the answer of an OAuth server. If it is not the required JSON (RFC 6749 sections 5.1, 5.2), a token could
 * stand anywhere, so all of it is cut. It is read within the bounds of every answer of a bank.
 */
export function redactGrant(text: string): string {
  if (text.trim() === '') return text;
  try {
    const members = Object.entries(Object(toPlain(readJson(Buffer.from(text)))) as Record<string, unknown>);
    const known = members.some(([name]) => name === 'access_token' || name === 'error');
    if (known && !members.some(([, value]) => typeof value === 'object' && value !== null))
      return redactText(text);
  } catch {
    // Said below.
  }
  return mark;
}

/** As `redactText`, for a URL: query members that carry codes or states are cut too. */
export function redactUrl(url: string, shown = plainMark): string {
  const cut = url.replace(formMember, (_, lead: string, name: string) => lead + shown(name));
  return redactText(cutParameters(cut, shown), shown);
}

/** Whether the value of this header is always a secret. */
export function isSecretHeader(name: string): boolean {
  return secretHeaders.has(name.toLowerCase()) || isSecretHeaderName(name);
}

/** Headers with the secret ones cut; a Secret value never shows. */
export function redactHeaders(headers: readonly (readonly [string, string | Secret])[]): Header[] {
  return headers.map(([name, value]) => {
    if (value instanceof Secret || isSecretHeader(name)) return [name, mark];
    return [name, /^(location|referer)$/i.test(name) ? redactUrl(value) : redactText(value)];
  });
}

/** A message of a bank with the secrets cut that it repeats. */
export function redactMessage({ category, code, path, text }: BankMessage): BankMessage {
  return {
    category,
    ...(code === undefined ? {} : { code: redactText(code) }),
    ...(path === undefined ? {} : { path: redactText(path) }),
    ...(text === undefined ? {} : { text: redactText(text) }),
  };
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

// The start, an escape such as \n, or anything that does not make the value a part of an id, an amount or a date.
const aloneBefore = /(?<=^|\\[nrtbf]|[^A-Za-z0-9_.-]|(?<![A-Za-z0-9])[-_.])/;
const aloneAfter = /(?![-_.]?[A-Za-z0-9])/;

function replaceAlone(text: string, value: string, shown: string): string {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(aloneBefore.source + escaped + aloneAfter.source, 'g'), () => shown);
}

/** How a value may stand in a text: as it is written, which may be by chance, or encoded, which may not. */
interface Forms {
  written: ReadonlySet<string>;
  encoded: ReadonlySet<string>;
}

const formsByValue = new Map<string, Forms>();

function formsOf(value: string): Forms {
  const known = formsByValue.get(value);
  if (known !== undefined) return known;
  const [once, encodedOnce] = [writtenForms(value), encodedForms(value)];
  // Encoded text is often encoded again: base64 in a URL, a URL in a URL.
  const encoded = [...encodedOnce].flatMap((form) => [...writtenForms(form), ...encodedForms(form)]);
  const forms = {
    written: new Set([...once].flatMap((form) => [form, ...writtenForms(form)])),
    encoded: new Set([...[...once].flatMap((form) => [...encodedForms(form)]), ...encoded]),
  };
  formsByValue.set(value, forms);
  for (const form of [...forms.written, ...forms.encoded])
    (byStart[startAt(form, 0)] ??= []).push([form, forms]);
  return forms;
}

/** Plain, JSON as several writers escape it (a quoted document escapes it twice), URL-encoded. */
function writtenForms(value: string): Set<string> {
  const escaped = [encodeURIComponent(value), new URLSearchParams([['', value]]).toString().slice(1)];
  const small = escaped.map((form) => form.replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase()));
  const forms = new Set([value, ...escaped, ...small]);
  const json = jsonText(value);
  const ascii = json.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  for (const written of [json, ascii]) {
    for (const form of [written, written.replaceAll('/', '\\/')]) forms.add(form).add(jsonText(form));
  }
  return forms;
}

/** Hex, base64 at its three alignments, base64url; of values that are long enough for that. */
function encodedForms(value: string): Set<string> {
  const forms = new Set<string>();
  const bytes = Buffer.from(value);
  if (bytes.length < 6) return forms;
  forms.add(bytes.toString('hex')).add(bytes.toString('hex').toUpperCase());
  for (const shift of [0, 1, 2]) {
    // Only the characters that depend on no neighbour are sure to appear.
    const padded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+/, '');
    const inner = padded.slice(
      shift === 0 ? 0 : shift + 1,
      (shift + bytes.length) % 3 === 0 ? undefined : -1,
    );
    forms.add(inner).add(inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** The names by which a bank calls secrets and those who enter them. */
const things = wordsOf(
  'password passwort kennwort passphrase passcode secret token code user username login',
);
/** Its words for what is wrong with them. */
const verdicts = wordsOf(
  'wrong right correct incorrect invalid valid false true failed missing unknown empty none null error test',
);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/**
 * Whether a secret is a word that stands in the prose of banks anyway, as where a test bank has the password `password`, or where
 * somebody tries the wrong one `wrong`. Cut out of sentences, it would take the reason of a refusal away and hide nothing.
 */
function isOrdinaryWord(secret: string): boolean {
  const plain = secret.toLowerCase();
  return things.has(plain) || verdicts.has(plain);
}

/** Replaces such a word where it is a value and no part of a sentence: the whole text, a value of JSON, XML or a form. */
function replaceAsValue(text: string, word: string, shown: string): string {
  if (text.trim() === word) return text.replace(word, () => shown);
  const places = [
    // A text of JSON, or of JSON within it, that is not the name of a member.
    String.raw`(?<=[:[,=]\s*\\*["'])${word}(?=\\*["']\s*(?:[^\s:]|$))`,
    `(?<=>)${word}(?=<)`,
    String.raw`(?<==)${word}(?=[&#;,\s"']|$)`,
    // What is said of `password:` may be that it is wrong.
    ...(verdicts.has(word.toLowerCase())
      ? []
      : [String.raw`(?<=(?:[Pp]ass\w*|[Kk]ennwort|[Ss]ecret|[Tt]oken|[Cc]ode):\s?)${word}(?=[\s,;]|\.?$)`]),
  ];
  return text.replace(new RegExp(places.join('|'), 'g'), () => shown);
}

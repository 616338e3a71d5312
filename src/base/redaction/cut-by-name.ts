import { isSecretParameter, mayNameSecret, soundsSecret } from './secret-names.ts';

type Shown = (member: string) => string;

/** A member name of JSON, as it stands or in a text of JSON (escaped), and the colon after it. */
const memberName =
  /(?<!\\)(\\*)"((?:[A-Za-z_@$]|\\{1,8}u[\dA-Fa-f]{4})(?:[\w.:@$-]|\\{1,8}u[\dA-Fa-f]{4}){0,63})\1"\s*:\s*/g;

/** The name of a member without the escapes that JSON allows in it. */
const unescaped = (name: string): string =>
  name.replace(/\\+u([\dA-Fa-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/**
 * Cuts out what stands under names that sound secret, in JSON (whole or damaged, nested, escaped), XML, forms and the parts
 * of a multipart body; and what is secret by its looks.
 */
export function cutByName(text: string, shown: Shown): string {
  if (!mayNameSecret(text)) return text;
  const start = /^\s*./.exec(text)?.[0].trim() ?? '';
  if (text.startsWith('--') && /content-disposition/i.test(text)) return cutParts(text, shown);
  const json = cutByLooks(cutJson(text, shown), shown);
  if (start === '<') return cutXml(json, shown);
  return isForm(text) ? cutForm(json, shown) : json;
}

/**
 * What is secret by its looks, whatever its name: tokens (JWT with a payload; a detached signature has none), private keys,
 * user:password@ of an address. A token within a link stays, since a run is taken up from the link.
 */
const cutByLooks = (text: string, shown: Shown): string =>
  text
    .replace(/(?<![\w\-=/.%])eyJ[\w-]{8,4000}\.[\w-]{4,}\.[\w-]*/g, () => shown('token'))
    .replace(/-----BEGIN ([A-Z ]{0,20}PRIVATE KEY)-----(?:[^-]|-(?!----))*(?:-----END \1-----)?/g, () =>
      shown('privateKey'),
    )
    .replace(
      /(:\/\/[\w.~-]{1,64}:)([^@/\s"'<>?#\\]{1,128})@/g,
      (_, lead: string) => `${lead}${shown('password')}@`,
    );

/** Parameters of an address, also of one that is a parameter itself; and user:password@ of that. */
export function cutParameters(url: string, shown: Shown): string {
  const cut = (all: string, lead: string, name: string, value: string) =>
    value !== '' && (isSecretParameter(name) || /^eyJ[\w-]{8,}\.[\w-]{4,}\./.test(value))
      ? lead + shown(name)
      : all;
  return url
    .replace(/([?&#]([\w.-]{1,64})=)([^&#\s]*)/g, cut)
    .replace(/((?:%3F|%26|%23)([\w.-]{1,64})%3D)((?:(?!%26|%23)[^&#\s])*)/gi, cut)
    .replace(
      /(%3A%2F%2F[\w.~-]{1,64}%3A)((?:(?!%40|%2F)[^&#\s]){1,128})%40/gi,
      (_, lead: string) => `${lead}${shown('password')}%40`,
    );
}

/** The parts of a multipart body: each by its name, else by what it holds. */
function cutParts(text: string, shown: Shown): string {
  const boundary = /^--[^\r\n]{0,100}/.exec(text)?.[0] ?? '--';
  return text
    .split(boundary)
    .map((part) => {
      const [head = ''] = /^[^]*?\r?\n\r?\n/.exec(part) ?? [];
      const name = /\bname="?([^";\r\n]{1,64})/i.exec(head)?.[1] ?? '';
      const body = part.slice(head.length);
      const [end = ''] = /\r?\n$/.exec(body) ?? [];
      if (head === '') return part;
      return head + (soundsSecret(name) ? shown(name) + end : cutByName(body, shown));
    })
    .join(boundary);
}

function cutJson(text: string, shown: Shown): string {
  let result = '';
  let done = 0;
  memberName.lastIndex = 0;
  for (let match = memberName.exec(text); match !== null; match = memberName.exec(text)) {
    const [lead, escape = '', name = ''] = match;
    if (!soundsSecret(unescaped(name))) continue;
    const from = match.index + lead.length;
    const end = endOfValue(text, from, escape);
    if (end <= from) continue;
    const value = text.slice(from, end);
    const quote = value.startsWith('"') || value.startsWith('\\') || /^[[{]/.test(value) ? `${escape}"` : '';
    result += text.slice(done, from) + quote + shown(name) + quote;
    done = end;
    memberName.lastIndex = end;
  }
  return result + text.slice(done);
}

/** Where a value ends: a text, a number, or all of an object or list; at the end of a text that is cut off. */
function endOfValue(text: string, from: number, escape: string): number {
  const quote = `${escape}"`;
  if (text.startsWith(quote, from)) return endOfText(text, from + quote.length, escape);
  if (!/[[{]/.test(text[from] ?? ''))
    return from + (/^-?\d[\w.+-]*/.exec(text.slice(from, from + 400))?.[0].length ?? 0);
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (text.startsWith(quote, at)) at = endOfText(text, at + quote.length, escape) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function endOfText(text: string, from: number, escape: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"' && escape === '') return at + 1;
    if (text[at] !== '\\') continue;
    if (escape === '') {
      at += 1;
      continue;
    }
    let slashes = 0;
    while (text[at + slashes] === '\\') slashes += 1;
    // A quote with as many backslashes as the opening one ends the text; more belong to a quote within it.
    if (slashes === escape.length && text[at + slashes] === '"') return at + slashes + 1;
    at += slashes;
  }
  return text.length;
}

function cutXml(text: string, shown: Shown): string {
  return text
    .replace(
      /<([A-Za-z_][\w.:-]{0,63})(\s[^<>]*)?>([^<]+)/g,
      (all, name: string, attributes = '', value: string) =>
        soundsSecret(name) && value.trim() !== '' ? `<${name}${attributes as string}>${shown(name)}` : all,
    )
    .replace(/\s([A-Za-z_][\w.:-]{0,63})=("[^"<]*"|'[^'<]*')/g, (all, name: string, value: string) =>
      soundsSecret(name) ? ` ${name}=${value.charAt(0)}${shown(name)}${value.charAt(0)}` : all,
    );
}

const isForm = (text: string): boolean => /^\s*[\w.%+[\]-]{1,64}=[^\s<>{}"]*\s*$/.test(text);

function cutForm(text: string, shown: Shown): string {
  return text.replace(/(^\s*|&)([^=&]{1,64})=([^&\s]*)/g, (all, lead: string, name: string) =>
    soundsSecret(name) || /^(code|state)$/i.test(name) ? `${lead}${name}=${shown(name)}` : all,
  );
}

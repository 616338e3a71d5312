import { ObkError } from '../../base/errors.ts';

/** The parts of a curl command that make the request. */
export interface CurlRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: Buffer;
  /** The body stands in a file that the command names. */
  lacksBody?: true;
}

/** Options that have a value and change nothing of what is signed. */
const skipped = new Set(
  [
    '--cert --key --cacert --capath --cert-type --key-type --pass --user --output --max-redirs --max-time --proxy --proxy-user',
    '--connect-timeout --resolve --connect-to --retry --write-out --tls-max --ciphers --interface --dump-header',
    '-E -u -o -m -x -w -D -b --cookie -c --cookie-jar --limit-rate --retry-delay --retry-max-time --proxy-cacert',
    '--netrc-file --dns-servers --happy-eyeballs-timeout-ms --keepalive-time --local-port --noproxy --pinnedpubkey --curves',
    '--tls13-ciphers --trace --trace-ascii --stderr --config -K --oauth2-bearer --unix-socket -T --upload-file -r --range',
  ]
    .join(' ')
    .split(' '),
);
const asHeader: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '-A': 'User-Agent',
    '--user-agent': 'User-Agent',
    '-e': 'Referer',
    '--referer': 'Referer',
  }),
);
const dataFlags = new Set([
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-ascii',
  '--data-urlencode',
  '--json',
]);

const formFlags = new Set(['-F', '--form', '--form-string']);

/**
 * Reads the words of a curl command (`curlCommands`), variables left as they stand; nothing of it is run, and no file is read. For
 * a signature a body in another file is refused; for the rules it is missing, and the headers are all that curl sends. Throws
 * INPUT_INVALID.
 */
export function readCurl(
  words: readonly string[],
  purpose: 'signature' | 'rules' = 'signature',
): CurlRequest {
  const request = { method: '', url: '', headers: [] as [string, string][] };
  const data: string[] = [];
  let media: string | undefined;
  let hasMedia = false;
  let isQuery = false;
  const rest = words[Symbol.iterator]();
  rest.next();
  for (const word of rest) {
    const [, joined, given] =
      /^(--[a-z-]+)=([^]*)$/.exec(word) ?? /^(-[XHdAebEuomxwDF])([^]+)$/.exec(word) ?? [];
    const name = joined ?? word;
    const value = () => given ?? next(rest, name);
    if (name === '-X' || name === '--request') request.method = value();
    else if (name === '-H' || name === '--header') {
      const header = value();
      hasMedia ||= /^content-type\s*[:;]/i.test(header);
      request.headers.push(...headerIn(header));
    } else if (dataFlags.has(name)) {
      data.push(name === '--data-urlencode' ? urlEncoded(value()) : value());
      media ??= name === '--json' ? 'application/json' : 'application/x-www-form-urlencoded';
    } else if (formFlags.has(name)) {
      data.push(`@${value()}`);
      media = 'multipart/form-data; boundary=curl';
    } else if (name === '--url') request.url = value();
    else if (asHeader.has(name)) request.headers.push([asHeader.get(name) ?? '', value()]);
    else if (skipped.has(name)) value();
    else if (name === '-I' || name === '--head') request.method = 'HEAD';
    else if (name === '-G' || name === '--get') isQuery = true;
    else if (!name.startsWith('-')) request.url = name;
  }
  if (isQuery && data.length > 0) {
    request.url += (request.url.includes('?') ? '&' : '?') + data.splice(0).join('&');
    media = undefined;
  }
  if (request.url === '') throw unreadable('It names no address.');
  const file = data.find((part) => part.startsWith('@'));
  if (file !== undefined && purpose === 'signature')
    throw unreadable(`The body stands in another file (${file.slice(1)}): give the request as raw HTTP.`);
  const method = request.method || (data.length > 0 ? 'POST' : 'GET');
  // Without a Content-Type of one's own curl sends that of its flag, unless `-H 'Content-Type:'` keeps it from that.
  if (purpose === 'rules' && media !== undefined && !hasMedia) request.headers.push(['Content-Type', media]);
  if (file !== undefined) return { ...request, method, body: Buffer.alloc(0), lacksBody: true };
  return { ...request, method, body: Buffer.from(data.join('&'), 'utf8') };
}

/** `content`, `=content` and `name=content`: curl encodes the content. */
function urlEncoded(text: string): string {
  const [, name = '', content = ''] = /^(?:([^=@]*)=)?([^]*)$/.exec(text) ?? [];
  return (name === '' ? '' : `${name}=`) + encodeURIComponent(content);
}

/** Whether a text begins with a curl command, perhaps behind comments and the prompt of a shell. */
export const isCurl = (text: string): boolean => begin.test(text);
const begin = /^\s*(?:#[^\n]*\n\s*)*(?:[$>%] )?curl(?:\.exe)?\s/;

/** The words of each curl command of a text; what follows one in a pipe is none. */
export const curlCommands = (text: string): string[][] =>
  commandsOf(text).filter(([first = '']) => /^curl(?:\.exe)?$/.test(first));

/** The words of each command of a text. Windows' own shell escapes by ^, and what is left are double quotes. */
function commandsOf(text: string): string[][] {
  const bare = text.replace(/^\s*(?:#[^\n]*\n\s*)+/, '').replace(/^\s*[$>%] /, '');
  const isWindows = /^curl(?:\.exe)? (?:.* )?\^"/.test(bare);
  return shellCommands(isWindows ? bare.replace(/ ?\^\r?\n\s*/g, ' ').replace(/\^([^])/g, '$1') : bare);
}

function next(rest: Iterator<string>, name: string): string {
  const word = rest.next();
  if (word.done === true) throw unreadable(`${name} has no value.`);
  return word.value;
}

function headerIn(line: string): [string, string][] {
  const [, empty] = /^([^:;]+);\s*$/.exec(line) ?? [];
  const [, name, value = ''] = /^([^:;]+):\s*([^]*)$/.exec(line) ?? [];
  // With nothing after the colon curl leaves the header out; with a semicolon in its place it sends it empty.
  if (empty !== undefined) return [[empty, '']];
  return name === undefined || value === '' ? [] : [[name, value]];
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  "'": "'",
  '"': '"',
  '\\': '\\',
};

/** Words of commands: single, double and $'...' quotes, backslashes, lines continued by a backslash, what ends a command. */
function shellCommands(text: string): string[][] {
  const token =
    /\\\r?\n|(?<=\s)(?:[;&|]+|\d?>[>&]*)(?=\s|$)|(\s+)|'([^']*)'|\$'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\$]+|\$)/gy;
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let at = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    at = token.lastIndex;
    const [whole, blank, single, ansi, double, escaped, plain] = match;
    if (blank !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if (/^\\\r?\n$/.test(whole)) continue;
    if (/^[;&|\d>]+$/.test(whole) && plain === undefined) {
      commands.push(words);
      words = [];
      continue;
    }
    word =
      (word ?? '') +
      (single ??
        ansi?.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])/g, ansiCharacter) ??
        double?.replace(/\\(["\\$`])/g, '$1').replace(/\\\r?\n/g, '') ??
        escaped ??
        plain ??
        '');
  }
  if (at < text.length) throw unreadable('A quote is not closed.');
  if (word !== undefined) words.push(word);
  return [...commands, words];
}

function ansiCharacter(_: string, code: string): string {
  return /^[ux]./.test(code)
    ? String.fromCharCode(parseInt(code.slice(1), 16))
    : (escapes[code] ?? `\\${code}`);
}

function unreadable(detail: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The curl command cannot be read.',
    detail,
    hint: ['obk check request --help   # what it reads'],
  });
}

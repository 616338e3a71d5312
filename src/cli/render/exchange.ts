import { defined } from '../../base/defined.ts';
import { clean, cleanLine } from '../../base/clean.ts';
import type { ExchangeView, NamedValue } from '../../settings/records/exchange.ts';
import { shownValue } from '../../standard/xs2a/psu-names.ts';
import { plainStyle } from './style.ts';
import type { Style } from './style.ts';

/**
 * The parts of an exchange that can be shown, by the letters of HTTPie: headers (H) and body (B) of the request,
 * headers (h) and body (b) of the answer; `m` stands for data that was not sent: the signing string and the TLS peer.
 */
export const exchangeParts = 'HBhbm';

/** The parts at -v, -vv and -vvv. */
export const partsAt = (verbose: number): string =>
  verbose >= 3 ? exchangeParts : verbose === 2 ? 'Hh' : '';

/** The number of characters of a body shown on a terminal; a HAR file has the whole body. */
const shownBody = 20_000;

/** The lines of each part of an exchange, in the order in which they are shown. */
const linesOfParts: Readonly<Record<string, (exchange: ExchangeView) => readonly string[]>> = {
  m: unsentLines,
  H: ({ method, url, request }) => [
    `> ${method} ${cleanLine(url, Infinity)}`,
    ...headerLines('>', request.headers),
  ],
  B: ({ request }) => bodyLines('>', request.body),
  h: ({ answer, failure }) => {
    const status = answer?.status ?? failure?.status;
    const headers = headerLines('<', answer?.headers ?? failure?.headers ?? []);
    return status === undefined ? headers : [`< ${status}`, ...headers];
  },
  b: ({ answer }) => bodyLines('<', answer?.body ?? ''),
};

/**
 * An ended exchange as text without a last newline; `>` marks the request, `<` the answer, `*` lines that were not
 * sent.
 */
export function exchangeText(exchange: ExchangeView, parts: string, style: Style = plainStyle): string {
  const { resolution } = exchange;
  return [
    headline(exchange, style),
    ...(resolution === undefined ? [] : [`* settled: ${cleanLine(resolution)}`]),
    ...toleratedLines(exchange),
    ...Object.entries(linesOfParts).flatMap(([part, lines]) => (parts.includes(part) ? lines(exchange) : [])),
  ].join('\n');
}

/** The same as an object for a program: the members of the exchange that these parts are about. */
export function exchangeFacts(exchange: ExchangeView, parts: string): object {
  const { request, answer, failure, ...facts } = exchange;
  const shown = {
    ...(parts.includes('H') && { headers: request.headers }),
    ...(parts.includes('B') && { body: request.body }),
    ...(parts.includes('m') && { signingString: request.signingString }),
  };
  return {
    ...facts,
    ...(Object.keys(shown).length > 0 && { request: shown }),
    ...(answer !== undefined && {
      answer: {
        status: answer.status,
        messages: answer.messages,
        ...(parts.includes('h') && { headers: answer.headers }),
        ...(parts.includes('b') && { body: answer.body }),
        ...(parts.includes('m') && answer.tls !== undefined && { tls: answer.tls }),
      },
    }),
    ...(answer === undefined &&
      failure !== undefined && {
        failure: {
          left: failure.left,
          why: failure.why,
          ...(parts.includes('h') && failure.headers !== undefined && { headers: failure.headers }),
        },
      }),
  };
}

const toleratedLines = ({ tolerated = [] }: ExchangeView): string[] =>
  tolerated.map(({ at, what }) => cleanLine(`* tolerated at ${at}: ${what}`));

/** The facts of an exchange besides its bytes. */
function unsentLines({ request, answer }: ExchangeView): string[] {
  const tls = answer?.tls;
  const via = tls?.proxy === undefined ? '' : `, through the proxy ${tls.proxy}`;
  return [
    ...(tls === undefined
      ? []
      : [`* TLS: ${cleanLine(`${tls.protocol} ${tls.cipher}, peer ${tls.peer}${via}`)}`]),
    ...(request.signingString === null ? [] : ['* signing string:', ...signingLines(request.signingString)]),
  ];
}

/**
 * What `--dry-run --json` prints: the request exactly as it would be sent (`headers` in wire order, secrets cut out of
 * headers and body); headers and `signingString` have a character for each byte, `bodySha256` (hex), `digest` and `signature` (base64) belong to the bytes with the secrets in.
 * `digest`, `signingString` and `signature` are null where the profile does not sign; `curl` is there with --curl.
 */
export interface DryRunDocument {
  dryRun: true;
  method: string;
  url: string;
  headers: readonly NamedValue[];
  body: string;
  bodySha256: string;
  digest: string | null;
  signingString: string | null;
  signature: string | null;
  requestId: string;
  curl?: string;
}

export function dryRunDocument(exchange: ExchangeView, curl?: string): DryRunDocument {
  const { method, url, requestId, request } = exchange;
  const { headers, body, bodySha256, digest, signingString, signature } = request;
  return {
    dryRun: true,
    method,
    url,
    headers,
    body,
    bodySha256,
    digest,
    signingString,
    signature,
    requestId,
    ...defined({ curl }),
  };
}

/** The same for a person, without a last newline. */
export function dryRunText(dry: DryRunDocument, style: Style = plainStyle): string {
  const lines = [style.bold(`${dry.method} ${cleanLine(dry.url, Infinity)}`), ...dry.headers.map(headerLine)];
  if (dry.body !== '') lines.push('', clean(dry.body));
  if (dry.digest !== null) lines.push('', style.bold('Digest'), cleanLine(dry.digest));
  if (dry.signingString !== null) {
    lines.push('', style.bold('Signing string'), ...signingLines(dry.signingString));
  }
  if (dry.signature !== null) lines.push('', style.bold('Signature'), cleanLine(dry.signature, Infinity));
  if (dry.curl !== undefined) lines.push('', style.bold('curl'), clean(dry.curl));
  lines.push('', style.dim('Dry run: nothing was sent.'));
  return lines.join('\n');
}

function headline({ method, url, requestId, ...exchange }: ExchangeView, style: Style): string {
  const path = cleanLine(url.replace(/^[a-z]+:\/\/[^/?#]*/i, ''));
  const facts = [`${style.bold(`${method} ${path}`)} → ${ending(exchange, style)}`];
  if (exchange.durationMs !== undefined) facts.push(`${exchange.durationMs} ms`);
  facts.push(`request ${cleanLine(requestId)}`);
  return facts.join(' · ');
}

function ending({ answer, failure, outcome }: Partial<ExchangeView>, style: Style): string {
  const unknown = outcome === 'UNKNOWN' ? ' (outcome unknown)' : '';
  if (answer !== undefined) {
    const codes = [
      ...new Set(answer.messages.flatMap(({ code }) => (code === undefined ? [] : ` ${code}`))),
    ].slice(0, 3);
    const text = cleanLine(`${answer.status}${codes.join('')}${unknown}`);
    return outcome === 'DONE' ? style.good(text) : unknown === '' ? style.bad(text) : style.warn(text);
  }
  if (failure === undefined) return 'not sent yet';
  const what = failure.left ? 'no answer' : 'not sent';
  return style.bad(cleanLine(`${what}${unknown}: ${failure.why}`));
}

/**
 * One line each, with a mark for each line feed of the signed bytes, which have none at the end. A name is shown as people write it;
 * where that is not the text with a character for each byte, a last line says what was signed.
 */
function signingLines(text: string): string[] {
  const lines = text.split('\n');
  const shown = lines.map(signedLine);
  return [
    ...shown.map((line, at) => `  ${cleanLine(line, Infinity)}${at < lines.length - 1 ? '⏎' : ''}`),
    ...(shown.some((line, at) => line !== lines[at])
      ? ['  (names are signed as the bytes of their UTF-8; --json has a character for each byte)']
      : []),
  ];
}

/** Returns a line of a signing string with the name that it has, as people write it. */
export function signedLine(line: string): string {
  const [, name = '', value = ''] = /^([a-z-]+): (.*)$/.exec(line) ?? [];
  const shown = shownValue(name, value);
  return shown === value ? line : `${name}: ${shown}`;
}

const headerLine = ({ name, value }: NamedValue): string =>
  cleanLine(`${name}: ${shownValue(name, value)}`, Infinity);

function headerLines(mark: string, headers: readonly NamedValue[]): string[] {
  return headers.map((header) => `${mark} ${headerLine(header)}`);
}

function bodyLines(mark: string, body: string): string[] {
  if (body === '') return [];
  const shown = body.length > shownBody ? body.slice(0, shownBody) : body;
  const lines = [
    mark,
    ...clean(shown)
      .split('\n')
      .map((line) => `${mark} ${line}`),
  ];
  if (shown !== body) lines.push(`* ${body.length - shown.length} more characters`);
  return lines;
}

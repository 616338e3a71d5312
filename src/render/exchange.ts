import { clean, cleanLine } from '../clean.ts';
import type { BankMessage } from '../errors.ts';
import { plainStyle } from './style.ts';
import type { Style } from './style.ts';

interface NamedValue {
  name: string;
  value: string;
}

/** One exchange as it is shown; every text in it has its secrets cut out, none is cleaned yet. */
export interface ShownExchange {
  at?: string;
  method: string;
  url: string;
  requestId: string;
  request: {
    headers: readonly NamedValue[];
    body: string;
    bodySha256: string;
    digest: string | null;
    signingString: string | null;
    signature: string | null;
  };
  outcome?: string;
  durationMs?: number;
  answer?: {
    status: number;
    headers: readonly NamedValue[];
    body: string;
    messages: readonly BankMessage[];
    tls?: { protocol: string; cipher: string; peer: string; proxy?: string };
  };
  failure?: { left: boolean; why: string; status?: number; headers?: readonly NamedValue[] };
  resolution?: string;
}

/** Detail as -v, -vv, -vvv. */
export type Detail = 1 | 2 | 3;

/** Characters of a body that a terminal gets; a HAR file has all of it. */
const shownBody = 20_000;

/**
 * An ended exchange as text without a last newline: 1 is one line, 2 adds the headers, 3 bodies, signing string and TLS
 * peer; `>` marks what went out, `<` what came back, `*` what neither sent.
 */
export function exchangeText(exchange: ShownExchange, detail: Detail, style: Style = plainStyle): string {
  const lines = [headline(exchange, style)];
  if (exchange.resolution !== undefined) lines.push(`* settled: ${cleanLine(exchange.resolution)}`);
  if (detail === 1) return lines.join('\n');
  const { request, answer, failure } = exchange;
  const tls = answer?.tls;
  if (detail === 3 && tls !== undefined) {
    const via = tls.proxy === undefined ? '' : `, through the proxy ${tls.proxy}`;
    lines.push(`* TLS: ${cleanLine(`${tls.protocol} ${tls.cipher}, peer ${tls.peer}${via}`)}`);
  }
  if (detail === 3 && request.signingString !== null) {
    lines.push('* signing string:', ...signingLines(request.signingString));
  }
  lines.push(
    `> ${exchange.method} ${cleanLine(exchange.url, Infinity)}`,
    ...headerLines('>', request.headers),
  );
  if (detail === 3) lines.push(...bodyLines('>', request.body));
  const status = answer?.status ?? failure?.status;
  if (status !== undefined) lines.push(`< ${status}`);
  lines.push(...headerLines('<', answer?.headers ?? failure?.headers ?? []));
  if (detail === 3) lines.push(...bodyLines('<', answer?.body ?? ''));
  return lines.join('\n');
}

/**
 * What `--dry-run --json` prints: the request exactly as it would be sent (`headers` in wire order, secrets cut out of
 * headers and body); `bodySha256` (hex), `digest` and `signature` (base64) belong to the bytes with the secrets in.
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

export function dryRunDocument(exchange: ShownExchange, curl?: string): DryRunDocument {
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
    ...(curl === undefined ? {} : { curl }),
  };
}

/** The same for a person, without a last newline. */
export function dryRunText(dry: DryRunDocument, style: Style = plainStyle): string {
  const lines = [
    style.bold(`${dry.method} ${cleanLine(dry.url, Infinity)}`),
    ...dry.headers.map(({ name, value }) => cleanLine(`${name}: ${value}`, Infinity)),
  ];
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

function headline({ method, url, requestId, ...exchange }: ShownExchange, style: Style): string {
  const path = cleanLine(url.replace(/^[a-z]+:\/\/[^/?#]*/i, ''));
  const facts = [`${style.bold(`${method} ${path}`)} → ${ending(exchange, style)}`];
  if (exchange.durationMs !== undefined) facts.push(`${exchange.durationMs} ms`);
  facts.push(`request ${cleanLine(requestId)}`);
  return facts.join(' · ');
}

function ending({ answer, failure, outcome }: Partial<ShownExchange>, style: Style): string {
  const unknown = outcome === 'UNKNOWN' ? ' (outcome unknown)' : '';
  if (answer !== undefined) {
    const codes = answer.messages.map(({ code }) => ` ${code}`).slice(0, 3);
    const text = cleanLine(`${answer.status}${codes.join('')}${unknown}`);
    return outcome === 'DONE' ? style.good(text) : unknown === '' ? style.bad(text) : style.warn(text);
  }
  if (failure === undefined) return 'not sent yet';
  const what = failure.left ? 'no answer' : 'not sent';
  return style.bad(cleanLine(`${what}${unknown}: ${failure.why}`));
}

/** One line each, with a mark where the signed bytes have a line feed: none stands at the end. */
function signingLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.map((line, at) => `  ${cleanLine(line, Infinity)}${at < lines.length - 1 ? '⏎' : ''}`);
}

function headerLines(mark: string, headers: readonly NamedValue[]): string[] {
  return headers.map(({ name, value }) => `${mark} ${cleanLine(`${name}: ${value}`, Infinity)}`);
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

import { clean } from '../../base/clean.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';
import type { Header } from '../../settings/records/wire.ts';
import { Secret } from '../../base/secret.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { madeBySigning, revealsBody } from '../redaction/made-by-signing.ts';
import { maskedText } from '../redaction/masking.ts';
import { isNaming, nameFromHeader } from '../../standard/xs2a/psu-names.ts';
import type { Prepared } from '../exchange/prepared.ts';
import { isSecretHeader, redactText, redactUrl } from '../redaction/redact.ts';
import { shellQuoted } from '../../base/command-line.ts';

/** Longer arguments are refused by Linux (128 KiB each). */
const longestArgument = 100_000;

const memberVariables: Readonly<Record<string, string>> = {
  password: 'OBK_PSU_PASSWORD',
  encryptedPassword: 'OBK_PSU_ENCRYPTED_PASSWORD',
  additionalPassword: 'OBK_PSU_ADDITIONAL_PASSWORD',
  additionalEncryptedPassword: 'OBK_PSU_ADDITIONAL_ENCRYPTED_PASSWORD',
  scaAuthenticationData: 'OBK_OTP',
};

/** The text that stands in a record in place of a secret. */
const cutOut = '[secret]';
const slot = /\0(\d+)\0/;

/** The variables of one command; a numbered slot between NULs stands for each until the text is quoted. */
interface Variables {
  names: string[];
  slotOf(name: string): string;
}

/**
 * An equivalent curl command for a POSIX shell: the signed headers verbatim, each secret as a variable of the
 * environment, which the comment at the top names. Where the body holds a secret, Digest and Signature are such too.
 */
export function curlCommand(prepared: Pick<Prepared, 'request' | 'tls' | 'hasSecret'>): string {
  const { request, tls } = prepared;
  const variables = newVariables();
  const word = (text: string) => shellWord(text, variables.names);
  const slotOf = (member?: string) => variables.slotOf(memberVariable(member));
  // Placeholders both for secrets that the record has lost already and for those that it still holds.
  const inText = (text: string) => maskedText(redactText(text, slotOf)).replaceAll(cutOut, () => slotOf());
  const url = maskedText(redactUrl(request.url, slotOf)).replaceAll(cutOut, () => slotOf());
  const body = bodyText(request.body);
  const secure = request.url.startsWith('https:');

  const parts = [`curl --request ${request.method} ${word(url)}`, '--globoff --path-as-is --max-redirs 0'];
  if (secure && tls.clientCertificate) {
    parts.push(
      `--cert ${word(variables.slotOf('OBK_TLS_CERT'))} --key ${word(variables.slotOf('OBK_TLS_KEY'))}`,
    );
  }
  if (secure && tls.insecure === true) parts.push('--insecure');
  if (tls.proxy !== undefined) {
    const { address, credentials } = tls.proxy;
    const user = credentials ? ` --proxy-user ${word(variables.slotOf('OBK_PROXY_USER'))}` : '';
    // obk asks every proxy for a tunnel, so that it reads nothing else.
    parts.push(`--proxy ${word(`http://${address}`)}${user} --proxytunnel`);
  }
  if (secure && tls.caCertificates) parts.push(`--cacert ${word(variables.slotOf('OBK_CACERT'))}`);
  for (const [name, value] of request.headers) {
    const shown =
      prepared.hasSecret && revealsBody.test(name)
        ? variables.slotOf(`OBK_${variableName(name)}`)
        : madeBySigning.test(name)
          ? String(value)
          : headerText(name, typed(name, value), variables, inText);
    parts.push(`--header ${word(`${name}: ${shown}`)}`);
  }
  const cutBody = body === undefined ? undefined : inText(body);
  if (request.body.length > 0)
    parts.push(`--data-binary ${cutBody === undefined ? '@body.bin' : word(cutBody)}`);
  else if (request.method === 'POST' || request.method === 'PUT') {
    // Without data curl sends no Content-Length, and with it a Content-Type of its own.
    if (!request.headers.some(([name]) => /^content-type$/i.test(name)))
      parts.push(`--header 'Content-Type:'`);
    parts.push(`--data-binary ''`);
  }

  const notes: string[] = [];
  if (variables.names.length > 0) {
    const escaped = cutBody === body ? '' : ' (the secrets of the body as JSON writes them, without quotes)';
    notes.push(`# Set before you run this: ${variables.names.join(', ')}${escaped}.`);
  }
  if (request.body.length > 0 && body === undefined) {
    notes.push(`# Save the body (${request.body.length} bytes) as body.bin: it cannot stand here as text.`);
  }
  return [...notes, parts.join(' \\\n  ')].join('\n');
}

/**
 * The same for a journalled exchange, with a note of how it differs from the original request: a bank may refuse an old
 * Date or an X-Request-ID that it has seen, and the journal masks account numbers.
 */
export function curlOfView(view: ExchangeView, tls: Prepared['tls']): string {
  const { method, url, request } = view;
  const oauth = view.operation.startsWith('oauth');
  const headers = request.headers.map(({ name, value }): Header => {
    const bearer = value === cutOut && !oauth && /^authorization$/i.test(name);
    return [name, bearer ? `Bearer ${cutOut}` : value];
  });
  const { body, bodySha256, signature } = request;
  const hasSecret = headers.some(([name, value]) => revealsBody.test(name) && value === cutOut);
  const notes: string[] = [];
  if (view.at !== undefined) {
    const signed = signature === null ? '' : ', with the signature that belongs to them';
    notes.push(`# X-Request-ID and Date are those of ${view.at}${signed}:`);
    notes.push(
      `# a bank may refuse them as old. For fresh ones run the command of obk with --dry-run --curl.`,
    );
  }
  if (body !== '' && !hasSecret && !body.includes(cutOut) && sha256Hex(body) !== bodySha256)
    notes.push(`# The journal masks account numbers (DE89…3000): write them out, and sign the body anew.`);
  if (tls.insecure === true && url.startsWith('https:'))
    notes.push('# --insecure, as it was then: the certificate of the bank is not checked.');
  const command = { method: method as Prepared['request']['method'], url, headers, body: Buffer.from(body) };
  return [...notes, curlCommand({ request: command, tls, hasSecret })].join('\n');
}

function newVariables(): Variables {
  const names: string[] = [];
  return {
    names,
    slotOf: (name) => {
      if (!names.includes(name)) names.push(name);
      return `\0${names.indexOf(name)}\0`;
    },
  };
}

function memberVariable(member: string | undefined): string {
  if (member === undefined) return 'OBK_SECRET';
  return memberVariables[member] ?? `OBK_${variableName(member.replace(/([a-z])([A-Z])/g, '$1_$2'))}`;
}

/** What has to be typed at a terminal, which speaks UTF-8, so that curl sends the same bytes. */
function typed(name: string, value: string | Secret): string | Secret {
  if (value instanceof Secret || !isNaming(name)) return value;
  const text = nameFromHeader(value);
  return Buffer.from(text, 'utf8').toString('latin1') === value ? text : value;
}

function headerText(
  name: string,
  value: string | Secret,
  variables: Variables,
  inText: (text: string) => string,
): string {
  const bearer = value instanceof Secret ? 'Bearer ' : /^Bearer /i.exec(value)?.[0];
  if (/^authorization$/i.test(name) && bearer !== undefined) return bearer + variables.slotOf('OBK_TOKEN');
  if (!(value instanceof Secret) && !isSecretHeader(name)) return inText(value);
  return variables.slotOf(`OBK_${variableName(name)}`);
}

function variableName(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

/** The body as text that a shell takes and a terminal shows byte by byte; undefined where that cannot be. */
function bodyText(body: Uint8Array): string | undefined {
  if (body.length > longestArgument || body[0] === '@'.charCodeAt(0)) return undefined;
  const text = Buffer.from(body).toString('utf8');
  return clean(text) === text && Buffer.from(text, 'utf8').equals(body) ? text : undefined;
}

/** Text in single quotes, variables in double quotes between them. */
function shellWord(text: string, names: readonly string[]): string {
  const pieces = text.split(slot).map((piece, at) => {
    if (at % 2 === 1) return `"$${names[Number(piece)] ?? ''}"`;
    return piece === '' ? '' : shellQuoted(piece);
  });
  return pieces.join('') || "''";
}

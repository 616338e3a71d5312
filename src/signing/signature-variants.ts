import { constants, createHash, verify } from 'node:crypto';
import { readBase64 } from './base64-text.ts';
import { signableValues } from './signature-check.ts';
import type { SignatureParameters } from './signature-check.ts';
import type { SigningCertificate } from './material.ts';
import { headerValue } from './sign-request.ts';
import type { SigningInput } from './sign-request.ts';

type Named<T> = readonly [label: string, value: T];

/** The bodies that a client or a bank is known to hash in place of the one that was sent. */
function bodies(body: Uint8Array): Named<Uint8Array>[] {
  const text = Buffer.from(body).toString('utf8');
  const all: Named<string | Uint8Array>[] = [
    ['the body', body],
    ['the body with CRLF line ends', text.replace(/\r?\n/g, '\r\n')],
    ['the body with LF line ends', text.replaceAll('\r\n', '\n')],
    ['the body without line ends', text.replace(/\r?\n/g, '')],
    ['the body without the blanks and line ends around it', text.trim()],
    ['the body and a line end (LF)', `${text}\n`],
    ['the body and a line end (CRLF)', `${text}\r\n`],
    ['the body with a byte order mark', `\ufeff${text}`],
    ['the body without its byte order mark', text.replace(/^\ufeff/, '')],
    ['the body in ISO 8859-1', Buffer.from(text, 'latin1')],
    ['{} in place of the body', '{}'],
    ['no body', ''],
    ...documents(text),
  ];
  return all.map(([label, bytes]) => [label, typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes]);
}

function documents(text: string): Named<string>[] {
  try {
    const value: unknown = JSON.parse(text);
    return [
      ['the JSON written anew without blanks', JSON.stringify(value)],
      ['the JSON written anew with 2 blanks', JSON.stringify(value, null, 2)],
      ['the JSON written anew with 4 blanks', JSON.stringify(value, null, 4)],
    ];
  } catch {
    return [];
  }
}

const digestForms: readonly Named<(bytes: Uint8Array) => string>[] = (
  ['sha256', 'sha512', 'sha1', 'md5'] as const
).flatMap((hash): Named<(bytes: Uint8Array) => string>[] => {
  const of = (bytes: Uint8Array) => createHash(hash).update(bytes);
  return [
    [hash, (bytes) => of(bytes).digest('base64')],
    [`${hash} in hex`, (bytes) => of(bytes).digest('hex')],
    [`${hash}, its hex in base64`, (bytes) => Buffer.from(of(bytes).digest('hex')).toString('base64')],
    [`${hash} in base64url`, (bytes) => of(bytes).digest('base64url')],
  ];
});

/** Says of what a Digest header really is the digest, as far as known faults go; empty where nothing fits. */
export function digestVariants(header: string, body: Uint8Array): string[] {
  const values = header.split(',').flatMap((part) => {
    const value = part.trim();
    return [value, value.replace(/^[A-Za-z0-9-]+=/, '')];
  });
  const different = new Map(
    [...bodies(body)]
      .reverse()
      .map(([what, bytes]) => [Buffer.from(bytes).toString('latin1'), [what, bytes] as const]),
  );
  const found = [...different.values()]
    .reverse()
    .flatMap(([what, bytes]) =>
      digestForms.filter(([, form]) => values.includes(form(bytes))).map(([how]) => `${how} of ${what}`),
    );
  return [...new Set(found)];
}

/** How a signature may have been made; each change is one known way to differ from the standard. */
interface Making {
  names: readonly string[];
  values: ReadonlyMap<string, string>;
  casing: (name: string) => string;
  colon: string;
  newline: string;
  start: string;
  end: string;
  hash: string;
  scheme: 'plain' | 'pss' | 'ieee-p1363';
  prehash: 'none' | 'bytes' | 'hex' | 'base64';
  signature: Uint8Array;
}

interface Change {
  part: keyof Making;
  label: string;
  make: (making: Making) => Making;
}

/**
 * Says with what a signature fits that is not as the standard has it (`The signature fits ...`): its base64 mended, and one
 * known change or two at once; empty where none explains it.
 */
export function signatureVariants(
  input: SigningInput,
  { headers, signature, algorithm }: SignatureParameters,
  certificate: SigningCertificate,
): string[] {
  const { bytes, mends } = readBase64(signature) ?? { bytes: Buffer.from(signature, 'base64'), mends: [] };
  const once = mends.length === 0 ? [] : [`once the base64 ${mends.join(' and ')}`];
  const plain: Making = {
    names: headers,
    values: signableValues(input),
    casing: (name) => name,
    colon: ': ',
    newline: '\n',
    start: '',
    end: '',
    hash: algorithm.includes('512') ? 'sha512' : 'sha256',
    scheme: 'plain',
    prehash: 'none',
    signature: bytes,
  };
  // A change that changes nothing would fit as well, and say something wrong.
  if (fits(plain, certificate)) return once;
  // A signature in hex is no base64 to mend.
  const said = (labels: readonly string[]) =>
    labels.map((label) => [inWords(label), ...(label.includes('the signature in ') ? [] : once)].join(', '));
  const changes = changesOf(input, plain, signature);
  const one = changes.map(({ label, make }) => ({ label, making: make(plain) }));
  const known = one.filter(({ making }) => fits(making, certificate));
  if (known.length > 0) return said(simplest(known));
  const two = changes.flatMap((first, at) =>
    changes
      .slice(at + 1)
      .filter(({ part }) => part !== first.part)
      .map(({ label, make }) => ({ label: `${first.label}, and ${label}`, making: make(first.make(plain)) })),
  );
  return said(simplest(two.filter(({ making }) => fits(making, certificate))).slice(0, 5));
}

const begins = 'a signing string that begins with';

const inWords = (label: string): string => (label.startsWith(begins) ? label : `with ${label}`);

/** Of changes that sign the same text, the first: a signature tells no more. */
function simplest(known: readonly { label: string; making: Making }[]): string[] {
  const labels = new Map<string, string>();
  for (const { label, making } of known) {
    const text = textOf(making);
    if (!labels.has(text)) labels.set(text, label);
  }
  return [...labels.values()];
}

function textOf({ names, values, casing, colon, newline, start, end }: Making): string {
  return start + names.map((name) => casing(name) + colon + (values.get(name) ?? '')).join(newline) + end;
}

function fits(making: Making, { publicKey, keyType }: SigningCertificate): boolean {
  const { hash, scheme, prehash } = making;
  let bytes: Uint8Array = Buffer.from(textOf(making), 'latin1');
  if (prehash !== 'none') {
    const digest = createHash(hash).update(bytes);
    bytes = prehash === 'bytes' ? digest.digest() : Buffer.from(digest.digest(prehash));
  }
  const padding = scheme === 'pss' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const key =
    keyType === 'rsa'
      ? { key: publicKey, padding }
      : ({ key: publicKey, dsaEncoding: scheme === 'ieee-p1363' ? 'ieee-p1363' : 'der' } as const);
  try {
    return verify(hash, bytes, key, making.signature);
  } catch {
    return false;
  }
}

/** The request targets that a client is known to sign in place of the one that was sent. */
function targetsOf({ method, path, headers }: SigningInput): Named<string>[] {
  const verb = method.toLowerCase();
  const host = headerValue('host', headers) ?? '';
  return [
    ['the method in upper case', `${method.toUpperCase()} ${path}`],
    ['the path without its query', `${verb} ${path.split('?')[0] ?? ''}`],
    ...['https', 'http'].map(
      (scheme) => [`the full URL (${scheme}) as the target`, `${verb} ${scheme}://${host}${path}`] as const,
    ),
    ['the path percent-decoded', `${verb} ${decoded(path)}`],
  ];
}

function changesOf(input: SigningInput, plain: Making, signature: string): Change[] {
  const { headers, body } = input;
  const { names, values } = plain;
  const wire = new Map(headers.map(([name]) => [name.toLowerCase(), name]));
  const set = <K extends keyof Making>(part: K, label: string, value: Making[K]): Change => ({
    part,
    label,
    make: (making) => ({ ...making, [part]: value }),
  });
  const value = (name: string, label: string, text: string): Change =>
    set('values', label, new Map([...values, [name, text]]));
  const without = (name: string) => names.filter((other) => other !== name);
  const digest = values.get('digest') ?? '';
  const requestId = values.get('x-request-id') ?? '';
  const title = (name: string) => name.replace(/(^|-)[a-z]/g, (found) => found.toUpperCase());
  const wireOrder = headers.map(([name]) => name.toLowerCase()).filter((name) => names.includes(name));
  return [
    set('start', `${begins} a line end`, '\n'),
    set('start', `${begins} a line end (CRLF)`, '\r\n'),
    set('end', 'a line end (LF) after the last line', '\n'),
    set('end', 'a line end (CRLF) after the last line', '\r\n'),
    set('newline', 'lines ended by CRLF', '\r\n'),
    set('newline', 'lines joined by nothing', ''),
    set('colon', 'no blank after the colon', ':'),
    set('casing', 'names as they were sent', (name) => wire.get(name) ?? name),
    set('casing', 'names Written-Like-This', title),
    set('casing', 'names in upper case', (name) => name.toUpperCase()),
    set('names', 'names sorted', [...names].sort()),
    set('names', 'names in the order as sent', wireOrder),
    set('names', '(request-target) signed first though not listed', [
      '(request-target)',
      ...without('(request-target)'),
    ]),
    set('names', 'date signed last though not listed', [...without('date'), 'date']),
    set('names', 'date signed first though not listed', ['date', ...without('date')]),
    ...names.map((name) => set('names', `${name} listed but not signed`, without(name))),
    ...targetsOf(input).map(([label, text]) => value('(request-target)', label, text)),
    value('digest', 'the digest without its algorithm', digest.replace(/^[A-Za-z0-9-]+=/, '')),
    value(
      'digest',
      'the algorithm of the digest in lower case',
      digest.replace(/^[A-Za-z0-9-]+=/, (found) => found.toLowerCase()),
    ),
    value(
      'digest',
      'the algorithm of the digest in upper case',
      digest.replace(/^[A-Za-z0-9-]+=/, (found) => found.toUpperCase()),
    ),
    ...bodies(body).flatMap(([what, bytes]) =>
      (['SHA-256', 'SHA-512'] as const).map((name) => {
        const hash = createHash(name === 'SHA-256' ? 'sha256' : 'sha512')
          .update(bytes)
          .digest('base64');
        return value('digest', `the digest ${name} of ${what}`, `${name}=${hash}`);
      }),
    ),
    value('x-request-id', 'X-Request-ID in upper case', requestId.toUpperCase()),
    value('x-request-id', 'X-Request-ID in lower case', requestId.toLowerCase()),
    ...['tpp-redirect-uri', 'psu-id'].map((name) =>
      value(name, `${name} percent-decoded`, decoded(values.get(name) ?? '')),
    ),
    ...['sha256', 'sha384', 'sha512', 'sha1'].map((hash) => set('hash', `the hash ${hash}`, hash)),
    set('scheme', 'RSA-PSS in place of PKCS#1 v1.5', 'pss'),
    set('scheme', 'an ECDSA signature of r and s side by side (IEEE P1363)', 'ieee-p1363'),
    set('prehash', 'the hash of the signing string signed, not the string', 'bytes'),
    set('prehash', 'the hash of the signing string in hex signed, not the string', 'hex'),
    set('prehash', 'the hash of the signing string in base64 signed, not the string', 'base64'),
    set('signature', 'the signature in hex', Buffer.from(signature, 'hex')),
    set(
      'signature',
      'the signature in base64 twice',
      Buffer.from(Buffer.from(signature, 'base64').toString('latin1'), 'base64'),
    ),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

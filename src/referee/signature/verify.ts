import { verify as verifySignature } from 'node:crypto';
import { digestMistake, rightDigest } from './digest.ts';
import { keyIdMistake } from './key-id.ts';
import type { SignatureMistake, SignatureRule } from './mistake.ts';
import { parseSignature } from './parameters.ts';
import type { SignatureParameters } from './parameters.ts';
import { withHeader } from '../request-headers.ts';
import type { RequestHeaders } from '../request-headers.ts';
import { statusOf } from './signature-rules.ts';
import type { SignatureRules } from './signature-rules.ts';
import type { CertificateRead, TppCertificate, TppCertificates } from './tpp-certificate.ts';

/** The headers that the list of a signature must hold if and only if they were sent. */
const signedIfSent = ['psu-id', 'psu-corporate-id', 'tpp-redirect-uri'] as const;
const algorithms: Readonly<Record<string, { key: string; hash: string }>> = {
  'rsa-sha256': { key: 'rsa', hash: 'sha256' },
  'rsa-sha512': { key: 'rsa', hash: 'sha512' },
  'ecdsa-sha256': { key: 'ec', hash: 'sha256' },
  'ecdsa-sha512': { key: 'ec', hash: 'sha512' },
};
const nodeNames = { 'SHA-256': 'sha256', 'SHA-512': 'sha512' } as const;
/** How far Date may be from the bank's time. */
const dateWindowMs = 5 * 60_000;

const mistake = (
  rule: SignatureRule,
  header: SignatureMistake['header'],
  code: string,
  text: string,
): SignatureMistake => ({ rule, header, status: statusOf(code), code, text });

const invalid = (rule: SignatureRule, text: string) => mistake(rule, 'Signature', 'SIGNATURE_INVALID', text);

/** The parts of a request that its signature is about. */
export interface SignedRequest {
  headers: RequestHeaders;
  /** Undefined where it is not available: then Digest is judged by its form, and the signature over the headers. */
  body: Uint8Array | undefined;
}

/**
 * Finds what is wrong with Digest, Signature and certificate of a request (guidelines, chapter 12), in the order in which a
 * bank looks; a bank refuses with the first one. Nothing is found out before it is asked for.
 */
export function* signatureMistakes(
  { headers, body }: SignedRequest,
  certificates: TppCertificates,
  now: Date,
  rules: SignatureRules,
): Generator<SignatureMistake, void> {
  const signature = headers.get('signature');
  if (signature === null) {
    yield mistake('signature-missing', 'Signature', 'SIGNATURE_MISSING', 'The request has no Signature.');
    return;
  }
  const { certificate, mistakes } = shownCertificate(headers, certificates, now, rules);
  yield* mistakes;
  if (rules.mode === 'strict' && certificate?.types.has('eseal') === false)
    yield mistake(
      'certificate-use',
      inHeader,
      'CERTIFICATE_INVALID',
      'The certificate is not one for seals (QSealC).',
    );
  yield* dateMistakes(headers.get('date'), now, rules);
  const digest = digestMistake(headers.get('digest'), body, rules);
  if (digest !== undefined) yield mistake(digest.rule, 'Digest', rules.codes.digest, digest.text);
  const parameters = parseSignature(signature);
  if ('why' in parameters) {
    const { why, lacksKeyId } = parameters;
    yield lacksKeyId
      ? mistake('key-id', 'Signature', rules.codes['key-id-missing'], why)
      : invalid('signature-form', why);
    return;
  }
  const named = certificate && keyIdMistakeIn(parameters.keyId, certificate, headers, rules);
  if (named !== undefined) yield invalid('key-id', named);
  const names = parameters.headers.split(' ');
  // One mistake, and not one for each name that comes out wrong.
  if (!/^[^\s,]+( [^\s,]+)*$/.test(parameters.headers)) {
    yield invalid('signed-names', 'The list of signed headers is not names with one blank between them.');
    return;
  }
  yield* nameMistakes(names, headers, rules);
  const inOrder = orderedNames(names, headers, rules);
  if (inOrder.join(' ') !== names.join(' '))
    yield invalid('signed-names', `The list of signed headers is not in the order "${inOrder.join(' ')}".`);
  if (certificate !== undefined)
    yield* valueMistakes(parameters, signingString(names, headers), certificate, rules);
}

/** Returns the certificate of the signature of a request, where it can be read at all. */
export function signatureCertificate(
  headers: RequestHeaders,
  certificates: TppCertificates,
  now: Date,
  rules: SignatureRules,
): TppCertificate | undefined {
  return shownCertificate(headers, certificates, now, rules).certificate;
}

/** A certificate, and what is wrong with it or with how it is shown. */
interface ShownCertificate {
  readonly certificate?: TppCertificate | undefined;
  readonly mistakes: readonly SignatureMistake[];
}

const inHeader = 'TPP-Signature-Certificate';

function shownCertificate(
  headers: RequestHeaders,
  certificates: TppCertificates,
  now: Date,
  rules: SignatureRules,
): ShownCertificate {
  const header = headers.get('tpp-signature-certificate');
  if (rules.certificate === 'none') {
    const registered = registeredCertificate(headers, certificates, now, rules);
    if (header === null) return registered;
    const unasked = `The bank takes no ${inHeader}: it knows a certificate by keyId.`;
    return {
      certificate: registered.certificate,
      mistakes: [mistake('certificate-form', inHeader, 'CERTIFICATE_INVALID', unasked)],
    };
  }
  if (header === null) {
    const text = `There is no ${inHeader}.`;
    return {
      mistakes: [mistake('certificate-missing', inHeader, rules.codes['certificate-missing'], text)],
    };
  }
  const form = formMistake(header, rules);
  const read = certificates.read(header, now);
  return {
    certificate: read.certificate,
    mistakes: [
      ...(form === undefined ? [] : [mistake('certificate-form', inHeader, 'CERTIFICATE_INVALID', form)]),
      ...(read.mistake === undefined
        ? []
        : [mistake(read.mistake.rule, inHeader, read.mistake.code, read.mistake.text)]),
    ],
  };
}

/** The certificate that keyId names among the registered ones; of several with one name that whose key has signed. */
function registeredCertificate(
  headers: RequestHeaders,
  certificates: TppCertificates,
  now: Date,
  rules: SignatureRules,
): ShownCertificate {
  const parameters = parseSignature(headers.get('signature') ?? '');
  // What cannot be read is told where it is read.
  if ('why' in parameters) return { mistakes: [] };
  const named = certificates
    .held(now)
    .filter(
      ({ certificate }) =>
        certificate !== undefined &&
        keyIdMistakeIn(parameters.keyId, certificate, headers, rules) === undefined,
    );
  const signed = signingString(parameters.headers.split(' '), headers);
  const isSigner = ({ certificate }: CertificateRead) =>
    certificate !== undefined && [...valueMistakes(parameters, signed, certificate, rules)].length === 0;
  const found = named.length > 1 ? (named.find(isSigner) ?? named[0]) : named[0];
  if (found === undefined)
    return { mistakes: [invalid('key-id', 'keyId names no certificate that is registered here.')] };
  const { certificate, mistake: wrong } = found;
  return {
    certificate,
    mistakes: wrong === undefined ? [] : [mistake(wrong.rule, 'Signature', wrong.code, wrong.text)],
  };
}

/** The values that a correct request would have: the digest of the received body, and the string to sign with it. */
export interface Expected {
  digest: string;
  signingString: string;
}

/** Tells what the bank expects of a signature; the order of the list is the one sent if that is right. Without `body` Digest is right. */
export function expectedOf(
  headers: RequestHeaders,
  body: Uint8Array | undefined,
  rules: SignatureRules,
): Expected {
  const digest =
    body === undefined ? (headers.get('digest') ?? '') : rightDigest(headers.get('digest'), body, rules);
  const sent = /(?:^|,)\s*headers="([^"]*)"/.exec(headers.get('signature') ?? '')?.[1]?.split(' ') ?? [];
  const wanted = mandatory(headers, rules);
  const right = sent.length === wanted.length && wanted.every((name) => sent.includes(name));
  const values = withHeader(headers, 'digest', digest);
  return { digest, signingString: signingString(right ? sent : wanted, values) };
}

function formMistake(header: string, { certificate }: SignatureRules): string | undefined {
  if (
    certificate === 'pem-line' &&
    !/^-----BEGIN CERTIFICATE-----[^-%]+-----END CERTIFICATE-----$/.test(header)
  )
    return 'TPP-Signature-Certificate is not PEM in one line.';
  if (certificate === 'bare' && !/^[A-Za-z0-9+/]+={0,2}$/.test(header))
    return 'TPP-Signature-Certificate is not base64 of DER alone.';
  if (certificate === 'pem-url' && !/^-----BEGIN%20CERTIFICATE-----%0A[^\s-]+-----END%20/.test(header))
    return 'TPP-Signature-Certificate is not URL-encoded PEM.';
  if (certificate === 'pem-base64' && !/^LS0tLS1CRUdJTi[A-Za-z0-9+/]+={0,2}$/.test(header))
    return 'TPP-Signature-Certificate is not base64 of PEM.';
  return undefined;
}

/** RFC 9110 5.6.7, the form that senders have to use. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function* dateMistakes(date: string | null, now: Date, rules: SignatureRules): Generator<SignatureMistake> {
  if (rules.date === 'ignored') return;
  if (date === null) {
    yield mistake('date-missing', 'Date', rules.codes['date-missing'], 'The request has no Date.');
    return;
  }
  const sent = httpDate.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(sent))
    yield mistake('date-form', 'Date', rules.codes['date-missing'], 'Date is not a date of HTTP.');
  else if (Math.abs(sent - now.getTime()) > dateWindowMs)
    yield mistake(
      'date-window',
      'Date',
      rules.codes['date-window'],
      `Date is more than 5 minutes from ${now.toUTCString()}.`,
    );
}

/** Some banks know a TPP by a name of their own once there is a token. */
function keyIdMistakeIn(
  keyId: string,
  certificate: TppCertificate,
  headers: RequestHeaders,
  { keyId: rule, clientIdOf, isNamed = false }: SignatureRules,
): string | undefined {
  const hasToken = /^bearer /i.test(headers.get('authorization') ?? '');
  if (clientIdOf === undefined || !(isNamed || hasToken)) return keyIdMistake(keyId, certificate, rule);
  const right = clientIdOf(certificate.tpp);
  return keyId === right ? undefined : `keyId is not ${right}, the client_id in the reply of the token.`;
}

/** The names that the list of signed headers must contain; any other is refused. */
function mandatory(headers: RequestHeaders, { date, names }: SignatureRules): string[] {
  if (names !== undefined)
    return names.flatMap((name) => (name.endsWith('?') ? optional(headers, name.slice(0, -1)) : [name]));
  return [
    'digest',
    'x-request-id',
    ...signedIfSent.filter((optional) => headers.has(optional)),
    ...(date === 'signed' ? ['date'] : []),
  ];
}

const optional = (headers: RequestHeaders, name: string): string[] => (headers.has(name) ? [name] : []);

function* nameMistakes(
  names: readonly string[],
  headers: RequestHeaders,
  rules: SignatureRules,
): Generator<SignatureMistake> {
  const listed = new Set(names);
  if (listed.size !== names.length)
    yield invalid('signed-names', 'The list of signed headers repeats a name.');
  const wanted = mandatory(headers, rules);
  for (const name of wanted) {
    if (!listed.delete(name)) yield invalid('signed-names', `The list of signed headers lacks ${name}.`);
  }
  for (const other of listed)
    yield invalid(
      'signed-names',
      `The list of signed headers may not hold ${JSON.stringify(other)}; in this request it is "${wanted.join(' ')}".`,
    );
}

/** The signed names in the order that the bank wants; as they came where it wants none. */
function orderedNames(
  names: readonly string[],
  headers: RequestHeaders,
  rules: SignatureRules,
): readonly string[] {
  if (rules.order === undefined) return names;
  return rules.order === 'sorted' ? [...names].sort() : mandatory(headers, rules);
}

function signingString(names: readonly string[], headers: RequestHeaders): string {
  return names.map((name) => `${name}: ${headers.get(name)?.trim() ?? ''}`).join('\n');
}

function* valueMistakes(
  parameters: SignatureParameters,
  signed: string,
  certificate: TppCertificate,
  { mode, label, hash, encoding }: SignatureRules,
): Generator<SignatureMistake> {
  const { publicKey } = certificate;
  const named = algorithms[parameters.algorithm];
  // A word of the bank's own does not say which algorithm it is.
  const hidden = { key: publicKey.asymmetricKeyType ?? '', hash: nodeNames[hash ?? 'SHA-256'] };
  const algorithm = label === undefined ? named : hidden;
  if (label !== undefined && parameters.algorithm !== label)
    yield invalid('signature-algorithm', `The algorithm of the signature is called ${label} here.`);
  else if (hash !== undefined && algorithm !== undefined && algorithm.hash !== nodeNames[hash])
    yield invalid('signature-algorithm', `The hash of the signature is not ${hash}.`);
  else if (algorithm === undefined)
    yield invalid('signature-algorithm', 'The algorithm of the signature is not known here.');
  else if (publicKey.asymmetricKeyType !== algorithm.key)
    yield invalid(
      'signature-algorithm',
      `${parameters.algorithm} does not fit the certificate, whose key is ${(publicKey.asymmetricKeyType ?? 'of no known type').toUpperCase()}.`,
    );
  else if (!/^[A-Za-z0-9+/]+={0,2}$/.test(parameters.signature))
    yield invalid('signature-wrong', 'The signature is not base64.');
  else {
    const signature = Buffer.from(parameters.signature, 'base64');
    const bytes = Buffer.from(signed, 'latin1');
    const usual = mode === 'strict' ? (['der'] as const) : (['der', 'ieee-p1363'] as const);
    const encodings = algorithm.key !== 'ec' ? (['der'] as const) : encoding ? [encoding] : usual;
    const good = encodings.some((dsaEncoding) =>
      verifySignature(algorithm.hash, bytes, { key: publicKey, dsaEncoding }, signature),
    );
    if (!good) yield invalid('signature-wrong', 'The signature is not that of these headers and this key.');
  }
}

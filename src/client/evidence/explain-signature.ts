import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import { digestHeader, sha256Hex } from '../../signing/digest.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import { readSigningCertificate } from '../../signing/material.ts';
import type { SigningCertificate } from '../../signing/material.ts';
import { readCertificateFile } from '../../signing/certificate-file.ts';
import { signingOptions } from '../../signing/options.ts';
import type { SigningSettings } from '../../signing/options.ts';
import { certificatePem } from '../../signing/pem.ts';
import {
  certificateFormCheck,
  checkSignature,
  readSignature,
  receivedString,
  signableValues,
  useCheck,
} from '../../signing/signature-check.ts';
import type { SignatureCheck } from '../../signing/signature-check.ts';
import { digestVariants, signatureVariants } from '../../signing/signature-variants.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { captureOf } from './captured-request.ts';
import { isMaskedBody } from './masked-capture.ts';
import type { CapturedRequest } from './captured-request.ts';

/** Everything about the signature of a captured request. */
export interface SignatureReport {
  /** Whether Digest, list of headers and signature are right. */
  verified: boolean;
  source: CapturedRequest['source'];
  method: string;
  target: string;
  digest: {
    sent: string | null;
    /** Over the captured body, or as the journal kept it of a masked one; null where it kept another hash. */
    computed: string | null;
    bytes: number;
    /** The first bytes of what is hashed. */
    hex: string;
    text: string;
  };
  keyId: string;
  algorithm: string;
  signedHeaders: readonly string[];
  signingString: string;
  signature: string;
  certificate: { from: string; subject: string; serial: string; keyType: string };
  checks: readonly SignatureCheck[];
  /** Known ways to differ from the standard that explain what does not fit. */
  explanations: readonly string[];
  notes: readonly string[];
}

const shownBytes = 256;

/**
 * Explains and checks the signature of a captured request with the certificate of a file, or with the one that the
 * request carries; `signing` is how a profile writes the keyId, and `profile` its name where it was named for this request. Throws INPUT_INVALID where there is no signature or no certificate.
 */
export async function explainSignature(
  ports: Ports,
  source: string,
  options: {
    certificate?: string | undefined;
    entry?: number | undefined;
    signing?: SigningSettings | undefined;
    profile?: string | undefined;
  },
): Promise<SignatureReport> {
  const captured = await captureOf(ports, source, options);
  const header = signatureHeader(captured);
  const { certificate, from } = await certificateFor(ports, captured, options.certificate);
  const parameters = readSignature(header);
  const { certificateHeader, ...signing } = signingOptions(options.signing);
  const { template, serial, issuer } = signing.keyId;
  // The form of the guidelines is judged by them, in each spelling of its parts.
  const isOwn = template !== signingOptions().keyId.template;
  const form = isOwn ? { template, serial, issuer, only: options.profile !== undefined } : undefined;
  const report = inspectCertificate(certificate.der);
  const sentCertificate = headerOf(captured.headers, 'tpp-signature-certificate');
  const checks = [
    ...checkSignature(captured, parameters, { certificate, now: ports.clock.now(), form }),
    ...useCheck(report),
    ...certificateFormCheck(sentCertificate, certificateHeader),
  ].map((check) => (check.name === 'digest' ? ofMasked(check, captured) : check));
  const masked = isMasked(captured);
  const failed = new Set(checks.filter(({ ok }) => !ok).map(({ name }) => name));
  const sent = headerOf(captured.headers, 'digest') ?? null;
  const explanations = [
    ...(failed.has('digest') && sent !== null && !masked
      ? digestVariants(sent, captured.body).map((what) => `The Digest is that of: ${what}.`)
      : []),
    ...(failed.has('signature')
      ? signatureVariants(captured, parameters, certificate).map((what) => `The signature fits ${what}.`)
      : []),
  ];
  const { body, bodySha256 } = captured;
  return {
    verified: checks.every(({ ok, needed }) => ok || !needed),
    source: captured.source,
    method: captured.method,
    target: captured.path,
    digest: {
      sent,
      computed: masked
        ? keptDigest(bodySha256, sent)
        : digestHeader(body, /^sha-512=/i.test(sent ?? '') ? 'SHA-512' : 'SHA-256'),
      bytes: body.length,
      hex: Buffer.from(body.subarray(0, shownBytes)).toString('hex'),
      text: visible(Buffer.from(body).toString('utf8')),
    },
    keyId: parameters.keyId,
    algorithm: parameters.algorithm,
    signedHeaders: parameters.headers,
    signingString: receivedString(parameters.headers, signableValues(captured)),
    signature: parameters.signature,
    certificate: { from, subject: report.subject, serial: report.serial, keyType: certificate.keyType },
    checks,
    explanations,
    notes: [...captured.notes, ...(masked ? ['Account numbers or secrets in the body are masked.'] : [])],
  };
}

/** Makes line ends and blanks at the end of lines visible. */
export function visible(text: string): string {
  return text
    .replace(/[ \t]+(?=\r?\n|$)/g, (blanks) => blanks.replaceAll(' ', '·').replaceAll('\t', '→'))
    .replaceAll('\r', '␍')
    .replaceAll('\n', '␊\n');
}

function signatureHeader({ headers }: CapturedRequest): string {
  const authorization = headerOf(headers, 'authorization');
  const scheme = /^Signature\s+/;
  const carried = scheme.test(authorization ?? '') ? authorization?.replace(scheme, '') : undefined;
  const found = headerOf(headers, 'signature') ?? carried;
  if (found !== undefined) return found;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'The request has no signature.',
    detail: 'It has neither a Signature header nor an Authorization header of that scheme.',
    hint: ['--entry N   # another request of the same file or run'],
  });
}

async function certificateFor(
  ports: Ports,
  { headers }: CapturedRequest,
  path: string | undefined,
): Promise<{ certificate: SigningCertificate; from: string }> {
  if (path !== undefined) {
    const [der] = (await readCertificateFile(await ports.files.read(path), path)).certificates;
    if (der !== undefined)
      return { certificate: readSigningCertificate(certificatePem(der), path), from: path };
  }
  const name = 'TPP-Signature-Certificate';
  const carried = headerOf(headers, name);
  if (carried !== undefined) return { certificate: readSigningCertificate(carried, name), from: name };
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'There is no certificate to verify with.',
    detail: `The request has no ${name}.`,
    hint: ['--certificate FILE'],
  });
}

function isMasked({ body, bodySha256 }: CapturedRequest): boolean {
  if (bodySha256 !== undefined && sha256Hex(body) === bodySha256) return false;
  return isMaskedBody(body);
}

/** A masked body cannot be hashed, but the journal has its SHA-256. */
function keptDigest(bodySha256: string | undefined, sent: string | null): string | null {
  if (bodySha256 === undefined || /^sha-512=/i.test(sent ?? '')) return null;
  return `SHA-256=${Buffer.from(bodySha256, 'hex').toString('base64')}`;
}

function ofMasked(check: SignatureCheck, captured: CapturedRequest): SignatureCheck {
  const sent = headerOf(captured.headers, 'digest') ?? null;
  if (check.ok || !isMasked(captured) || sent === null) return check;
  const kept = keptDigest(captured.bodySha256, sent);
  if (kept === null)
    return {
      ...check,
      text: `Whether the Digest fits cannot be told: parts of the body are masked${captured.bodySha256 === undefined ? '' : ', and the journal keeps its SHA-256 only'}.`,
      hint: 'obk sign verify RUN tells it on the machine that sent it; elsewhere a capture of the request as it left does, or its --dry-run.',
    };
  if (kept.replace(/^[^=]*=/, '') !== sent.replace(/^[^=]*=/, '')) return check;
  return {
    name: check.name,
    needed: check.needed,
    ok: true,
    text: 'Digest is that of the body as it was sent.',
  };
}

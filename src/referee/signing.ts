import type { Operation } from '../standard/xs2a/operations.ts';
import type { Findings } from './finding.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { JudgedRequest, Terms } from './request.ts';
import { signatureRules } from './signature/signature-rules.ts';
import type { SignatureSwitches } from './signature/signature-rules.ts';
import { TppCertificates } from './signature/tpp-certificate.ts';
import type { TppCertificate } from './signature/tpp-certificate.ts';
import { signatureCertificate, signatureMistakes } from './signature/verify.ts';

/** The wishes of the guidelines: whoever signs does it right, and nobody must. */
export const guidelineSigning: SignatureSwitches = {
  signature: 'optional',
  signatureProfile: 'guidelines',
  keyId: 'parsed',
  dateHeader: 'ignored',
};

const parts = ['Digest', 'TPP-Signature-Certificate'] as const;

/** Judges digest, signature and certificates of a request, and the date that it carries. */
export function judgeSigning(
  found: Findings,
  terms: Terms,
  operation: Operation,
  request: JudgedRequest,
  headers: RequestHeaders,
): void {
  const { signing = guidelineSigning, wallNow: now = terms.now } = terms;
  if (signing === 'off' || signing.signature === 'off') return;
  const rules = signatureRules(signing, operation, terms.variant.framework);
  const certificates = terms.certificates ?? anyIssuer;
  if (rules.mode === 'optional' && !headers.has('signature')) {
    for (const name of parts)
      if (headers.has(name)) found.add('digest-alone', 'header', name, `${name} comes without Signature.`);
  } else {
    const mistakes =
      terms.signatureMistakes ?? signatureMistakes({ headers, body: request.body }, certificates, now, rules);
    for (const { rule, header, status, code, text } of mistakes)
      found.add(rule, header === 'connection' ? 'connection' : 'header', header, text, { status, code });
  }
  if (rules.date === 'ignored') judgeClock(found, headers.get('date'), now);
  const seal = headers.has('signature') ? signatureCertificate(headers, certificates, now, rules) : undefined;
  const qwac = judgePeer(found, terms, certificates, request, now);
  if (seal !== undefined && qwac !== undefined && seal.tpp !== qwac.tpp)
    found.add(
      'certificate-owner',
      'connection',
      'client certificate',
      `The connection is of ${qwac.tpp}, and the signature of ${seal.tpp}.`,
    );
  for (const certificate of [seal, qwac])
    if (certificate?.roles.has(operation.role) === false) {
      const [place, name] =
        certificate === seal
          ? (['header', 'TPP-Signature-Certificate'] as const)
          : (['connection', 'client certificate'] as const);
      found.add('role', place, name, `The certificate lacks the role ${operation.role}.`, {
        code: rules.codes.role,
      });
    }
}

const anyIssuer = new TppCertificates(undefined);

function judgePeer(
  found: Findings,
  { needsClientCertificate }: Terms,
  certificates: TppCertificates,
  { peer }: JudgedRequest,
  now: Date,
): TppCertificate | undefined {
  if (peer === undefined) {
    if (needsClientCertificate === true)
      found.add(
        'client-certificate-missing',
        'connection',
        'client certificate',
        'The connection shows no client certificate (QWAC).',
      );
    return undefined;
  }
  const { certificate, mistake } = certificates.readPeer(peer, now);
  if (mistake !== undefined)
    found.add(mistake.rule, 'connection', 'client certificate', mistake.text, { code: mistake.code });
  return certificate;
}

const windowMs = 5 * 60_000;

/** The bank at hand does not look at Date; others do. Its form is judged with the other headers. */
function judgeClock(found: Findings, date: string | null, now: Date): void {
  const sent = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isNaN(sent) && Math.abs(sent - now.getTime()) > windowMs)
    found.add('date-far', 'header', 'Date', `Date is more than 5 minutes from ${now.toUTCString()}.`);
}

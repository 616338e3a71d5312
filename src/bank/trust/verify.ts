import { signatureCertificate, signatureMistakes } from '../../referee/signature/verify.ts';
import type { SignedRequest } from '../../referee/signature/verify.ts';
import type { SignatureRules } from '../../referee/signature/signature-rules.ts';
import type { TppCertificate, TppCertificates } from '../../referee/signature/tpp-certificate.ts';
import { formatError, Refusal, unauthorised } from '../rules/refusal.ts';

/** Checks Digest, Signature and certificate of a request by the rules of the referee; throws Refusal 401 or 400. */
export function verifyRequest(
  request: SignedRequest,
  certificates: TppCertificates,
  now: Date,
  rules: SignatureRules,
): TppCertificate {
  const [first] = signatureMistakes(request, certificates, now, rules);
  if (first !== undefined) throw refusalOf(first);
  const certificate = signatureCertificate(request.headers, certificates, now, rules);
  if (certificate === undefined) throw new Error('a signature without a certificate passed');
  return certificate;
}

/** The bank's answer to a certificate or a signature that is wrong. */
export function refusalOf({ code, text }: { code: string; text: string }): Refusal {
  if (code === 'FORMAT_ERROR') return formatError(text);
  return code === 'TIMESTAMP_INVALID'
    ? new Refusal(400, code, text, { path: 'Date' })
    : unauthorised(code, text);
}

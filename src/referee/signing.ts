import type { Findings } from './finding.ts';
import type { JudgedCall } from './request.ts';
import { signatureRules } from './signature/signature-rules.ts';
import type { SignatureRules, SignatureSwitches } from './signature/signature-rules.ts';
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
export function judgeSigning(found: Findings, call: JudgedCall): void {
  const { operation, headers, terms } = call;
  const { signing = guidelineSigning } = terms;
  if (signing === 'off' || signing.signature === 'off') return;
  const rules = signatureRules(signing, operation, terms.variant.framework);
  if (rules.mode === 'optional' && !headers.has('signature')) {
    for (const name of parts)
      if (headers.has(name)) found.at('header', name).add('digest-alone', `${name} comes without Signature.`);
  } else judgeSignature(found, call, rules);
  if (rules.date === 'ignored') judgeClock(found, headers.get('date'), realTime(call));
  judgeCertificates(found, call, rules);
}

/** The certificates of signature and connection are of one TPP, which has the role. */
function judgeCertificates(found: Findings, call: JudgedCall, rules: SignatureRules): void {
  const { operation, headers } = call;
  const seal = headers.has('signature')
    ? signatureCertificate(headers, issuersOf(call), realTime(call), rules)
    : undefined;
  const qwac = judgePeer(found, call);
  if (seal !== undefined && qwac !== undefined && seal.tpp !== qwac.tpp)
    found
      .at('connection', 'client certificate')
      .add('certificate-owner', `The connection is of ${qwac.tpp}, and the signature of ${seal.tpp}.`);
  const shown = [
    [found.at('header', 'TPP-Signature-Certificate'), seal],
    [found.at('connection', 'client certificate'), qwac],
  ] as const;
  for (const [at, certificate] of shown)
    if (certificate?.roles.has(operation.role) === false)
      at.add('role', `The certificate lacks the role ${operation.role}.`, { code: rules.codes.role });
}

const anyIssuer = new TppCertificates(undefined);
const issuersOf = ({ terms }: JudgedCall): TppCertificates => terms.certificates ?? anyIssuer;
const realTime = ({ terms }: JudgedCall): Date => terms.wallNow ?? terms.now;

function judgeSignature(found: Findings, call: JudgedCall, rules: SignatureRules): void {
  const { headers, request, terms } = call;
  const mistakes =
    terms.signatureMistakes ??
    signatureMistakes({ headers, body: request.body }, issuersOf(call), realTime(call), rules);
  for (const { rule, header, status, code, text } of mistakes)
    found.at(header === 'connection' ? 'connection' : 'header', header).add(rule, text, { status, code });
}

function judgePeer(found: Findings, call: JudgedCall): TppCertificate | undefined {
  const at = found.at('connection', 'client certificate');
  const { peer } = call.request;
  if (peer === undefined) {
    if (call.terms.needsClientCertificate === true)
      at.add('client-certificate-missing', 'The connection shows no client certificate (QWAC).');
    return undefined;
  }
  const { certificate, mistake } = issuersOf(call).readPeer(peer, realTime(call));
  if (mistake !== undefined) at.add(mistake.rule, mistake.text, { code: mistake.code });
  return certificate;
}

const windowMs = 5 * 60_000;

/** The bank at hand does not look at Date; others do. Its form is judged with the other headers. */
function judgeClock(found: Findings, date: string | null, now: Date): void {
  const sent = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isNaN(sent) && Math.abs(sent - now.getTime()) > windowMs)
    found.at('header', 'Date').add('date-far', `Date is more than 5 minutes from ${now.toUTCString()}.`);
}

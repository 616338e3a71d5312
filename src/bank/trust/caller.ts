import type { X509Certificate } from 'node:crypto';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { RunningBank } from './call.ts';
import { ownTpp } from './own-tpp.ts';
import { unauthorised, formatError, Refusal } from '../rules/refusal.ts';
import type { RequestHeaders } from '../../referee/request-headers.ts';
import { mayBeAnyone } from '../rules/scenario.ts';
import type { Scenario } from '../rules/scenario.ts';
import { signatureRules } from '../../referee/signature/signature-rules.ts';
import type { TppCertificate, TppCertificates } from '../../referee/signature/tpp-certificate.ts';
import { signatureCertificate, signatureMistakes } from '../../referee/signature/verify.ts';
import type { SignedRequest } from '../../referee/signature/verify.ts';
import type { SignatureRules } from '../../referee/signature/signature-rules.ts';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** The credentials that a request shows. */
export interface Shown {
  headers: RequestHeaders;
  body: Uint8Array;
  /** The certificate of the TLS connection. */
  peer: X509Certificate | undefined;
  scenario: Scenario;
  operation: Operation;
  variant: Pick<Variant, 'framework'>;
}

/** The caller. */
export interface Caller {
  /** The organizationIdentifier of the certificates; that of the bank's own TPP for a caller who need not show any. */
  tpp: string;
  /** Whether a signature was verified. */
  signed: boolean;
  /** The certificate of the connection (QWAC), where one was shown. */
  qwac: TppCertificate | undefined;
}

/**
 * Finds out who calls, by signature (QSealC), by connection (QWAC) or by both; `sealed` is the
 * certificate of a signature in another form, which was verified already. Throws Refusal 401 or 400.
 */
export function identify(
  bank: Pick<RunningBank, 'certificates' | 'wallClock'>,
  { headers, body, peer, scenario, operation, variant }: Shown,
  sealed?: TppCertificate,
): Caller {
  const now = bank.wallClock.now();
  const rules = signatureRules(scenario, operation, variant.framework);
  const { clientCertificate } = scenario;
  const qwac = peer && clientCertificate !== 'off' ? readPeer(bank, peer) : undefined;
  if (qwac === undefined && clientCertificate === 'required')
    throw unauthorised('CERTIFICATE_MISSING', 'The connection shows no client certificate (QWAC).');
  const unsigned = rules.mode === 'off' || (rules.mode === 'optional' && !headers.has('signature'));
  const seal = unsigned ? sealed : verifyRequest({ headers, body }, bank.certificates, now, rules);
  const first = seal ?? qwac;
  // An operation that the description leaves unsigned may be called by anyone, as where nothing is signed.
  const signature = rules.mode === scenario.signature ? rules.mode : 'off';
  if (first === undefined && mayBeAnyone({ signature, clientCertificate }))
    return { tpp: ownTpp, signed: false, qwac: undefined };
  if (first === undefined)
    throw unauthorised('CERTIFICATE_MISSING', 'There is neither a signature nor a client certificate.');
  if (qwac !== undefined && qwac.tpp !== first.tpp)
    throw unauthorised('CERTIFICATE_INVALID', 'QWAC and QSealC are of different organisations.');
  for (const certificate of [seal, qwac]) {
    if (certificate?.roles.has(operation.role) === false)
      throw refusalOf({
        code: rules.codes.role,
        text: `The certificate lacks the role ${operation.role}.`,
      });
  }
  return { tpp: first.tpp, signed: seal !== undefined, qwac };
}

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

/** The certificate that the client of this connection showed; who trusts it is another question. */
export function peerOf({ socket }: IncomingMessage): X509Certificate | undefined {
  return socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
}

/** The certificate of a connection as the bank reads it; throws Refusal 401 for one that it does not take. */
export function readPeer(
  { certificates, wallClock }: Pick<RunningBank, 'certificates' | 'wallClock'>,
  peer: X509Certificate,
): TppCertificate {
  const { certificate, mistake } = certificates.readPeer(peer, wallClock.now());
  if (mistake !== undefined) throw refusalOf(mistake);
  if (certificate === undefined) throw new Error('a client certificate passed without being read');
  return certificate;
}

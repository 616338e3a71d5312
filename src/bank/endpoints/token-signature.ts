import type { IncomingMessage } from 'node:http';
import { signatureRules } from '../../referee/signature/signature-rules.ts';
import { verifyJws } from '../../referee/signature/jws.ts';
import type { TppCertificate } from '../../referee/signature/tpp-certificate.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { standardHeaders } from '../dialect/requests.ts';
import { scenarioOf } from '../rules/scenario.ts';
import type { RunningBank } from '../trust/call.ts';
import { refusalOf, verifyRequest } from '../trust/verify.ts';

/** A request for a token as it came. */
interface TokenRequest {
  incoming: IncomingMessage;
  body: Uint8Array;
  /** Whether the TPP knows its client_id already, which is the keyId then. */
  isNamed: boolean;
}

/**
 * The certificate that a request for a token is signed with, at a bank that wants that (auth.token.signed); undefined at any other.
 * Throws Refusal as a call does.
 */
export function signerOf(bank: RunningBank, request: TokenRequest): TppCertificate | undefined {
  const { dialect, certificates, wallClock } = bank;
  const { auth, signing } = dialect?.settings ?? {};
  if (dialect === undefined || auth?.token?.signed !== true || signing?.mode === 'none') return undefined;
  const { method = '', url = '', rawHeaders } = request.incoming;
  const scenario = scenarioOf(bank.ledger.main);
  const headers = standardHeaders(dialect, rawHeaders, { method, url });
  // No operation of the interface: the one whose demands are the general ones stands for it.
  const rules = signatureRules(
    { ...scenario, signature: 'required', described: dialect.signature },
    operation('getAccountList'),
    dialect.variant.framework,
  );
  const now = wallClock.now();
  if (signing?.mode !== 'jws')
    return verifyRequest({ headers, body: request.body }, certificates, now, {
      ...rules,
      isNamed: request.isNamed,
    });
  const whole = { method, target: url, headers, body: request.body };
  const verdict = verifyJws(whole, certificates, now, { jws: signing.jws ?? {}, rules });
  if ('certificate' in verdict) return verdict.certificate;
  throw refusalOf(verdict);
}

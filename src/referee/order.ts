import { isFinalConsent, isFinalSca, isFinalTransaction } from '../standard/xs2a/codes.ts';
import type { Operation } from '../standard/xs2a/operations.ts';
import type { CallPlace, Findings } from './finding.ts';
import type { JudgedCall, JudgedRequest, Known, KnownResource } from './request.ts';

/** The most questions about one status in a second. */
const mostPerSecond = 2;

/** Judges a call among the earlier calls of its TPP, as far as the bank knows them. */
export function judgeOrder(found: Findings, known: Known, call: JudgedCall): void {
  const { operation, request, headers } = call;
  judgeRequestId(found, known, request);
  judgeResource(found, known, operation);
  judgeConsent(found, known);
  const { resource, callsInLastSecond = 0 } = known;
  const uri = headers.get('tpp-redirect-uri');
  if (resource?.redirectUri !== undefined && uri !== null && uri !== resource.redirectUri)
    found
      .at('header', 'TPP-Redirect-URI')
      .add(
        'redirect-uri-changed',
        `The ${resource.kind} was made with another TPP-Redirect-URI: ${resource.redirectUri}.`,
      );
  if (asksForStatus(operation) && callsInLastSecond >= mostPerSecond)
    found
      .at('call', operation.id)
      .add('polling-fast', `The same was asked ${String(callsInLastSecond)} times within the second before.`);
}

const asksForStatus = ({ method, path }: Operation): boolean =>
  method === 'GET' && (path.endsWith('/status') || path.endsWith('{authorisationId}'));

/** A POST that was sent again after a timeout has the same X-Request-ID and the same body; nothing else has. */
function judgeRequestId(found: Findings, { sameRequestId: earlier }: Known, { method }: JudgedRequest): void {
  if (earlier === undefined) return;
  const again = method === 'POST' && earlier.samePlace;
  if (again && earlier.sameBody) return;
  found
    .at('header', 'X-Request-ID')
    .add(
      'request-id-again',
      again
        ? 'X-Request-ID was used before, with another body.'
        : `X-Request-ID was used before, for ${earlier.method} ${earlier.path}.`,
    );
}

function judgeResource(found: Findings, { resource, scaStatus }: Known, operation: Operation): void {
  if (resource === undefined) return;
  const { parent } = operation;
  const id = parent === 'basket' ? 'basketId' : parent === 'consent' ? 'consentId' : 'paymentId';
  const at = found.at('path', id);
  if (resource === null) {
    const of = parent === 'cancellation' ? 'payment' : parent;
    const reply = parent === 'consent' ? { status: 403, code: 'CONSENT_UNKNOWN' } : {};
    at.add('resource-unknown', `This TPP has made no such ${of}.`, reply);
    return;
  }
  const { kind, status } = resource;
  if (operation.id === 'cancelPayment' && isUncancellable(resource))
    at.add('cancellation-late', `The payment is ${status}, and can no longer be cancelled.`);
  const starts = operation.method === 'POST' && operation.path.endsWith('authorisations');
  if (starts && parent !== 'cancellation' && isSettled(resource))
    at.add('already-authorised', `The ${kind} is ${status}: nothing is left to authorise.`);
  if (operation.method === 'PUT') judgeUpdate(found.at('path', 'authorisationId'), kind, scaStatus);
}

function judgeUpdate(at: CallPlace, kind: string, scaStatus: string | null | undefined): void {
  if (scaStatus === null) at.add('resource-unknown', `The ${kind} has no such authorisation.`);
  else if (scaStatus !== undefined && isFinalSca(scaStatus))
    at.add('authorisation-ended', `The authorisation is ${scaStatus}, and stays so.`);
}

const isUncancellable = ({ status, cancellable }: KnownResource): boolean =>
  cancellable === undefined ? isFinalTransaction(status) && status !== 'CANC' : !cancellable;

/** Authorised as a whole, or at its end. */
function isSettled({ kind, status, ending }: KnownResource): boolean {
  if (ending === true) return false;
  if (kind === 'consent') return status === 'valid' || isFinalConsent(status);
  return status !== 'RCVD' && status !== 'PATC' && status !== 'PDNG';
}

function judgeConsent(found: Findings, { consentStatus: status }: Known): void {
  if (status === undefined || status === 'valid') return;
  if (status === null)
    found.at('header', 'Consent-ID').add('consent-unknown', 'This TPP has made no such consent.');
  else if (status === 'expired')
    found.at('header', 'Consent-ID').add('consent-expired', 'The consent has expired.');
  else
    found
      .at('header', 'Consent-ID')
      .add('consent-not-valid', `The consent is ${status}, and cannot be used.`);
}

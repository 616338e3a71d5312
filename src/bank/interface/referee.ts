import { judge } from '../../referee/judge.ts';
import type { RefereeFinding } from '../../referee/finding.ts';
import { refusedFinding } from '../../referee/finding.ts';
import type { JudgedRequest, Known, KnownResource, Terms } from '../../referee/request.ts';
import { rightDigest } from '../../referee/signature/digest.ts';
import { signatureRules } from '../../referee/signature/signature-rules.ts';
import { queryOfBank } from '../../standard/xs2a/query-of-bank.ts';
import type { Operation, OperationId } from '../../standard/xs2a/operations.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import { callsSince, earlierArrival } from '../rules/arrivals.ts';
import { Refusal } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';
import { findAuthorisation } from '../sca/authorisation-store.ts';
import { isUnauthorised, isWaiting } from '../sca/authorised-things.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { doDueWork } from '../sca/timers.ts';
import { findBasket } from '../stores/basket-store.ts';
import { findConsent } from '../stores/consent-store.ts';
import { findPayment } from '../stores/payment-store.ts';
import type { RunningBank } from '../trust/call.ts';
import { offeredProducts } from './routes.ts';

/** A request of which the bank knows who sent it, before it acts on it. */
export interface KnownCall {
  operation: Operation;
  variant: Pick<Variant, 'framework'>;
  params: PathParams;
  scenario: Scenario;
  headers: { get(name: string): string | null };
  body: Uint8Array;
  path: string;
  tpp: string;
  /** A verified signature, so that its Digest is that of the body. */
  signed: boolean;
}

/** Whoever asks more often than that in a second is told this number. */
const mostCounted = 20;

/** What the bank knows of earlier calls: it must be asked for before the call changes anything. */
export function knownOf({ ledger: { main, log }, clock, wallClock }: RunningBank, call: KnownCall): Known {
  const { operation, params, headers, tpp, path } = call;
  doDueWork(main, clock.now());
  const requestId = headers.get('x-request-id');
  const earlier = requestId === null ? undefined : earlierArrival(log, tpp, requestId);
  const isStatus = operation.method === 'GET' && /status$|authorisationId\}$/.test(operation.path);
  const asked = { tpp, operation: operation.id, path };
  return {
    ...(earlier && {
      sameRequestId: {
        method: earlier.method,
        path: earlier.path,
        samePlace: earlier.method === operation.method && earlier.path === path,
        sameBody: earlier.digest === digestOf(call),
      },
    }),
    ...resourceOf(main, params, tpp),
    ...(params.authorisationId !== undefined && {
      scaStatus: findAuthorisation(main, params.authorisationId)?.scaStatus ?? null,
    }),
    ...consentOf(main, call),
    ...(isStatus && {
      callsInLastSecond: callsSince(log, asked, new Date(wallClock.now().getTime() - 1000), mostCounted),
    }),
  };
}

function digestOf({ headers, body, signed, scenario, operation, variant }: KnownCall): string {
  const sent = headers.get('digest');
  return signed && sent !== null
    ? sent
    : rightDigest(sent, body, signatureRules(scenario, operation, variant.framework));
}

type Main = RunningBank['ledger']['main'];

function resourceOf(main: Main, params: PathParams, tpp: string): Pick<Known, 'resource'> {
  const own = (
    found: { tpp: string; redirectUri: string | undefined } | undefined,
    of: () => Omit<KnownResource, 'redirectUri'>,
  ) => ({ resource: found?.tpp === tpp ? { ...of(), redirectUri: found.redirectUri } : null });
  if (params.paymentId !== undefined) {
    const payment = findPayment(main, params.paymentId);
    return own(payment, () => ({
      kind: 'payment',
      status: payment?.status ?? '',
      cancellable: payment !== undefined && (isUnauthorised(payment) || isWaiting(payment)),
    }));
  }
  if (params.consentId !== undefined) {
    const consent = findConsent(main, params.consentId);
    const ending = consent?.deletingSince !== undefined && consent.status === 'valid';
    return own(consent, () => ({ kind: 'consent', status: consent?.status ?? '', ending }));
  }
  if (params.basketId === undefined) return {};
  const basket = findBasket(main, params.basketId);
  return own(basket, () => ({ kind: 'basket', status: basket?.status ?? '' }));
}

/** The consent under which accounts are read. */
function consentOf(main: Main, { operation, headers, tpp }: KnownCall): Pick<Known, 'consentStatus'> {
  const id = headers.get('consent-id') ?? headers.get('consentid');
  if (!operation.headers.includes('CIDm') || id === null) return {};
  const consent = findConsent(main, id);
  return { consentStatus: consent?.tpp === tpp ? consent.status : null };
}

/** The links of this bank to pages have parameters of their own. */
const ownParameters = ['cursor'];
const numberedPages = ['pageIndex', 'itemsPerPage'];

/** The query parameters that only this bank has, at an operation. */
function parametersOf(dialect: Dialect | undefined, id: OperationId | undefined): string[] {
  if (dialect === undefined || id === undefined) return [];
  const { allow = [], add } = queryOfBank(dialect.settings, id);
  return [...allow, ...Object.keys(add)];
}

/** Judges a request as one to this bank. */
export async function judged(
  bank: RunningBank,
  request: JudgedRequest,
  about: {
    variant: Variant;
    scenario: Scenario;
    known?: Known | undefined;
    signed: boolean;
    operation?: Operation | undefined;
  },
): Promise<readonly RefereeFinding[]> {
  const { variant, scenario, known, signed } = about;
  const terms: Terms = {
    variant,
    now: bank.clock.now(),
    wallNow: bank.wallClock.now(),
    certificates: bank.certificates,
    signing: scenario,
    needsClientCertificate: scenario.clientCertificate === 'required',
    products: offeredProducts,
    ownParameters: [
      ...ownParameters,
      ...(scenario.pageNumbers === 'accept' ? numberedPages : []),
      ...parametersOf(bank.dialect, about.operation?.id),
    ],
    ...(known && { known }),
    // Verified once already.
    ...(signed && { signatureMistakes: [] }),
  };
  return (await judge(request, terms)).findings;
}

/** The findings with the bank's own reason to refuse, where none of them says it. */
export function withRefusal(
  findings: readonly RefereeFinding[],
  refusal: unknown,
): readonly RefereeFinding[] {
  if (!(refusal instanceof Refusal) || refusal.status >= 500) return findings;
  const { status, code, message, detail } = refusal;
  if (findings.some((one) => one.severity === 'error' && one.status === status && one.code === code))
    return findings;
  return [...findings, refusedFinding({ status, code, text: message, path: detail.path ?? '' })];
}

/** The bank refuses with the first error that the referee found. */
export function refusalFor(findings: readonly RefereeFinding[]): Refusal | undefined {
  const first = findings.find(({ severity }) => severity === 'error');
  return (
    first && new Refusal(first.status, first.code, `${first.what} (${first.source})`, { path: first.pointer })
  );
}

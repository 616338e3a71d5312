import type { X509Certificate } from 'node:crypto';
import type { Operation } from '../standard/xs2a/operations.ts';
import type { PathParams } from '../standard/xs2a/request.ts';
import type { Variant } from '../standard/xs2a/variants.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { SignatureMistake } from './signature/mistake.ts';
import type { SignatureSwitches } from './signature/signature-rules.ts';
import type { TppCertificates } from './signature/tpp-certificate.ts';

/** A request as it arrived, or as somebody logged it. */
export interface JudgedRequest {
  readonly method: string;
  /** Path and query as on the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined where it is not available; nothing of it is judged then, nor whether the digest is that of it. */
  readonly body: Uint8Array | undefined;
  /** The certificate that the client showed in TLS. */
  readonly peer?: X509Certificate | undefined;
}

/** The bank for which a request is judged. */
export interface Terms {
  readonly variant: Variant;
  /** The time of the bank, which decides what has passed. */
  readonly now: Date;
  /** The time of the world, for certificates and Date, where the bank's own is another. */
  readonly wallNow?: Date;
  /** Whom the bank trusts; without it the issuer of a certificate is not judged. */
  readonly certificates?: TppCertificates;
  /** The bank's wishes for signatures; `off` where it looks at none. Signed requests are judged by the guidelines otherwise. */
  readonly signing?: SignatureSwitches | 'off';
  /** True where the connection must show a client certificate. */
  readonly needsClientCertificate?: boolean;
  /** The payment products of the bank, where they are known. */
  readonly products?: ReadonlySet<string>;
  /** Query parameters that stand in the links of the bank itself, such as those of pages. */
  readonly ownParameters?: readonly string[];
  /** What a bank has found out already about the signature, so that it need not be verified twice. */
  readonly signatureMistakes?: readonly SignatureMistake[];
  readonly known?: Known;
}

/** What the bank knows of earlier calls of this TPP. */
export interface Known {
  /** An earlier request with the same X-Request-ID. */
  readonly sameRequestId?: {
    readonly method: string;
    readonly path: string;
    /** True where it was the same method and path. */
    readonly samePlace: boolean;
    readonly sameBody: boolean;
  };
  /** The resource that the path names; null where this TPP has none of that id. */
  readonly resource?: KnownResource | null;
  /** scaStatus of the authorisation that the path names; null where there is none. */
  readonly scaStatus?: string | null;
  /** The status of the consent in the header Consent-ID; null where this TPP has none of that id. */
  readonly consentStatus?: string | null;
  /** How many calls to the same path came within the last second. */
  readonly callsInLastSecond?: number;
}

/** A resource as far as the order of calls depends on it. */
export interface KnownResource {
  readonly kind: 'payment' | 'consent' | 'basket';
  /** transactionStatus or consentStatus. */
  readonly status: string;
  /** True where the bank would still let it be cancelled; undefined where it is not known. */
  readonly cancellable?: boolean;
  /** True for a consent whose end is still to be authorised. */
  readonly ending?: boolean;
  /** TPP-Redirect-URI of the request that made it. */
  readonly redirectUri?: string | undefined;
}

/** The operation of a request, where its path and method are one of the interface. */
export interface Matched {
  readonly operation: Operation;
  readonly params: PathParams;
}

/** A request that is one of the operations, as the judges of its parts read it. */
export interface JudgedCall extends Matched {
  readonly terms: Terms;
  readonly request: JudgedRequest;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
}

/** Path and query of a request target. */
export function targetOf(target: string): { path: string; query: URLSearchParams } {
  const [whole = ''] = target.split('#', 1);
  const at = whole.indexOf('?');
  return {
    path: at < 0 ? whole : whole.slice(0, at),
    query: new URLSearchParams(at < 0 ? '' : whole.slice(at + 1)),
  };
}

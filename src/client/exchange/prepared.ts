import type { ErrorResource } from '../../base/errors.ts';
import type { ProxyFacts, HttpRequest } from '../ports/http.ts';
import type { Header } from '../../settings/records/wire.ts';
import type { SignedRequest } from '../../signing/sign-request.ts';
import type { OperationId, ParamName, Operation } from '../../standard/xs2a/operations.ts';
import type { Tolerated } from '../../standard/xs2a/tolerated.ts';

/** A request body: JSON whose leaves may be secrets, or bytes that are sent untouched. */
export type Body = { json: unknown } | { bytes: Uint8Array; contentType: string };

/** One call as a flow asks for it: an operation with its parameters, or a link used verbatim. */
export interface CallInput {
  operation: OperationId;
  params?: Readonly<Partial<Record<ParamName, string>>>;
  query?: Readonly<Record<string, string>>;
  /** The href of a link; wins over `params`. */
  href?: string;
  headers?: readonly Header[];
  body?: Body;
  /** Asked for by the run; goes before what the bank is known to want. */
  accept?: string;
  /** Where neither the run nor the bank says: what this call can best use. */
  usualAccept?: string;
  /** Lets an answer stream that is too long for memory, up to so many bytes. */
  stream?: { maxBytes: number };
  /** What was tolerated to make this call: noted on its exchange. */
  tolerated?: readonly Tolerated[];
  /** Hash of the intent that this call carries out. */
  intent?: string;
  /** The resource to name in any error of this call. */
  resource?: ErrorResource;
  /** The PSU of this call, if it may differ from the PSU of the run. */
  psuId?: string | undefined;
  /** A probe: an answer that asks for patience is taken for its answer. */
  once?: true;
  /** Goes without a token: what asks a bank where to log in. */
  anonymous?: true;
}

/** The name of a request in records: an operation of the interface, or a request to the bank's OAuth server. */
export interface CallName {
  id: string;
  method: Operation['method'];
}

/** How a request is connected, as far as another program must know it to do the same. */
export interface ConnectionFacts {
  clientCertificate: boolean;
  caCertificates: boolean;
  insecure?: true;
  /** Known where it is to be shown. */
  proxy?: ProxyFacts;
}

/** The exact request, and the same without secrets for every record of it. */
export interface Prepared {
  operation: CallName;
  request: HttpRequest;
  /** Path and query as sent. */
  path: string;
  requestId: string;
  write: boolean;
  /** The body with secrets cut out; what journal, trace and dry run show. */
  shownBody: string;
  /** SHA-256 of the bytes as sent, or of `shownBody` if they hold a secret, which a fast hash would reveal. */
  bodySha256: string;
  /** Whether the body holds a secret; then Digest and Signature are as telling as the body. */
  hasSecret: boolean;
  signed: SignedRequest | undefined;
  /** The connection settings that differ from the system's defaults. */
  tls: ConnectionFacts;
  input: Pick<CallInput, 'intent' | 'resource' | 'stream' | 'params' | 'tolerated' | 'once'>;
}

/** Thrown in place of sending when the run is a dry run. */
export class DryRun extends Error {
  readonly prepared: Prepared;

  constructor(prepared: Prepared) {
    super('dry run');
    this.prepared = prepared;
  }
}

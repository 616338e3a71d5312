import type { Operation, OperationId } from '../xs2a/operations.ts';
import type { PathParams } from '../xs2a/request.ts';
import type { Variant } from '../xs2a/variants.ts';
import type { Ledger } from './ledger.ts';
import type { TppCertificates } from './tpp-certificate.ts';

/** The bank while it runs: its books, its clock and whom it trusts. */
export interface RunningBank {
  ledger: Ledger;
  clock: { now(): Date };
  certificates: TppCertificates;
  /** Operations that this bank does not offer. */
  without: ReadonlySet<OperationId>;
  /** What a person who steers the bank (`obk sandbox ...`) must show. */
  adminToken: string;
}

/** One request that passed the gate. */
export interface Call {
  operation: Operation;
  variant: Variant;
  params: PathParams;
  headers: Headers;
  body: Uint8Array;
  /** The body as JSON: undefined without a body, numbers as written. */
  json: unknown;
  /** The organizationIdentifier of the caller. */
  tpp: string;
  requestId: string;
  /** Scheme, host and port that the caller used, for links to the pages. */
  origin: string;
  now: Date;
}

/** What the bank answers. */
export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: object;
}

/** One operation of the bank; everything that it writes is one transaction. */
export type Handler = (bank: RunningBank, call: Call) => Reply;

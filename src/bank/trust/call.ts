import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Doors, TenantsBy } from '../../settings/doors/doors.ts';
import type { Operation, OperationId } from '../../standard/xs2a/operations.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { BankClock } from '../books/clock.ts';
import type { Ledger } from '../books/ledger.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Order } from '../books/order.ts';
import type { RequestHeaders } from '../../referee/request-headers.ts';
import type { Reply } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';
import type { Site } from './site.ts';
import type { TppCertificates } from '../../referee/signature/tpp-certificate.ts';

export type { Reply } from '../rules/refusal.ts';

/** The bank while it runs: its books, its clocks and whom it trusts. */
export interface RunningBank {
  ledger: Ledger;
  /** The bank's own time, which people may move (`obk sandbox clock`). */
  clock: BankClock;
  /** The time of the world: for certificates and for the calls of a minute. */
  wallClock: BankClock;
  certificates: TppCertificates;
  /** Operations that this bank does not offer. */
  without: ReadonlySet<OperationId>;
  /** Where it departs from the standard; undefined for a standard bank. */
  dialect?: Dialect;
  /** Where it only tells again what another bank has answered. */
  recording?: RecordedBank;
  /** How it is reached and whom it lets in. */
  doors: Doors;
  /** The token that a person must show to steer the bank (`obk sandbox ...`). */
  adminToken: string;
  /** The name by which the bank is addressed, which is in its proof of identity. */
  name: string;
  /** Where its names are noted; a bank of a test has none, and neither has that of a tenant. */
  folder?: string;
  /** Aborts when the bank ends: what streams has to end as well. */
  ending: AbortSignal;
  /** It ends after so long without a call; null where it does not. */
  idleMs: number | null;
  pushes: Pushes;
  /** Those who have a ledger of their own each, where the bank tells TPPs apart. */
  tenants?: Tenants;
  /** The one of them whose ledger this is. */
  tenant?: string;
}

/** A recording that stands for a bank. */
export interface RecordedBank {
  /** Answers a request. */
  serve(bank: RunningBank, exchange: RecordedExchange): Promise<void>;
  /** Where the browser of a PSU goes after a decision; undefined where the link or id is none of the recording. */
  decided(target: string, decision: 'approve' | 'refuse'): { redirectedTo?: string } | undefined;
}

/** A request on its connection, as far as a recording asks for it. */
export interface RecordedExchange extends Site {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  method: string;
  url: URL;
  path: string;
}

/** One of those who have a ledger of their own at a bank. */
export interface Tenant {
  /** The organizationIdentifier or the value of the header. */
  name: string;
  /** In front of the paths of its pages and of its OAuth server. */
  path: string;
}

/** The bank of a tenant, open until it is released by everybody who has taken it. */
export interface TakenBank {
  bank: RunningBank;
  release: () => void;
}

/** The tenants of a bank. */
export interface Tenants {
  by: TenantsBy;
  /** In the order of their names. */
  all(): Tenant[];
  find(name: string): Tenant | undefined;
  /** Takes the bank of a tenant; undefined where there is no such tenant. */
  take(name: string): Promise<TakenBank | undefined>;
  /** The same; a tenant that is not there is made. Throws TooManyTenants. */
  takeOrMake(name: string): Promise<TakenBank>;
  /** Ends what goes on at the tenant, and forgets all that it has. */
  remove(name: string): Promise<void>;
}

/** The notifications that the bank pushes to TPPs by itself. */
export interface Pushes {
  /** Where it pushes to: this machine, also the hosts of the TPP's certificate, or anywhere. */
  door: 'loopback' | 'certificate' | 'anywhere';
  /** Looks for changes to tell, later: something may have been committed. */
  wake(): void;
  /** Whether something may still have to be told, so that the ledger must stay open. */
  isBusy(): boolean;
  /** Ends it; what is not on its way is lost. */
  close(): void;
}

/** One request that passed the gate. */
export interface Call {
  operation: Operation;
  variant: Variant;
  params: PathParams;
  headers: RequestHeaders;
  query: URLSearchParams;
  body: Uint8Array;
  /** The body as JSON: undefined without a body, numbers as written; the body of a payment is `order`. */
  json: unknown;
  /** The order in the body of a payment. */
  order?: Order;
  /** The organizationIdentifier of the caller. */
  tpp: string;
  /** The names in the certificate of the connection (QWAC); empty without one. */
  certificateNames: readonly string[];
  requestId: string;
  /** Scheme, host and port for links to the interface. */
  origin: string;
  /** The address in front of the paths of the pages. */
  address: string;
  now: Date;
  scenario: Scenario;
  /** The token in Authorization, if any. */
  token?: Token;
}

/** One operation of the bank; everything that it writes is one transaction. */
export type Handler = (bank: RunningBank, call: Call) => Reply;

/** The purpose of a token: one resource (integrated OAuth), or the calls of one PSU (pre-step). */
export interface Token {
  tpp: string;
  /** The resource of its scope: a payment, a basket or a consent. */
  resourceId: string | undefined;
  /** The PSU who logged in before any call. */
  psuId: string | undefined;
  scope: string;
}

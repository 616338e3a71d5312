import type { ExchangeView, NamedValue } from './exchange.ts';
import type { Environment } from './profile.ts';

/** One status as the bank stated it, its time, and its answer (the number of the exchange). */
export interface StatusStep {
  at: string;
  name: string;
  value: string;
  /** The framework's meaning of the value; null for an unknown one. */
  meaning: string | null;
  /** The bank's words beside it, to the PSU or to the TPP. */
  told: string | null;
  exchange: number;
}

/** The participants of a reported exchange. */
export type Actor = 'tpp' | 'browser' | 'aspsp' | 'oauth';

/**
 * One arrow of the sequence: a message, its sender and its receiver; `seen` is false if obk only knows that it was
 * requested.
 */
export interface TicketStep {
  from: Actor;
  to: Actor;
  text: string;
  answer: boolean;
  seen: boolean;
  /** The number of the exchange that it belongs to. */
  exchange: number;
}

/** The evidence about one payment, consent or basket: everything in the journal about it. */
export interface Ticket {
  id: string;
  noun: string | null;
  profile: string | null;
  environment: Environment | null;
  baseUrl: string | null;
  framework: string | null;
  product: string | null;
  /** The runs that are told of, oldest first; with their hosts in a journal of several machines. */
  runs: readonly { run: string; host?: string | null }[];
  /** How it stands, in one sentence; null where nothing says it. */
  verdict: string | null;
  status: string | null;
  /** The bank's fees for it, in lines. */
  fees: readonly string[];
  /** Serial number (hex) and issuer of the certificate that signed, as the keyId of the requests says. */
  certificate: string | null;
  statuses: readonly StatusStep[];
  steps: readonly TicketStep[];
  /** True where account numbers stand in it as they were sent. */
  unmasked: boolean;
  exchanges: readonly TicketExchange[];
}

/** An exchange with the values by which the bank can find it. */
export interface TicketExchange extends ExchangeView {
  /** The bank's own X-Request-ID, where it is not ours. */
  bankRequestId: string | null;
  /** Further values by which the bank can find the exchange: its trace headers and its Date. */
  trace: readonly NamedValue[];
}

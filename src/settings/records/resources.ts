import type { Noun } from '../../standard/sca/operations.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { AccountAccess } from '../../standard/xs2a/wire-accounts.ts';
import type { ValueOf } from '../profile/row.ts';
import type { preferenceRows } from '../profile/tpp.ts';
import type { Environment } from './profile.ts';

/** A resource created by this TPP, one file each. `links` are hrefs verbatim by canonical name. */
export interface SavedResource {
  schemaVersion: 1;
  profile: string;
  environment: Environment;
  noun: Noun;
  id: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** When it was last changed here; of a consent, when the bank was last asked for it. */
  updatedAt: string;
  /** Of a consent: when it was first seen to be usable. */
  usableSince?: string;
  framework: Framework;
  prefix: string;
  baseUrl: string;
  /** Of the bank inside: the ledger that it was made in, which a reset or another start puts an end to. */
  ledger?: string;
  service?: string;
  product?: string;
  /** Hash of the intent that made it. */
  intent?: string;
  requestId?: string;
  /** transactionStatus or consentStatus as last read. */
  status?: string;
  links: Readonly<Record<string, string>>;
  redirect?: SavedRedirect;
  /** What the run that made it preferred: it holds for the starts of its authorisations, too. */
  prefer?: Preferences;
  /** The members of a basket. */
  basket?: { paymentIds: readonly string[]; consentIds: readonly string[] };
  /** A summary by which a person recognises it; amounts are decimal strings. */
  summary?: {
    amount?: string;
    currency?: string;
    creditorName?: string;
    creditorAccount?: string;
    debtorAccount?: string;
    /** For a bulk: the number of payments, and their sum per currency. */
    count?: number;
    sums?: readonly { readonly currency: string; readonly amount: string }[];
  };
  /** Another machine made it, where a state is shared: said when it is read, never kept. */
  elsewhere?: true;
  /** Present for a consent only. */
  consent?: SavedConsent;
}

/**
 * Options a TPP may request for a resource (TPP-...-Preferred headers); an empty text in a run removes the profile's
 * value.
 */
export type Preferences = {
  [Name in keyof typeof preferenceRows]?: ValueOf<(typeof preferenceRows)[Name]> | '';
};

/** The access of a consent: first as requested, then as the bank returns it (GET consent). */
export interface SavedConsent {
  access: AccountAccess;
  recurring: boolean;
  /** The last day, YYYY-MM-DD. */
  validUntil: string;
  /** Accesses per day, endpoint and account without the PSU. */
  frequency: number;
  combined: boolean;
  psuId?: string;
  /** The consent that this one replaces once it is valid. */
  renews?: string;
  /** The accounts as last listed; their ids hold as long as the consent. */
  accounts?: readonly SavedAccount[];
  /** The last report of each account, by account id. */
  reports?: Readonly<Record<string, SavedReport>>;
}

/** The data for reading single transactions later: links by transactionId (or its replacement). */
export interface SavedReport {
  media: string;
  details?: Readonly<Record<string, string>>;
}

/** One account under a consent: its id in paths, and the number that a person knows. */
export interface SavedAccount {
  resourceId: string;
  /** IBAN, BBAN, MSISDN or masked PAN. */
  number?: string;
  currency?: string;
}

/** The address to which the PSU returns; made once per transaction and re-sent unchanged. */
export interface SavedRedirect {
  uri: string;
  nokUri?: string;
  /** Present when the URI is our own loopback listener. */
  listener?: { port: number; path: string; state: string };
}

import type { LinkName } from '../xs2a/link-names.ts';
import type { OperationId } from '../xs2a/operations.ts';
import type { BalanceAccessForm } from '../xs2a/variants.ts';
import type { PaymentInitiation } from '../xs2a/wire.ts';

/** The effect of a rule on a header: required, left out, filled in, or left out where it is blank. */
export type HeaderAction = 'require' | 'forbid' | 'default' | 'dropIfBlank';

/** One bank's departure from the standard for a header; it holds for all operations where `operations` is absent. */
export interface BankHeaderRule {
  name: string;
  action: HeaderAction;
  operations?: readonly OperationId[];
  /** The value of a `default` as it is sent; `valueFrom` refers to one that is secret. */
  value?: string;
  valueFrom?: string;
  /** For people: why the bank wants it so. */
  why?: string;
}

/**
 * Where a bank departs from the standard, as data beside the other settings of a profile; without any of it the bank is a
 * standard one.
 */
export interface BankDescriptor {
  /** The origin of these settings, for people. `verifiedOn` is YYYY-MM-DD. */
  meta?: { name?: string; verifiedOn?: string; sources?: readonly string[] };
  /** Addresses of single services that are not below baseUrl, each without the version prefix. */
  urls?: { perService?: Readonly<Partial<Record<'pis' | 'ais' | 'piis' | 'sbs', string>>> };
  headers?: {
    rules?: readonly BankHeaderRule[];
    /** The media type to ask for, by operation, unless a run names one. */
    accept?: Readonly<Partial<Record<OperationId, string>>>;
  };
  links?: {
    /** `ignore` takes path and query of links only, for gateways that leak inner hosts. */
    host?: 'strict' | 'ignore';
    /** The bank's names of links, each with the link it means. */
    aliases?: Readonly<Record<string, LinkName>>;
  };
  consent?: {
    /** The form of all accounts with balances, where the framework has several (`BalanceAccessForm`). */
    withBalances?: BalanceAccessForm;
    /** How many days a consent lasts at most, its first one included; 180 if not given. */
    validDays?: number;
  };
  payments?: {
    /** Members that the bank takes with every product in JSON, beside those that the product has. */
    members?: readonly (keyof PaymentInitiation)[];
    /**
     * The form of structured remittance information: an object with the reference (guidelines), or the reference as
     * text.
     */
    remittanceStructured?: 'object' | 'string';
    /**
     * Whether a cancellation of 1.3.2 sends the redirect headers, which its file omits: always (true) or never (false);
     * if not given, only where the PSU may be redirected. In 1.3.6 they are always sent.
     */
    redirectOnCancel?: boolean;
    /** True if the bank takes payments in plain text for products of its own (`obk api --input`). */
    plainText?: boolean;
  };
  /** `index` if pages of transactions can be requested by number and size; `links` if links alone lead to them. */
  reports?: { paging?: 'links' | 'index' };
  /** How often an operation may be called: `90` a minute, `10/1s`, or `off`. */
  limits?: { rate?: string; perOperation?: Readonly<Partial<Record<OperationId, string>>> };
}

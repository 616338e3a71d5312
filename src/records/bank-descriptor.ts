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
  /** Whence this is known: of people for people. `verifiedOn` is YYYY-MM-DD. */
  meta?: { name?: string; verifiedOn?: string; sources?: readonly string[] };
  /** Addresses of single services that are not below baseUrl, each without the version prefix. */
  urls?: { perService?: Readonly<Partial<Record<'pis' | 'ais' | 'piis' | 'sbs', string>>> };
  headers?: {
    rules?: readonly BankHeaderRule[];
    /** Media types to ask for, by operation, where a run does not say. */
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
    /** How a structured remittance information is written: with its reference as a member (the guidelines), or as the text. */
    remittanceStructured?: 'object' | 'string';
    /**
     * Whether a cancellation of 1.3.2 names where the PSU returns to, which its file has forgotten: always, or never; else where the
     * PSU may be redirected to cancel. In 1.3.6 it always does.
     */
    redirectOnCancel?: boolean;
    /** A payment may be plain text, neither JSON nor XML: of a product of the bank's own, by `obk api --input`. */
    plainText?: boolean;
  };
  /** `index`: a list of transactions may be asked for by number and size of its pages; else there are links alone. */
  reports?: { paging?: 'links' | 'index' };
  /** How often an operation may be called: `90` a minute, `10/1s`, or `off`. */
  limits?: { rate?: string; perOperation?: Readonly<Partial<Record<OperationId, string>>> };
}

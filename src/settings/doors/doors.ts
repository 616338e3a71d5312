import type { Framework } from '../../standard/xs2a/origin.ts';

/** Whether a proof of who calls must be shown, may be, or is not looked at. */
export type Need = 'required' | 'optional' | 'off';

/** What a tenant is named after. */
export type TenantsBy = 'certificate' | `header:${string}`;

/** How the bank is reached and whom it lets in. */
export interface Doors {
  readonly port: number;
  readonly httpsPort: number | undefined;
  /** Every password is known, and what is not set otherwise needs no proof. */
  readonly open: boolean;
  /** Undefined where the scenario of the ledger decides. */
  readonly signature: Need | undefined;
  readonly clientCertificate: Need | undefined;
  /** Calls of a TPP to one operation in a minute; undefined where the scenario of the ledger decides. */
  readonly rate: number | 'off' | undefined;
  /** Absolute paths of PEM files. */
  readonly trust: readonly string[];
  /** IP addresses to answer at beside 127.0.0.1. */
  readonly listen: readonly string[];
  /** Hosts that are answered beside those of loopback, as the class URL writes them. */
  readonly hosts: readonly string[];
  /** The reference to the access key. */
  readonly accessKeyFrom: string | undefined;
  readonly listenOpen: boolean;
  /** In front of every path: empty, or with a slash before it and none behind. */
  readonly basePath: string;
  /** The address for links, without a slash at its end. */
  readonly publicUrl: string | undefined;
  /** Origins as browsers send them, or `*`. */
  readonly cors: readonly string[];
  readonly corsControl: boolean;
  /** Where notifications are pushed: this machine only, also to the hosts of the TPP's certificate (QWAC), or anywhere. */
  readonly notify: 'loopback' | 'certificate' | 'anywhere';
  /** Holds the switch `findings` of the scenario at `refused`. */
  readonly refuseFindings: boolean;
  /** The framework that is served below the first prefix, in place of the one of the service. */
  readonly framework: Framework | undefined;
  /** Adds the ready people: one for each option of the interface. */
  readonly people: 'options' | undefined;
  /** What tells apart the tenants, who have a ledger each: the organizationIdentifier of the TPP, or the value of a header. */
  readonly tenants: TenantsBy | undefined;
}

import type { BankInUse } from '../../base/command-line.ts';
import type { ProvedResource } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { OwnBankAddress } from '../ports/own-bank.ts';
import type { HttpConnection, HttpLimits, HttpRequest } from '../ports/http.ts';
import type { AccessToken } from '../../settings/records/credentials.ts';
import type { Policy } from '../../settings/records/policy.ts';
import type { Environment, Profile } from '../../settings/records/profile.ts';
import type { Preferences } from '../../settings/records/resources.ts';
import type { Secret } from '../../base/secret.ts';
import type { SigningMaterial } from '../../signing/material.ts';
import type { SigningOptions } from '../../signing/signing-options.ts';
import type { LinkPolicy } from '../../standard/xs2a/links.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Rate } from '../../settings/profile/rate.ts';
import type { Prepared } from './prepared.ts';
import type { EndedExchange } from './verdict.ts';

/** Options of one run, besides the profile. */
export interface RunOptions {
  /** Print the exact request instead of sending it; no socket is opened. */
  dryRun: boolean;
  /** Take any certificate of the server; of a sandbox or this machine only. */
  insecure?: boolean;
  /** The administrator's policy for this machine. */
  policy?: Policy;
  /** Whether shown requests name the proxy they go through. */
  showsProxy?: boolean;
  /** Changes a signed request before it is sent: wrong on purpose. */
  spoil?: (request: HttpRequest) => HttpRequest;
  /** The X-Request-ID of the first call. */
  requestId?: string;
  /** The token of OBK_TOKEN, in place of those of the credentials. */
  token?: Secret;
  /** Further origins that tokens, consents and passwords of the profile may go to in this run. */
  sendCredentialsTo?: readonly string[];
  timeoutMs?: number;
  /** The run waits for what the PSU does elsewhere. */
  waits?: boolean;
  /** This run is one of many under load: what they share is made once, and a read that fails is not tried again. */
  load?: Readonly<Record<'once' | 'ofLine', <Made>(key: string, make: () => Promise<Made>) => Promise<Made>>>;
  /** How often each operation may be called; without it the rate of the service, and none for a sandbox here. */
  rate?: Rate | 'off';
  psu?: Profile['psu'];
  /** Sees every request just before it is sent. */
  onPrepared?: (prepared: Prepared) => void;
  /** Sees the request of a dry run, which is not sent. */
  onDryRun?: (prepared: Prepared) => void;
  /** Sees every exchange when it has ended. */
  onExchange?: (exchange: EndedExchange) => void;
  signal?: AbortSignal;
}

/** The values that change while a run calls its bank. */
export interface RunState {
  /** How far the clock of the bank is ahead of ours, as its last answer said; milliseconds. */
  aheadMs: number;
  /** Grows with each request to the bank, each entry of a human and each timer that ends. */
  happened: number;
  /** The X-Request-ID of the first call, until that call takes it. */
  requestId?: string;
  /** Preferences of this run that replace those of the profile; set by the call that creates the resource. */
  prefer?: Preferences;
  /** The bank has said that it pushes notifications of the resource that was created (ASPSP-Notification-Support). */
  notified?: boolean;
  /** By their ids the resources that an answer of this run has proved to exist. */
  readonly proved: Map<string, ProvedResource>;
  /** The waiting time left in a run that leads a PSU. */
  patience?: Patience;
}

/** A profile made ready to call its bank. */
export interface Target {
  readonly name: string;
  readonly environment: Environment;
  readonly profile: Profile;
  readonly variant: Variant;
  readonly links: LinkPolicy;
  readonly limits: HttpLimits;
  readonly psu: NonNullable<Profile['psu']>;
  readonly signing: SigningOptions;
  /** Origins that may receive tokens, consents and passwords; undefined for the sandbox. */
  readonly ownOrigins: readonly string[] | undefined;
  /** The token sent with every call, from OBK_TOKEN or put into the credentials by hand. */
  readonly token: Secret | undefined;
  /** Given for this run by OBK_TOKEN, wherever it goes. */
  readonly tokenOfRun?: true;
  /** The tokens of OAuth pre-steps, as they were when this run began. */
  readonly logins: readonly AccessToken[];
  readonly ports: Ports;
  readonly run: Readonly<RunOptions>;
  /** The one part that changes. */
  readonly state: RunState;
  /** How command lines that are printed name the bank inside. */
  readonly inLines: BankInUse;
  /** The sandbox's address; undefined for any other bank. */
  readonly ownBank: OwnBankAddress | undefined;
  /** Read and checked at the first use. */
  readonly material: () => Promise<SigningMaterial>;
  readonly connection: () => Promise<HttpConnection>;
}

/** How long a run may still wait, for the PSU, its turn and the bank together; time at a question does not count. */
export interface Patience {
  /** Milliseconds; 0 where it is used up. */
  left(): number;
  /** Adds back the time that a person took to answer. */
  giveBack(ms: number): void;
}

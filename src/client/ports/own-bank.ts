/** Where the built-in bank of a run answers, and the certificates that it made for its TPP (PEM files). */
export interface OwnBankAddress {
  baseUrl: string;
  /** True where the bank runs in this process and ends with it. */
  embedded: boolean;
  certificatePath: string;
  keyPath: string;
  /** The TLS client certificate (QWAC) of the same TPP, with its key. */
  tlsCertificatePath: string;
  tlsKeyPath: string;
  caPath: string;
  /** The header by which the bank knows the tenant of this run. */
  tenantHeader?: { name: string; value: string };
  /** The reference to the key that the bank requires in X-Access-Key. */
  accessKeyFrom?: string;
  /** Changes when the bank is reset; undefined where the bank was not asked. */
  ledger?: string;
  /** The origins that earlier saved links carry, if the port had to change. */
  formerOrigins: readonly string[];
}

/** The operations of the built-in bank that a flow asks for, with what it reads of their answers. */
export interface OwnBankAnswers {
  /** The bank's time (ISO 8601, UTC). */
  getClock: { now: string };
  /** Its customers, the usual one first, with their accounts. */
  listPeople: { people: readonly { psuId: string; accounts: readonly { iban: string }[] }[] };
  /** How it differs from its standard, a switch each. */
  getScenario: { switches: readonly { name: string; value: string }[] };
}

/** The built-in bank as a flow needs it beyond the interface. */
export interface OwnBank {
  /** Finds the bank that is addressed, or starts the default one. Throws USAGE where several could be meant. */
  ensure(): Promise<OwnBankAddress>;
  /** The address that `ensure` would try first; opens no socket. */
  offline(): Promise<OwnBankAddress>;
  /** The public key for encrypted passwords, as the text of a JWK (RFC 7517). */
  passwordKey(): Promise<string>;
  /** Has the bank do an operation of its control API, and returns its answer. */
  control<Id extends keyof OwnBankAnswers>(operation: Id): Promise<OwnBankAnswers[Id]>;
}

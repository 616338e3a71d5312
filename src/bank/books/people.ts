import type { Database } from './database.ts';
import type { LifeCycle } from './life-cycle.ts';
import { newOtp, newPassword } from './made.ts';

/** How the bank lets a PSU authenticate; OAUTH is integrated OAuth, which the wire tells as REDIRECT. */
export type Approach = 'REDIRECT' | 'OAUTH' | 'EMBEDDED' | 'DECOUPLED';

/** A method of strong authentication of one PSU. */
export interface Method {
  id: string;
  type: 'SMS_OTP' | 'CHIP_OTP' | 'PUSH_OTP' | 'PHOTO_OTP' | 'SMTP_OTP';
  name: string;
  explanation?: string;
  /** A picture comes as an address instead of its bytes. */
  pictureByLink?: true;
  /** Choosing it moves the authorisation to another approach. */
  turns?: 'DECOUPLED' | 'REDIRECT';
  /** It is on offer, but unknown to the bank once it is chosen. */
  withdrawn?: true;
}

/** A form of a list of transactions; `text` is MT940 and MT942. */
export type ReportFormat = 'json' | 'camt.052' | 'camt.053' | 'text';

/** The behaviour of one PSU; kept in the ledger beside the PSU's secrets. */
export interface Definition {
  psuId: string;
  name: string;
  description: string;
  /** The approaches that the bank takes with this PSU; the first is taken unless the TPP prefers another. */
  approaches: readonly [Approach, ...Approach[]];
  start: 'implicit' | 'explicit';
  /** None in Embedded means that the PSU is exempted from SCA. */
  methods: readonly Method[];
  /** The PSU acts for a company: PSU-Corporate-ID must come with the PSU-ID. */
  corporateId?: string;
  /** The only forms in which the transactions of the accounts come. */
  reports?: readonly ReportFormat[];
  /** After so long an authorisation of this PSU has failed; in the time of the bank without it. */
  authorisationMs?: number;
  /** Every call for this PSU carries the token of a login ahead (OAuth pre-step). */
  preStep?: true;
  /** The bank has blocked the service for this PSU. */
  blocked?: true;
  /** The PSU-ID is enough until a method is chosen or a one-time password is due; the bank asks for no password. */
  passwordless?: true;
  /** Passwords come encrypted (links ...Encrypted...). */
  encrypted?: true;
  /** A second password follows the first. */
  additional?: true;
  /** The TPP has to confirm a redirect or OAuth authorisation; 1.3.6 only. */
  confirmation?: true;
  /** How many wrong secrets end an authorisation; 5 by default. `locks`: and the PSU's access with it. */
  attempts?: number;
  locks?: true;
  /** The decision of a decoupled PSU, made by itself after so many milliseconds. */
  phone?: { decision: 'approve' | 'refuse'; afterMs: number };
  /** The PSUs who must all authorise what concerns the accounts of this one. */
  authorisers?: readonly string[];
  /** The life cycle of an authorised payment. */
  booking: LifeCycle;
  /**
   * When the fees of a payment are stated: at the initiation or with the methods; `with-exchange` includes a fee for
   * currency exchange.
   */
  fees?: 'at-initiation' | 'with-method' | 'with-exchange';
  /** How an accepted payment is cancelled; through SCA by default. */
  cancellation?: 'free' | 'impossible';
  accounts: readonly {
    country: 'DE' | 'NL';
    name: string;
    /** Opening balance in cents. */
    opening: number;
    /** The account has this kind of number in place of an IBAN. */
    number?: 'bban' | 'msisdn';
    /** How far it may be overdrawn, in cents. */
    creditLimit?: number;
    /** Further currencies under the same IBAN: a multicurrency account. */
    others?: readonly { currency: 'USD' | 'GBP'; opening: number }[];
    /** A credit card whose invoices this account pays; its limit in cents. */
    card?: { name: string; creditLimit: number };
  }[];
  /** The account is not open for confirmations of funds. */
  noFundsConfirmation?: true;
  /** The secrets that a file or a tester has given: an open bank leaves them as they are. */
  given?: readonly (keyof GivenSecrets)[];
}

/** A PSU as the ledger has it. */
export interface LedgerPerson extends Definition {
  password: string;
  otp: string;
  /** The second password, which only those have whom the bank asks for it. */
  additionalPassword: string | undefined;
  /** Locked after too many wrong secrets, until the ledger is reset. */
  locked: boolean;
  /** Wrong secrets since the last authorisation that succeeded, wherever they were entered. */
  wrongSecrets: number;
}

/** The secrets of a PSU that are given; the others are made. */
export interface GivenSecrets {
  password?: string | undefined;
  additionalPassword?: string | undefined;
  otp?: string | undefined;
}

/** The secrets of every PSU of the bank inside where all doors stand open (`--open`); test data. */
export const knownSecrets = {
  password: 'password',
  otp: '123456',
  additionalPassword: 'second-password',
} as const;

/** Adds a PSU with secrets of their own. */
export function insertPerson(
  database: Database,
  definition: Definition,
  position: number,
  given: GivenSecrets = {},
): void {
  const { psuId } = definition;
  database.run(
    'INSERT INTO people (psuId, position, definition, password, additionalPassword, otp) VALUES (?, ?, ?, ?, ?, ?)',
    psuId,
    position,
    JSON.stringify(withGiven(definition, given)),
    given.password ?? newPassword(database, psuId),
    definition.additional === true
      ? (given.additionalPassword ?? newPassword(database, psuId, 'additional password'))
      : null,
    given.otp ?? newOtp(database, psuId),
  );
}

interface PersonRow {
  definition: string;
  password: string;
  additionalPassword: string | null;
  otp: string;
  locked: bigint;
  wrongSecrets: bigint;
  open: bigint;
}

/** Notes which secrets are given, besides those that were before. */
function withGiven(
  definition: Definition,
  given: GivenSecrets,
  before: Definition['given'] = [],
): Definition {
  const { given: _, ...rest } = definition;
  const names = (['password', 'additionalPassword', 'otp'] as const).filter(
    (name) => given[name] !== undefined || before.includes(name),
  );
  return { ...rest, ...(names.length > 0 && { given: names }) };
}

/** Whether the passwords that nobody gave are the known ones. */
const open = `EXISTS (SELECT 1 FROM doors WHERE key = '--open')`;
const columns = `definition, password, additionalPassword, otp, locked, wrongSecrets, ${open} AS open`;

const people = new WeakMap<PersonRow, LedgerPerson>();

/** The PSU in a row, who is made once for as long as the row is known. */
function read(row: PersonRow): LedgerPerson {
  const known = people.get(row);
  if (known !== undefined) return known;
  const frozen: unknown = JSON.parse(row.definition, (_, value: unknown) => Object.freeze(value));
  const { given = [], ...definition } = frozen as Definition;
  const secret = (name: keyof GivenSecrets) =>
    row.open === 1n && !given.includes(name) ? knownSecrets[name] : row[name];
  const made = Object.freeze<LedgerPerson>({
    ...definition,
    password: secret('password') ?? '',
    additionalPassword: row.additionalPassword === null ? undefined : (secret('additionalPassword') ?? ''),
    otp: secret('otp') ?? '',
    locked: row.locked === 1n,
    wrongSecrets: Number(row.wrongSecrets),
  });
  people.set(row, made);
  return made;
}

/** Has a PSU behave otherwise; secrets that are not given stay as they are. */
export function updatePerson(
  database: Database,
  definition: Definition,
  given: GivenSecrets & { locked: boolean },
): void {
  const { psuId } = definition;
  const before = database.one<PersonRow>(`SELECT ${columns} FROM people WHERE psuId = ?`, psuId);
  if (before === undefined) throw new Error(`there is no PSU ${psuId}`);
  const { accounts, given: givenBefore } = JSON.parse(before.definition) as Definition;
  const second = given.additionalPassword ?? before.additionalPassword;
  database.run(
    'UPDATE people SET definition = ?, password = ?, additionalPassword = ?, otp = ?, locked = ? WHERE psuId = ?',
    JSON.stringify({ ...withGiven(definition, given, givenBefore), accounts }),
    given.password ?? before.password,
    definition.additional === true ? (second ?? newPassword(database, psuId, 'additional password')) : null,
    given.otp ?? before.otp,
    given.locked ? 1 : 0,
    psuId,
  );
}

/** The PSU with this PSU-ID. */
export function findPerson(database: Database, psuId: string): LedgerPerson | undefined {
  const row = database.one<PersonRow>(`SELECT ${columns} FROM people WHERE psuId = ?`, psuId);
  return row && read(row);
}

/** The PSU-IDs that begin with a text. */
export function psuIdsThatBegin(database: Database, start: string): string[] {
  const sql = 'SELECT psuId FROM people WHERE substr(psuId, 1, ?) = ?';
  return database.all<{ psuId: string }>(sql, [...start].length, start).map(({ psuId }) => psuId);
}

/** All PSUs in the order of their seeding. */
export function allPeople(database: Database): LedgerPerson[] {
  return database.all<PersonRow>(`SELECT ${columns} FROM people ORDER BY position`).map(read);
}

/** The PSU-ID after this one in the order of people, beginning again after the last; undefined if nobody else can act. */
export function nextPerson(database: Database, psuId: string): string | undefined {
  const ids = allPeople(database)
    .filter((one) => one.psuId === psuId || (one.blocked !== true && one.preStep !== true))
    .map((one) => one.psuId);
  const at = ids.indexOf(psuId);
  return [...ids.slice(at + 1), ...ids.slice(0, at)][0];
}

/** Has these PSUs authorise what concerns the accounts of one, in place of those before; without any it is the PSU alone. */
export function setAuthorisers(database: Database, psuId: string, authorisers: readonly string[]): void {
  database.run(
    `UPDATE people SET definition = CASE WHEN ? = 0 THEN json_remove(definition, '$.authorisers')
     ELSE json_set(definition, '$.authorisers', json(?)) END WHERE psuId = ?`,
    authorisers.length,
    JSON.stringify(authorisers),
    psuId,
  );
}

/** Locks the access of a PSU after too many wrong secrets. */
export function lockPerson(database: Database, psuId: string): void {
  database.run('UPDATE people SET locked = 1 WHERE psuId = ?', psuId);
}

/** Counts wrong secrets of a PSU, in whatever authorisation and on whatever page. */
export function countWrongSecrets(database: Database, psuId: string, more: number): void {
  database.run('UPDATE people SET wrongSecrets = wrongSecrets + ? WHERE psuId = ?', more, psuId);
}

/** Forgets the wrong secrets of a PSU who has authorised something, or whose access is unlocked. */
export function forgetWrongSecrets(database: Database, psuId: string): void {
  database.run('UPDATE people SET wrongSecrets = 0 WHERE psuId = ?', psuId);
}

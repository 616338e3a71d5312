import { randomBytes, randomInt } from 'node:crypto';
import type { Database } from './database.ts';

/** The SCA approach as the header ASPSP-SCA-Approach names it. */
export type Approach = 'REDIRECT' | 'EMBEDDED' | 'DECOUPLED';

/** A method of strong authentication of one PSU. */
export interface Method {
  id: string;
  type: 'SMS_OTP' | 'CHIP_OTP' | 'PUSH_OTP';
  name: string;
}

/** How one PSU of the bank inside behaves; kept in the ledger beside the PSU's secrets. */
export interface Definition {
  psuId: string;
  name: string;
  description: string;
  /** The approaches that the bank takes with this PSU; the first is taken unless the TPP prefers another. */
  approaches: readonly [Approach, ...Approach[]];
  start: 'implicit' | 'explicit';
  /** None in Embedded means that the PSU is exempted from SCA. */
  methods: readonly Method[];
  /** The bank has blocked the service for this PSU. */
  blocked?: true;
  /** When an authorised payment is booked. */
  booking: 'at-once' | 'next-day';
  accounts: readonly {
    country: 'DE' | 'NL';
    name: string;
    /** Opening balance in cents. */ opening: number;
  }[];
}

/** A PSU as the ledger has it. */
export interface LedgerPerson extends Definition {
  password: string;
  otp: string;
}

const sms: Method = { id: 'sms', type: 'SMS_OTP', name: 'SMS to +49 151 *** 42' };
const chip: Method = { id: 'chip', type: 'CHIP_OTP', name: 'Card reader' };
const push: Method = { id: 'push', type: 'PUSH_OTP', name: 'Code in the banking app' };

const base = {
  start: 'implicit',
  booking: 'at-once',
  accounts: [
    { country: 'DE', name: 'Current account', opening: 1_000_000 },
    { country: 'NL', name: 'Household account', opening: 250_000 },
  ],
} as const;

/** The seeded PSUs, chosen by PSU-ID; the first is the one whom a call without PSU-ID may turn out to be. */
export const definitions: readonly Definition[] = [
  {
    ...base,
    psuId: 'redirect',
    name: 'Anna Redirect',
    description: 'redirect, started by the bank; embedded where the TPP refuses redirect',
    approaches: ['REDIRECT', 'EMBEDDED'],
    methods: [sms],
  },
  {
    ...base,
    psuId: 'redirect-explicit',
    name: 'Bruno Redirect',
    description: 'redirect, started by the TPP, with a choice of methods on the page',
    approaches: ['REDIRECT'],
    start: 'explicit',
    methods: [sms, chip, push],
  },
  {
    ...base,
    psuId: 'embedded-none',
    name: 'Clara Embedded',
    description: 'embedded without a method: exempted after the password',
    approaches: ['EMBEDDED'],
    start: 'explicit',
    methods: [],
  },
  {
    ...base,
    psuId: 'embedded-none-implicit',
    name: 'Carl Embedded',
    description: 'as embedded-none, started by the bank',
    approaches: ['EMBEDDED'],
    methods: [],
  },
  {
    ...base,
    psuId: 'embedded-one',
    name: 'Dora Embedded',
    description: 'embedded with one method',
    approaches: ['EMBEDDED'],
    start: 'explicit',
    methods: [chip],
  },
  {
    ...base,
    psuId: 'embedded-one-implicit',
    name: 'Dirk Embedded',
    description: 'as embedded-one, started by the bank',
    approaches: ['EMBEDDED'],
    methods: [chip],
  },
  {
    ...base,
    psuId: 'embedded-choice',
    name: 'Emma Embedded',
    description: 'embedded with a choice of three methods',
    approaches: ['EMBEDDED'],
    start: 'explicit',
    methods: [sms, chip, push],
  },
  {
    ...base,
    psuId: 'embedded-choice-implicit',
    name: 'Emil Embedded',
    description: 'as embedded-choice, started by the bank',
    approaches: ['EMBEDDED'],
    methods: [sms, chip, push],
  },
  {
    ...base,
    psuId: 'decoupled',
    name: 'Frida Decoupled',
    description: 'decoupled: approves in the banking app (the page /phone); started by the TPP',
    approaches: ['DECOUPLED'],
    start: 'explicit',
    methods: [],
  },
  {
    ...base,
    psuId: 'decoupled-implicit',
    name: 'Fritz Decoupled',
    description: 'as decoupled, started by the bank',
    approaches: ['DECOUPLED'],
    methods: [],
  },
  {
    ...base,
    psuId: 'locked',
    name: 'Greta Locked',
    description: 'blocked by the bank: 403 SERVICE_BLOCKED',
    approaches: ['EMBEDDED'],
    start: 'explicit',
    methods: [sms],
    blocked: true,
  },
  {
    ...base,
    psuId: 'no-funds',
    name: 'Hugo Nofunds',
    description: 'embedded with one method and an account with 0.05 EUR: the payment ends in RJCT',
    approaches: ['EMBEDDED'],
    start: 'explicit',
    methods: [sms],
    accounts: [{ country: 'DE', name: 'Current account', opening: 5 }],
  },
  {
    ...base,
    psuId: 'next-day',
    name: 'Ida Nextday',
    description: 'embedded with one method; booked on the next day, so that a cancellation needs SCA (202)',
    approaches: ['EMBEDDED'],
    start: 'explicit',
    methods: [sms],
    booking: 'next-day',
  },
];

/** A password of the bank inside: made per ledger, test data. */
export function newPassword(): string {
  return randomBytes(9).toString('base64url');
}

/** A six-digit one-time password that stays valid, so that tests can use it. */
export function newOtp(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0');
}

interface Row {
  definition: string;
  password: string;
  otp: string;
}

const read = (row: Row): LedgerPerson => ({
  ...(JSON.parse(row.definition) as Definition),
  password: row.password,
  otp: row.otp,
});

/** The PSU with this PSU-ID. */
export function findPerson(database: Database, psuId: string): LedgerPerson | undefined {
  const row = database.one<Row>('SELECT definition, password, otp FROM people WHERE psuId = ?', psuId);
  return row && read(row);
}

/** All PSUs in the order of their seeding. */
export function allPeople(database: Database): LedgerPerson[] {
  return database.all<Row>('SELECT definition, password, otp FROM people ORDER BY position').map(read);
}

import type { Definition, Method } from './people.ts';

const sms: Method = { id: 'sms', type: 'SMS_OTP', name: 'SMS to +49 151 *** 42' };
const chip: Method = { id: 'chip', type: 'CHIP_OTP', name: 'Card reader' };
const push: Method = { id: 'push', type: 'PUSH_OTP', name: 'Code in the banking app' };
const photo: Method = { id: 'photo', type: 'PHOTO_OTP', name: 'photoTAN' };
const photoLink: Method = { ...photo, id: 'photo-link', name: 'photoTAN on a web page', pictureByLink: true };
const approval: Method = {
  id: 'app',
  type: 'PUSH_OTP',
  name: 'Approval in the banking app',
  explanation: 'The authorisation turns decoupled.',
  turns: 'DECOUPLED',
};
const bankPage: Method = {
  id: 'page',
  type: 'PUSH_OTP',
  name: "Approval on the bank's page",
  explanation: 'The authorisation turns into a redirect.',
  turns: 'REDIRECT',
};

const base = {
  start: 'implicit',
  booking: 'at-once',
  accounts: [
    { country: 'DE', name: 'Current account', opening: 1_000_000 },
    { country: 'NL', name: 'Household account', opening: 250_000 },
  ],
} as const;
const little = [{ country: 'DE', name: 'Current account', opening: 5 }] as const;
const redirect = { ...base, approaches: ['REDIRECT'], methods: [sms] } as const;
const oauth = { ...base, approaches: ['OAUTH'], methods: [sms] } as const;
const embedded = { ...base, approaches: ['EMBEDDED'], start: 'explicit', methods: [sms] } as const;
const decoupled = { ...base, approaches: ['DECOUPLED'], start: 'explicit', methods: [] } as const;
const pair = ['pair-a', 'pair-b'] as const;
const trio = ['trio-a', 'trio-b', 'trio-c'] as const;

/** The seeded PSUs, chosen by PSU-ID; new ones come last, so that accounts keep their numbers. */
export const definitions: readonly Definition[] = [
  {
    ...redirect,
    psuId: 'redirect',
    name: 'Anna Redirect',
    description: 'redirect, started by the bank; embedded where the TPP refuses redirect',
    approaches: ['REDIRECT', 'EMBEDDED'],
  },
  {
    ...redirect,
    psuId: 'redirect-explicit',
    name: 'Bruno Redirect',
    description: 'redirect, started by the TPP, with a choice of methods on the page',
    start: 'explicit',
    methods: [sms, chip, push],
  },
  {
    ...embedded,
    psuId: 'embedded-none',
    name: 'Clara Embedded',
    description: 'embedded without a method: exempted after the password',
    methods: [],
  },
  {
    ...embedded,
    psuId: 'embedded-none-implicit',
    name: 'Carl Embedded',
    description: 'as embedded-none, started by the bank',
    start: 'implicit',
    methods: [],
  },
  {
    ...embedded,
    psuId: 'embedded-one',
    name: 'Dora Embedded',
    description: 'embedded with one method',
    methods: [chip],
  },
  {
    ...embedded,
    psuId: 'embedded-one-implicit',
    name: 'Dirk Embedded',
    description: 'as embedded-one, started by the bank',
    start: 'implicit',
    methods: [chip],
  },
  {
    ...embedded,
    psuId: 'embedded-choice',
    name: 'Emma Embedded',
    description: 'embedded with a choice of three methods',
    methods: [sms, chip, push],
  },
  {
    ...embedded,
    psuId: 'embedded-choice-implicit',
    name: 'Emil Embedded',
    description: 'as embedded-choice, started by the bank',
    start: 'implicit',
    methods: [sms, chip, push],
  },
  {
    ...decoupled,
    psuId: 'decoupled',
    name: 'Frida Decoupled',
    description: 'decoupled: approves in the banking app (the page /phone); started by the TPP',
  },
  {
    ...decoupled,
    psuId: 'decoupled-implicit',
    name: 'Fritz Decoupled',
    description: 'as decoupled, started by the bank',
    start: 'implicit',
  },
  {
    ...embedded,
    psuId: 'locked',
    name: 'Greta Locked',
    description: 'blocked by the bank: 403 SERVICE_BLOCKED',
    blocked: true,
  },
  {
    ...embedded,
    psuId: 'no-funds',
    name: 'Hugo Nofunds',
    description: 'embedded with one method and an account with 0.05 EUR: the payment ends in RJCT',
    accounts: little,
  },
  {
    ...embedded,
    psuId: 'next-day',
    name: 'Ida Nextday',
    description: 'embedded with one method; booked on the next day, so that a cancellation needs SCA (202)',
    booking: 'next-day',
  },
  {
    ...oauth,
    psuId: 'oauth',
    name: 'Jana Oauth',
    description: 'integrated OAuth (scaOAuth), started by the bank',
  },
  {
    ...oauth,
    psuId: 'oauth-explicit',
    name: 'Jonas Oauth',
    description: 'as oauth, started by the TPP',
    start: 'explicit',
  },
  {
    ...redirect,
    psuId: 'redirect-confirm',
    name: 'Kira Confirm',
    description: 'redirect with a confirmation code (v136; in v1 as redirect)',
    confirmation: true,
  },
  {
    ...redirect,
    psuId: 'redirect-confirm-explicit',
    name: 'Karl Confirm',
    description: 'as redirect-confirm, started by the TPP',
    start: 'explicit',
    confirmation: true,
  },
  {
    ...oauth,
    psuId: 'oauth-confirm',
    name: 'Kai Confirm',
    description: 'integrated OAuth; the token confirms (v136; in v1 as oauth)',
    confirmation: true,
  },
  {
    ...embedded,
    psuId: 'embedded-encrypted',
    name: 'Lena Encrypted',
    description: 'embedded; the password comes encrypted',
    encrypted: true,
  },
  {
    ...embedded,
    psuId: 'embedded-encrypted-implicit',
    name: 'Leo Encrypted',
    description: 'as embedded-encrypted, started by the bank',
    start: 'implicit',
    encrypted: true,
  },
  {
    ...embedded,
    psuId: 'embedded-additional',
    name: 'Mia Additional',
    description: 'embedded; a second password follows the first',
    additional: true,
  },
  {
    ...embedded,
    psuId: 'embedded-additional-encrypted',
    name: 'Max Additional',
    description: 'as embedded-additional, both passwords encrypted',
    additional: true,
    encrypted: true,
  },
  {
    ...embedded,
    psuId: 'embedded-photo',
    name: 'Nora Photo',
    description:
      'embedded with a choice of photoTAN (the picture shows the one-time password) and card reader',
    methods: [photo, photoLink, chip],
  },
  {
    ...embedded,
    psuId: 'switch',
    name: 'Olga Switch',
    description:
      'embedded choice: one method turns the authorisation decoupled, one turns it into a redirect',
    methods: [sms, approval, bankPage],
  },
  {
    ...embedded,
    psuId: 'switch-implicit',
    name: 'Otto Switch',
    description: 'as switch, started by the bank',
    start: 'implicit',
    methods: [sms, approval, bankPage],
  },
  {
    ...decoupled,
    psuId: 'decoupled-slow',
    name: 'Paula Slow',
    description: 'decoupled: approves without being asked, after three seconds',
    phone: { decision: 'approve', afterMs: 3000 },
  },
  {
    ...decoupled,
    psuId: 'refuses',
    name: 'Rita Refuses',
    description: 'decoupled: refuses without being asked, after one second',
    phone: { decision: 'refuse', afterMs: 1000 },
  },
  {
    ...embedded,
    psuId: 'locks',
    name: 'Sven Locks',
    description: 'embedded: three wrong secrets end the authorisation and lock the PSU (403 SERVICE_BLOCKED)',
    attempts: 3,
    locks: true,
  },
  {
    ...embedded,
    psuId: 'no-funds-later',
    name: 'Tina Nofunds',
    description: 'as no-funds, booked on the next day: ACTC with fundsAvailable false, then RJCT',
    booking: 'next-day',
    accounts: little,
  },
  {
    ...embedded,
    psuId: 'cancel-free',
    name: 'Udo Cancels',
    description: 'booked on the next day; cancelled without SCA (204)',
    booking: 'next-day',
    cancellation: 'free',
  },
  {
    ...embedded,
    psuId: 'cancel-impossible',
    name: 'Vera Cannot',
    description: 'booked on the next day; never cancelled (CANCELLATION_INVALID)',
    booking: 'next-day',
    cancellation: 'impossible',
  },
  {
    ...embedded,
    psuId: 'pair-a',
    name: 'Wanda Pair',
    description:
      'an account for which pair-a and pair-b must both authorise (2 of 2); embedded with one method',
    methods: [chip],
    authorisers: pair,
  },
  {
    ...redirect,
    psuId: 'pair-b',
    name: 'Wim Pair',
    description: 'as pair-a, by redirect',
    start: 'explicit',
    authorisers: pair,
  },
  {
    ...embedded,
    psuId: 'trio-a',
    name: 'Xenia Trio',
    description:
      'an account for which trio-a, trio-b and trio-c must all authorise (3 of 3); embedded, a choice',
    methods: [sms, chip],
    authorisers: trio,
  },
  {
    ...decoupled,
    psuId: 'trio-b',
    name: 'Yara Trio',
    description: 'as trio-a, decoupled',
    authorisers: trio,
  },
  {
    ...redirect,
    psuId: 'trio-c',
    name: 'Zoe Trio',
    description: 'as trio-a, by redirect',
    start: 'explicit',
    authorisers: trio,
  },
  {
    ...redirect,
    psuId: 'multicurrency',
    name: 'Aida Multi',
    description: 'an account in EUR, USD and GBP under one IBAN; redirect, or embedded without redirect',
    approaches: ['REDIRECT', 'EMBEDDED'],
    accounts: [
      {
        country: 'DE',
        name: 'Multicurrency account',
        opening: 1_000_000,
        others: [
          { currency: 'USD', opening: 420_000 },
          { currency: 'GBP', opening: 75_050 },
        ],
      },
    ],
  },
  {
    ...embedded,
    psuId: 'cards',
    name: 'Bela Cards',
    description: 'two credit cards beside the accounts; embedded with one method',
    accounts: [
      {
        country: 'DE',
        name: 'Current account',
        opening: 1_000_000,
        card: { name: 'Credit card', creditLimit: 500_000 },
      },
      {
        country: 'NL',
        name: 'Household account',
        opening: 250_000,
        card: { name: 'Second card', creditLimit: 100_000 },
      },
    ],
  },
  {
    ...embedded,
    psuId: 'no-funds-confirmation',
    name: 'Cleo Closed',
    description: 'as embedded-one; the accounts are not open for confirmations of funds (NO_PIIS_ACTIVATION)',
    methods: [chip],
    noFundsConfirmation: true,
  },
  {
    ...embedded,
    psuId: 'oauth-prestep',
    name: 'Dan Prestep',
    description:
      'OAuth pre-step: logs in before any call, whose token is the first factor; embedded, a choice',
    start: 'implicit',
    methods: [sms, chip],
    preStep: true,
  },
  {
    ...embedded,
    psuId: 'embedded-method-first',
    name: 'Ella Method',
    description:
      'embedded without a password: the TPP starts the authorisation by choosing a method, as with switch',
    methods: [sms, chip, approval, bankPage],
    passwordless: true,
  },
  {
    ...embedded,
    psuId: 'embedded-otp-first',
    name: 'Edgar Otp',
    description: 'embedded without a password: the TPP starts the authorisation with the one-time password',
    methods: [chip],
    passwordless: true,
  },
  {
    ...embedded,
    psuId: 'fees',
    name: 'Wilma Fees',
    description:
      'embedded choice; the bank asks 1.50 EUR for a payment and says so with the methods (v1: at the initiation)',
    methods: [sms, chip],
    fees: 'with-method',
  },
];

import type { Definition, Method } from './people.ts';

const sms: Method = { id: 'sms', type: 'SMS_OTP', name: 'SMS to +49 151 *** 42' };
const chip: Method = { id: 'chip', type: 'CHIP_OTP', name: 'Card reader' };
const push: Method = { id: 'push', type: 'PUSH_OTP', name: 'Code in the banking app' };
const lost: Method = { id: 'lost', type: 'SMS_OTP', name: 'SMS to +49 151 *** 43', withdrawn: true };
const app: Method = { id: 'app', type: 'PUSH_OTP', name: 'App on the phone', turns: 'DECOUPLED' };
const tablet: Method = { id: 'tablet', type: 'PUSH_OTP', name: 'App on the tablet', turns: 'DECOUPLED' };
const mail: Method = { id: 'mail', type: 'SMTP_OTP', name: 'E-mail to anna@example.com' };
const several = [sms, chip, push] as const;

const current = { country: 'DE', name: 'Current account' } as const;
const holding = (opening: number) => [{ ...current, opening }] as const;
const overdraft = [{ ...current, opening: 0, creditLimit: 50_000 }] as const;
const numbered = (number: 'bban' | 'msisdn') => [{ ...current, opening: 1_000_000, number }] as const;
const withCard = [
  { ...current, opening: 1_000_000, card: { name: 'Credit card', creditLimit: 500_000 } },
] as const;
const others = [
  { currency: 'USD', opening: 420_000 },
  { currency: 'GBP', opening: 75_050 },
] as const;
const multicurrency = [{ ...current, opening: 1_000_000, others }] as const;
const threeAccounts = [
  { ...current, opening: 1_000_000 },
  { country: 'NL', name: 'Household account', opening: 250_000 },
  { country: 'DE', name: 'Savings account', opening: 5_000_000 },
] as const;

const base = { booking: 'at-once', accounts: holding(1_000_000) } as const;
const redirect = { ...base, approaches: ['REDIRECT'], start: 'implicit' } as const;
const oauth = { ...base, approaches: ['OAUTH'], start: 'implicit' } as const;
const embedded = { ...base, approaches: ['EMBEDDED'], start: 'explicit' } as const;
const decoupled = { ...base, approaches: ['DECOUPLED'], start: 'explicit' } as const;
const corporate = { corporateId: 'obk-company' } as const;
const couple = ['private-two-signatures-a', 'private-two-signatures-b'] as const;
const two = ['corporate-two-signatures-a', 'corporate-two-signatures-b'] as const;
const three = [
  'corporate-three-signatures-a',
  'corporate-three-signatures-b',
  'corporate-three-signatures-c',
] as const;

/**
 * The ready people of `--people options`: one for each option that an implementer of the interface has. New ones come last, so that
 * the accounts of the others keep their numbers.
 */
export const optionPeople: readonly Definition[] = [
  {
    ...redirect,
    psuId: 'private-redirect-none',
    name: 'Private Redirect None',
    description: "redirect: the bank's page asks for the password alone",
    methods: [],
  },
  {
    ...redirect,
    psuId: 'private-redirect-one',
    name: 'Private Redirect One',
    description: "redirect: the bank's page asks for password and one-time password",
    methods: [sms],
  },
  {
    ...redirect,
    psuId: 'private-redirect-several',
    name: 'Private Redirect Several',
    description: "redirect: the bank's page offers three methods",
    methods: several,
  },
  {
    ...oauth,
    psuId: 'private-oauth-none',
    name: 'Private Oauth None',
    description: 'integrated OAuth (scaOAuth): the page asks for the password alone',
    methods: [],
  },
  {
    ...oauth,
    psuId: 'private-oauth-one',
    name: 'Private Oauth One',
    description: 'integrated OAuth (scaOAuth): password and one-time password',
    methods: [sms],
  },
  {
    ...oauth,
    psuId: 'private-oauth-several',
    name: 'Private Oauth Several',
    description: 'integrated OAuth (scaOAuth): the page offers three methods',
    methods: several,
  },
  {
    ...embedded,
    psuId: 'private-embedded-none',
    name: 'Private Embedded None',
    description: 'embedded: the password is enough (exempted)',
    methods: [],
  },
  {
    ...embedded,
    psuId: 'private-embedded-one',
    name: 'Private Embedded One',
    description: 'embedded: password, then one-time password',
    methods: [sms],
  },
  {
    ...embedded,
    psuId: 'private-embedded-several',
    name: 'Private Embedded Several',
    description: 'embedded: password, a choice of three methods, then the one-time password',
    methods: several,
  },
  {
    ...decoupled,
    psuId: 'private-decoupled-none',
    name: 'Private Decoupled None',
    description: 'decoupled from the start: approves in the banking app (the page /phone)',
    methods: [],
  },
  {
    ...embedded,
    psuId: 'private-decoupled-one',
    name: 'Private Decoupled One',
    description: 'password first, then decoupled with the only method',
    methods: [app],
  },
  {
    ...embedded,
    psuId: 'private-decoupled-several',
    name: 'Private Decoupled Several',
    description: 'password first, then decoupled with the device that is chosen',
    methods: [app, tablet],
  },
  {
    ...redirect,
    ...corporate,
    psuId: 'corporate-redirect-none',
    name: 'Corporate Redirect None',
    description:
      "for a company (PSU-Corporate-ID obk-company): redirect: the bank's page asks for the password alone",
    methods: [],
  },
  {
    ...redirect,
    ...corporate,
    psuId: 'corporate-redirect-one',
    name: 'Corporate Redirect One',
    description:
      "for a company (PSU-Corporate-ID obk-company): redirect: the bank's page asks for password and one-time password",
    methods: [sms],
  },
  {
    ...redirect,
    ...corporate,
    psuId: 'corporate-redirect-several',
    name: 'Corporate Redirect Several',
    description:
      "for a company (PSU-Corporate-ID obk-company): redirect: the bank's page offers three methods",
    methods: several,
  },
  {
    ...oauth,
    ...corporate,
    psuId: 'corporate-oauth-none',
    name: 'Corporate Oauth None',
    description:
      'for a company (PSU-Corporate-ID obk-company): integrated OAuth (scaOAuth): the page asks for the password alone',
    methods: [],
  },
  {
    ...oauth,
    ...corporate,
    psuId: 'corporate-oauth-one',
    name: 'Corporate Oauth One',
    description:
      'for a company (PSU-Corporate-ID obk-company): integrated OAuth (scaOAuth): password and one-time password',
    methods: [sms],
  },
  {
    ...oauth,
    ...corporate,
    psuId: 'corporate-oauth-several',
    name: 'Corporate Oauth Several',
    description:
      'for a company (PSU-Corporate-ID obk-company): integrated OAuth (scaOAuth): the page offers three methods',
    methods: several,
  },
  {
    ...embedded,
    ...corporate,
    psuId: 'corporate-embedded-none',
    name: 'Corporate Embedded None',
    description: 'for a company (PSU-Corporate-ID obk-company): embedded: the password is enough (exempted)',
    methods: [],
  },
  {
    ...embedded,
    ...corporate,
    psuId: 'corporate-embedded-one',
    name: 'Corporate Embedded One',
    description: 'for a company (PSU-Corporate-ID obk-company): embedded: password, then one-time password',
    methods: [sms],
  },
  {
    ...embedded,
    ...corporate,
    psuId: 'corporate-embedded-several',
    name: 'Corporate Embedded Several',
    description:
      'for a company (PSU-Corporate-ID obk-company): embedded: password, a choice of three methods, then the one-time password',
    methods: several,
  },
  {
    ...decoupled,
    ...corporate,
    psuId: 'corporate-decoupled-none',
    name: 'Corporate Decoupled None',
    description:
      'for a company (PSU-Corporate-ID obk-company): decoupled from the start: approves in the banking app (the page /phone)',
    methods: [],
  },
  {
    ...embedded,
    ...corporate,
    psuId: 'corporate-decoupled-one',
    name: 'Corporate Decoupled One',
    description:
      'for a company (PSU-Corporate-ID obk-company): password first, then decoupled with the only method',
    methods: [app],
  },
  {
    ...embedded,
    ...corporate,
    psuId: 'corporate-decoupled-several',
    name: 'Corporate Decoupled Several',
    description:
      'for a company (PSU-Corporate-ID obk-company): password first, then decoupled with the device that is chosen',
    methods: [app, tablet],
  },
  {
    ...embedded,
    ...corporate,
    psuId: 'corporate-two-signatures-a',
    name: 'Corporate Two Signatures A',
    description: "a company's account that two must authorise (2 of 2): embedded, one method",
    methods: [sms],
    authorisers: two,
  },
  {
    ...redirect,
    ...corporate,
    psuId: 'corporate-two-signatures-b',
    name: 'Corporate Two Signatures B',
    description: 'as corporate-two-signatures-a: redirect, started by the TPP',
    methods: [sms],
    start: 'explicit',
    authorisers: two,
  },
  {
    ...embedded,
    ...corporate,
    psuId: 'corporate-three-signatures-a',
    name: 'Corporate Three Signatures A',
    description: "a company's account that three must authorise (3 of 3): embedded, three methods",
    methods: several,
    authorisers: three,
  },
  {
    ...decoupled,
    ...corporate,
    psuId: 'corporate-three-signatures-b',
    name: 'Corporate Three Signatures B',
    description: 'as corporate-three-signatures-a: decoupled',
    methods: [],
    authorisers: three,
  },
  {
    ...oauth,
    ...corporate,
    psuId: 'corporate-three-signatures-c',
    name: 'Corporate Three Signatures C',
    description: 'as corporate-three-signatures-a: integrated OAuth, started by the TPP',
    methods: [sms],
    start: 'explicit',
    authorisers: three,
  },
  {
    ...embedded,
    psuId: 'private-two-signatures-a',
    name: 'Private Two Signatures A',
    description: 'an account that two must authorise (2 of 2), without a company: embedded, one method',
    methods: [sms],
    authorisers: couple,
  },
  {
    ...embedded,
    psuId: 'private-two-signatures-b',
    name: 'Private Two Signatures B',
    description: 'as private-two-signatures-a: embedded, without a second factor',
    methods: [],
    authorisers: couple,
  },
  {
    ...embedded,
    psuId: 'otp-wrong-counted',
    name: 'Otp Wrong Counted',
    description:
      'embedded: wrong one-time passwords are counted (401, attempts left), the third ends the authorisation alone',
    methods: [sms],
    attempts: 3,
  },
  {
    ...embedded,
    psuId: 'otp-wrong-locked',
    name: 'Otp Wrong Locked',
    description:
      'embedded: the third wrong one-time password ends the authorisation and locks the access (403 SERVICE_BLOCKED)',
    methods: [sms],
    attempts: 3,
    locks: true,
  },
  {
    ...embedded,
    psuId: 'otp-wrong-once-locked',
    name: 'Otp Wrong Once Locked',
    description: 'embedded: the first wrong secret locks the access (403 SERVICE_BLOCKED)',
    methods: [sms],
    attempts: 1,
    locks: true,
  },
  {
    ...embedded,
    psuId: 'access-blocked',
    name: 'Access Blocked',
    description: 'embedded; blocked by the bank: 403 SERVICE_BLOCKED',
    methods: [sms],
    blocked: true,
  },
  {
    ...redirect,
    psuId: 'access-blocked-redirect',
    name: 'Access Blocked Redirect',
    description: 'redirect; blocked by the bank: 403 SERVICE_BLOCKED',
    methods: [sms],
    blocked: true,
  },
  {
    ...embedded,
    psuId: 'authorisation-expires',
    name: 'Authorisation Expires',
    description: 'embedded: an authorisation fails after one second; another may follow',
    methods: [sms],
    authorisationMs: 1000,
  },
  {
    ...redirect,
    psuId: 'redirect-expires',
    name: 'Redirect Expires',
    description: 'redirect: the link is good for one second',
    methods: [sms],
    authorisationMs: 1000,
  },
  {
    ...decoupled,
    psuId: 'decoupled-expires',
    name: 'Decoupled Expires',
    description: 'decoupled: nobody takes the phone, the authorisation fails after one second',
    methods: [],
    authorisationMs: 1000,
  },
  {
    ...decoupled,
    psuId: 'decoupled-refused',
    name: 'Decoupled Refused',
    description: 'decoupled: refused on the phone after one second; the payment ends in RJCT',
    methods: [],
    phone: { decision: 'refuse', afterMs: 1000 },
  },
  {
    ...decoupled,
    psuId: 'decoupled-approved',
    name: 'Decoupled Approved',
    description: 'decoupled: approved on the phone after one second',
    methods: [],
    phone: { decision: 'approve', afterMs: 1000 },
  },
  {
    ...embedded,
    psuId: 'decoupled-refused-after-choice',
    name: 'Decoupled Refused After Choice',
    description: 'password, a choice of devices, then refused on the phone after one second',
    methods: [app, tablet],
    phone: { decision: 'refuse', afterMs: 1000 },
  },
  {
    ...embedded,
    psuId: 'method-unknown',
    name: 'Method Unknown',
    description: 'embedded, a choice: the method lost is on offer, and SCA_METHOD_UNKNOWN once it is chosen',
    methods: [sms, lost],
  },
  {
    ...embedded,
    psuId: 'sca-exempted',
    name: 'Sca Exempted',
    description: 'embedded: exempted from SCA after the password (scaStatus exempted)',
    methods: [],
  },
  {
    ...embedded,
    psuId: 'fees-at-initiation',
    name: 'Fees At Initiation',
    description: 'a fee of 1.50 EUR, told at the initiation (transactionFees)',
    methods: several,
    fees: 'at-initiation',
  },
  {
    ...embedded,
    psuId: 'fees-with-method',
    name: 'Fees With Method',
    description: 'a fee of 1.50 EUR, told with the methods (v1: at the initiation)',
    methods: several,
    fees: 'with-method',
  },
  {
    ...embedded,
    psuId: 'fees-with-exchange',
    name: 'Fees With Exchange',
    description:
      'a fee of 1.50 EUR and one for currency exchange, told at the initiation (v1: the first alone)',
    methods: several,
    fees: 'with-exchange',
  },
  {
    ...embedded,
    psuId: 'funds-none',
    name: 'Funds None',
    description: '0.00 EUR: a payment ends in RJCT, a confirmation of funds is false',
    methods: [],
    accounts: holding(0),
  },
  {
    ...embedded,
    psuId: 'funds-exact',
    name: 'Funds Exact',
    description: '100.00 EUR: a payment of 100.00 is booked, the next one of 0.01 ends in RJCT',
    methods: [],
    accounts: holding(10_000),
  },
  {
    ...embedded,
    psuId: 'funds-overdraft',
    name: 'Funds Overdraft',
    description: '0.00 EUR and a credit line of 500.00: payments are booked down to -500.00',
    methods: [],
    accounts: overdraft,
  },
  {
    ...embedded,
    psuId: 'funds-none-later',
    name: 'Funds None Later',
    description: '0.00 EUR, booked on the next day: ACTC, then RJCT',
    methods: [],
    booking: 'next-day',
    accounts: holding(0),
  },
  {
    ...embedded,
    psuId: 'funds-not-confirmed',
    name: 'Funds Not Confirmed',
    description: 'the account is not open for confirmations of funds (NO_PIIS_ACTIVATION)',
    methods: [],
    noFundsConfirmation: true,
  },
  {
    ...embedded,
    psuId: 'account-multicurrency',
    name: 'Account Multicurrency',
    description: 'EUR, USD and GBP under one IBAN',
    methods: [],
    accounts: multicurrency,
  },
  {
    ...embedded,
    psuId: 'account-bban',
    name: 'Account Bban',
    description: 'an account with a BBAN and no IBAN',
    methods: [],
    accounts: numbered('bban'),
  },
  {
    ...embedded,
    psuId: 'account-msisdn',
    name: 'Account Msisdn',
    description: 'an account with a mobile number (MSISDN) and no IBAN',
    methods: [],
    accounts: numbered('msisdn'),
  },
  {
    ...embedded,
    psuId: 'account-cards',
    name: 'Account Cards',
    description: 'a credit card account beside the payment account',
    methods: [],
    accounts: withCard,
  },
  {
    ...embedded,
    psuId: 'accounts-three',
    name: 'Accounts Three',
    description: 'three payment accounts, one of them in the Netherlands',
    methods: [],
    accounts: threeAccounts,
  },
  {
    ...embedded,
    psuId: 'reports-json',
    name: 'Reports Json',
    description: 'transactions in JSON only; other forms are 406 REQUESTED_FORMATS_INVALID',
    methods: [],
    reports: ['json'],
  },
  {
    ...embedded,
    psuId: 'reports-camt-052',
    name: 'Reports Camt 052',
    description: 'transactions in camt.052 only; other forms are 406 REQUESTED_FORMATS_INVALID',
    methods: [],
    reports: ['camt.052'],
  },
  {
    ...embedded,
    psuId: 'reports-camt-053',
    name: 'Reports Camt 053',
    description: 'transactions in camt.053 only; other forms are 406 REQUESTED_FORMATS_INVALID',
    methods: [],
    reports: ['camt.053'],
  },
  {
    ...embedded,
    psuId: 'reports-mt940',
    name: 'Reports Mt940',
    description: 'transactions in MT940 and MT942 only; other forms are 406 REQUESTED_FORMATS_INVALID',
    methods: [],
    reports: ['text'],
  },
  {
    ...embedded,
    psuId: 'booking-next-day',
    name: 'Booking Next Day',
    description: 'booked on the next day: ACTC, then ACSC',
    methods: [],
    booking: 'next-day',
  },
  {
    ...embedded,
    psuId: 'booking-rejected-later',
    name: 'Booking Rejected Later',
    description: 'accepted first, rejected later',
    methods: [],
    booking: 'rejected-later',
  },
  {
    ...embedded,
    psuId: 'cancellation-free',
    name: 'Cancellation Free',
    description: 'booked on the next day; cancelled without SCA (204)',
    methods: [],
    booking: 'next-day',
    cancellation: 'free',
  },
  {
    ...embedded,
    psuId: 'cancellation-impossible',
    name: 'Cancellation Impossible',
    description: 'booked on the next day; never cancelled (CANCELLATION_INVALID)',
    methods: [],
    booking: 'next-day',
    cancellation: 'impossible',
  },
  {
    ...embedded,
    psuId: 'cancellation-with-sca',
    name: 'Cancellation With Sca',
    description: 'booked on the next day; cancelled after an authorisation (202)',
    methods: [sms],
    booking: 'next-day',
  },
  {
    ...embedded,
    psuId: 'embedded-mail',
    name: 'Embedded Mail',
    description: 'embedded with a choice of card reader and e-mail (SMTP_OTP, told from 1.3.8 on)',
    methods: [chip, mail],
  },
];

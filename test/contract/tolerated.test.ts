// What a bank says beside the contract, and obk reads all the same: noted on the exchange, told by obk check, and gone where the
// description of the bank has it.
import { afterAll, describe, expect, it } from 'vitest';
import { atBank } from '../helpers/bank-settings.ts';
import type { Journey } from '../helpers/bank-settings.ts';
import { typedBank } from '../helpers/typed-bank.ts';
import type { Answered, RunningBank } from '../helpers/typed-bank.ts';

const balances = ['api', 'getBalances', '-f', 'account-id=a', '-H', 'Consent-ID: c'];
const status = ['api', 'getConsentStatus', '-f', 'consentId=c'];
const balance = (amount: unknown) => ({
  balances: [{ balanceType: 'closingBooked', balanceAmount: { currency: 'EUR', amount } }],
});
const described = (name: string, setting: string) =>
  `; to describe this bank: obk config set ${setting} --profile ${name}`;

interface Case {
  line: readonly string[];
  answer: Answered;
  /** The exit; 0 where it is not given. */
  code?: number;
  at: string;
  what: string;
  /** The setting that describes it, as config set takes it and as a file has it. */
  set?: readonly [line: string, file: object];
}

const cases: readonly (readonly [title: string, one: Case])[] = [
  [
    'an amount as a number',
    {
      line: balances,
      answer: [200, balance(12.5)],
      at: '/balances/0/balanceAmount/amount',
      what: 'amounts are numbers',
      set: ['decode.numberAmounts true', { decode: { numberAmounts: true } }],
    },
  ],
  [
    'null for a member that is not there',
    {
      line: balances,
      answer: [200, { ...balance('12.50'), account: null }],
      at: '/account',
      what: 'absent members are null',
      set: ['decode.nulls true', { decode: { nulls: true } }],
    },
  ],
  [
    'a status in capitals',
    {
      line: status,
      answer: [200, { consentStatus: 'VALID' }],
      at: '/consentStatus',
      what: 'consentStatus VALID means valid',
    },
  ],
  [
    'a boolean as a text',
    {
      line: ['api', 'getConsentInformation', '-f', 'consentId=c'],
      answer: [200, { access: {}, recurringIndicator: 'true', consentStatus: 'valid' }],
      at: '/recurringIndicator',
      what: 'recurringIndicator is a text and not a boolean',
    },
  ],
  [
    'an id as a number',
    {
      line: ['api', 'getConsentAuthorisation', '-f', 'consentId=c'],
      answer: [200, { authorisationIds: [4711] }],
      at: '/authorisationIds/0',
      what: 'authorisationIds is a number and not a string',
    },
  ],
  [
    'a code in another spelling',
    {
      line: balances,
      answer: [401, { tppMessages: [{ category: 'ERROR', code: 'consentExpired' }] }],
      code: 4,
      at: '/tppMessages/0/code',
      what: 'the code consentExpired means CONSENT_EXPIRED',
    },
  ],
  [
    'an error of OAuth2 that is a code of the interface',
    {
      line: balances,
      answer: [405, { error: 'service_blocked', error_description: 'too late' }],
      code: 9,
      at: '/error',
      what: 'the error is the code service_blocked',
      set: ['errors.shapes oauth', { errors: { shapes: ['oauth'] } }],
    },
  ],
];

const banks: RunningBank[] = [];
afterAll(() => Promise.all(banks.map((bank) => bank.close())));

async function run({ answer }: Pick<Case, 'answer'>, settings: object, journey: Journey) {
  const bank = await typedBank(() => answer);
  banks.push(bank);
  return atBank(bank, settings, journey);
}

describe('a tolerated deviation', () => {
  it.each(cases)(
    'is noted on the exchange and found by a check: %s',
    async (_, { line, at, what, set, code = 0, ...one }) => {
      const { name, stdout } = await run(one, {}, async (obk) => {
        expect((await obk([...line, '--trace', 'tolerated.har'])).code).toBe(code);
        const log = await obk(['log', 'show', '@last', '--json']);
        const text = await obk(['log', 'show', '@last']);
        const check = await obk(['check', 'tolerated.har', '--json']);
        return { ...log, stdout: JSON.stringify([log.stdout, text.stdout, check.stdout]) };
      });
      const [log = '', text, check = ''] = JSON.parse(stdout) as string[];
      const end = set === undefined ? '' : described(name, set[0]);
      const { exchanges } = JSON.parse(log) as { exchanges: { tolerated: unknown }[] };
      expect(exchanges.map(({ tolerated }) => tolerated)).toEqual([[{ at, what: what + end }]]);
      expect(text).toContain(`* tolerated at ${at}: ${what}${end}`);
      const found = (JSON.parse(check) as { exchanges: { findings: object[] }[] }).exchanges.flatMap(
        ({ findings }) => findings,
      );
      expect(found).toContainEqual(
        expect.objectContaining({ side: 'answer', rule: 'answer-tolerated', level: 'may', pointer: at }),
      );
    },
  );

  it.each(cases.filter(([, { set }]) => set !== undefined))(
    'is not noted where the profile describes it: %s',
    async (_, { line, set, code = 0, ...one }) => {
      const { stdout } = await run(one, set?.[1] ?? {}, async (obk) => {
        expect((await obk(line)).code).toBe(code);
        return obk(['log', 'show', '@last', '--json']);
      });
      expect(JSON.parse(stdout)).toMatchObject({ exchanges: [{ tolerated: [] }] });
    },
  );
});

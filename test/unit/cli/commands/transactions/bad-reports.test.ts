// What is asked for wrongly, and what banks send wrongly: one clear error or a marked row, never a wrong number; each as text and
// as JSON.
import { describe, expect, it } from 'vitest';
import { expectTidy, oneError } from '../../../../helpers/one-error.ts';
import { iban, refusal } from '../../../client/reader.ts';
import { accountBank } from '../account-bank.ts';

const one = { accounts: [{ resourceId: 'acc-1', number: iban }] };
const list = ['transactions', 'list', '--account', 'acc-1'];
const page = '/v1/accounts/acc-1/transactions';
const entry = { transactionId: 't1', transactionAmount: { currency: 'EUR', amount: '-12.50' } };
const report = (more: object) => ({ body: { transactions: { booked: [entry], _links: {}, ...more } } });
const bytes = (type: string, body: string | Uint8Array) => ({ headers: { 'Content-Type': type }, body });
const camt = (head: string, text: string) =>
  `<?xml version="1.0"${head}?>${text}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt/></Document>`;

type Answers = readonly (readonly [path: string | RegExp, answer: object])[];
interface Case {
  flags: readonly string[];
  answers?: Answers;
  exit: number;
  code: string;
  says: string;
}

const cases: Readonly<Record<string, Case>> = {
  'an impossible day': {
    flags: ['--date-from', '2026-02-30'],
    ...{ exit: 2, code: 'INPUT_INVALID', says: '--date-from "2026-02-30"' },
  },
  'a day that is none': {
    flags: ['--date-to', '1.2.26'],
    exit: 2,
    code: 'INPUT_INVALID',
    says: '--date-to "1.2.26"',
  },
  'the end before the beginning': {
    flags: ['--date-from', '2026-02-02', '--date-to', '2026-02-01'],
    ...{ exit: 2, code: 'USAGE', says: 'is after' },
  },
  'both delta parameters': {
    flags: ['--delta', '--entry-reference-from', 'x'],
    ...{ exit: 2, code: 'USAGE', says: '--delta and --entry-reference-from' },
  },
  'a size that is none': { flags: ['--max-size', '2 GB'], exit: 2, code: 'USAGE', says: '--max-size takes' },
  'an account that the consent has not': {
    flags: ['--account', 'DE02120300000000202051'],
    answers: [['/v1/accounts', { body: { accounts: [{ resourceId: 'acc-1', iban, currency: 'EUR' }] } }]],
    ...{ exit: 2, code: 'ACCOUNT_UNKNOWN', says: 'has no account DE02120300000000202051' },
  },
  'an account that the bank does not know': {
    flags: [],
    answers: [[/./, refusal('RESOURCE_UNKNOWN', 404)]],
    ...{ exit: 5, code: 'REFUSED', says: 'RESOURCE_UNKNOWN' },
  },
  'JSON that is not UTF-8': {
    flags: [],
    answers: [
      [
        /./,
        bytes('application/json', Buffer.from(JSON.stringify(report({}).body).replace('t1', 'ä'), 'latin1')),
      ],
    ],
    ...{ exit: 6, code: 'ANSWER_UNREADABLE', says: 'UTF-8' },
  },
  'XML in an encoding that nobody reads': {
    flags: [],
    answers: [[/./, bytes('application/xml', camt(' encoding="EBCDIC-CP-FR"', ''))]],
    ...{ exit: 6, code: 'ANSWER_UNREADABLE', says: 'EBCDIC-CP-FR' },
  },
  'a DOCTYPE': {
    flags: [],
    answers: [
      [/./, bytes('application/xml', camt('', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'))],
    ],
    ...{ exit: 6, code: 'ANSWER_UNREADABLE', says: 'DOCTYPE' },
  },
  'pages without end': {
    flags: ['--all'],
    answers: [
      [/bookingStatus/, report({ _links: { next: { href: `${page}?page=2` } } })],
      [/page=2/, report({ _links: { next: { href: `${page}?page=3` } } })],
    ],
    ...{ exit: 6, code: 'REPORT_ENDLESS', says: 'never end' },
  },
  'JSON without end': {
    flags: [],
    answers: [[/./, bytes('application/json', '{"transactions":{"booked":[')]],
    ...{ exit: 6, code: 'ANSWER_UNREADABLE', says: 'not usable' },
  },
};

describe.each(Object.entries(cases))('%s', (_, { flags, answers = [], exit, code, says }) => {
  const ran = async (...more: readonly string[]) => {
    const bank = await accountBank({ consent: one });
    for (const [path, answer] of answers) bank.http.expect('GET', path, answer);
    const ended = await bank.run([...list, ...flags, ...more]);
    bank.http.verify();
    return ended;
  };

  it('is one clear error', async () => {
    const ended = await ran();
    expectTidy(ended);
    expect(ended.code).toBe(exit);
    expect(ended.stderr.match(/^✗/gm)).toHaveLength(1);
    expect(ended.stderr).toContain(says);
  });

  it('is one document', async () => {
    const ended = await ran('--json');
    const { code: told, title, detail } = oneError(ended);
    expect([ended.code, told]).toEqual([exit, code]);
    expect(`${title} ${detail ?? ''} ${ended.stderr}`).toContain(says);
    // Of pages without end the first one was right.
    if (code === 'REPORT_ENDLESS') expect(ended.stdout).toMatch(/^\[\{.*"t1".*\}$/);
    else expect(ended.stdout).toBe('');
  });
});

it.each(['json', 'csv', 'table'])('a transaction without a date is a row with a mark (%s)', async (as) => {
  const bank = await accountBank({ consent: one });
  bank.http.expect('GET', /./, report({}));
  const { code, stdout, notices } = await bank.run([...list, '-o', as]);
  expect(code).toBe(0);
  expect(stdout).toContain('-12.50');
  expect(notices.warned).toContain('no-date: 1 of 1 rows');
  if (as === 'json') expect(JSON.parse(stdout)).toMatchObject([{ amount: '-12.50', marks: ['no-date'] }]);
  if (as === 'csv') expect(stdout).toContain('no-date');
});

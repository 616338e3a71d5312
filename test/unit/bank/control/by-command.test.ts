import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObkError } from '../../../../src/base/errors.ts';
import { doorsFromFlags } from '../../../../src/settings/doors/read-doors.ts';
import { createBank } from '../../../../src/bank/index.ts';
import type { ServedBank } from '../../../../src/bank/door.ts';
import { program } from '../../../helpers/program.ts';

/** One home with two banks: the default one, whose ledger nobody serves, and one that answers requests. */
const stateDir = mkdtempSync(join(tmpdir(), 'obk-by-command-'));
const clock = { now: () => new Date('2026-11-21T10:00:00.000Z') };
const here = createBank({ stateDir, clock, at: 'default' });
const server = createBank({ stateDir, clock });
const elsewhere = createBank({ stateDir, clock, at: 'served' });
const stop = new AbortController();
let served: Promise<void> = Promise.resolve();

beforeAll(async () => {
  await new Promise<ServedBank>((resolve, reject) => {
    served = server.serve(
      { doors: [doorsFromFlags({ port: 0 })], without: [], name: 'served', database: ':memory:' },
      resolve,
      stop.signal,
    );
    served.catch(reject);
  });
});
afterAll(async () => {
  stop.abort();
  await served;
  for (const bank of [here, elsewhere, server]) await bank.close();
});

const said = async (bank: typeof here, words: string) => {
  const { code, stdout, stderr } = await program(words, { ports: { bank } });
  return { code, stdout, stderr };
};

describe('a bank of this process and one behind HTTP', () => {
  it.each([
    ['sandbox psu approve nothing', 'The bank has no open authorisation of nothing.'],
    ['sandbox psu refuse nothing --as redirect', 'The bank has no open authorisation of nothing.'],
    ['sandbox psu revoke nothing', 'The bank has no consent nothing.'],
    [
      'sandbox psu approve http://127.0.0.1:1/sca/nothing',
      'The link does not lead to a page of the bank inside.',
    ],
    ['sandbox scenario set pages of-0', 'pages takes of-1000'],
    ['sandbox fault add createConsent edit nonsense', '"nonsense" is no edit of an answer.'],
    ['sandbox fault add getConsentStatus push-lost', 'There are no notifications of getConsentStatus'],
    ['sandbox clock 2001-01-01T00:00:00Z', 'The clock cannot be set to 2001-01-01T00:00:00Z.'],
    ['sandbox clock +1y', 'The clock cannot be moved by +1y.'],
    ['sandbox clock 1d', 'The clock cannot be moved by 1d.'],
    ['sandbox clock tomorrow', 'The clock cannot be moved by tomorrow.'],
    ['sandbox client add x --redirect-uri ftp://tpp.example', 'ftp://tpp.example cannot be registered.'],
    ['sandbox snapshot restore nothing', 'The bank inside has no snapshot "nothing".'],
    ['sandbox snapshot delete nothing', 'The bank inside has no snapshot "nothing".'],
    ['sandbox snapshot save a/b', '"a/b" cannot be the name of a snapshot.'],
    ['sandbox seed --transactions 1 --as nobody', 'The bank knows no PSU nobody.'],
    [`sandbox client add ${'x'.repeat(201)}`, '/clientId does not take'],
    [`sandbox psu approve ${'x'.repeat(4001)}`, '/id does not take'],
    [`sandbox psu approve nothing --as ${'x'.repeat(141)}`, '/psuId does not take'],
  ])('refuse %s in the same words', async (words, title) => {
    const byHttp = await said(elsewhere, words);
    expect(byHttp).toMatchObject({ code: 2, stdout: '' });
    expect(byHttp.stderr).toContain(title);
    expect(await said(here, words)).toEqual(byHttp);
  });

  it.each<[string, string, (bank: typeof here) => Promise<unknown>]>([
    [
      'a parameter out of its bounds',
      'limit does not take 0.',
      (bank) => bank.control('listCalls', { given: { limit: 0 } }),
    ],
    [
      'an unknown parameter',
      'There is no parameter limits.',
      (bank) => bank.control('listCalls', { given: { limits: 1 } }),
    ],
    ['a path', 'number does not take "one".', (bank) => bank.control('getCall', { path: { number: 'one' } })],
    [
      'an unknown member',
      'The body has no member "mov".',
      (bank) => bank.control('moveClock', { body: { mov: '+1d' } as never }),
    ],
    [
      'a member of another kind',
      '/balance is an integer, not a string.',
      (bank) => bank.control('addPerson', { body: { psuId: 'new', balance: 5 } as never }),
    ],
  ])('refuse %s in the same words', async (_, title, asked) => {
    const refusalOf = (bank: typeof here) =>
      asked(bank).then(
        () => undefined,
        (error: unknown) => {
          const { title, detail, hint } = error as ObkError;
          return { title, detail, hint };
        },
      );
    const byHttp = await refusalOf(elsewhere);
    expect(byHttp?.title).toContain(title);
    expect(await refusalOf(here)).toEqual(byHttp);
  });

  it.each([
    'sandbox people --json',
    'sandbox people redirect',
    'sandbox scenario --json',
    'sandbox scenario set bulk partial',
    'sandbox fault add createConsent status 503',
    'sandbox fault list',
    'sandbox fault clear',
    'sandbox clock +1d --json',
    'sandbox clock 2027-01-31T09:00:00Z',
    'sandbox clock reset',
    'sandbox client add PSDDE-BAFIN-1 --redirect-uri https://tpp.example/cb',
    'sandbox client list --json',
    'sandbox snapshot save one',
    'sandbox snapshot list --json',
    'sandbox snapshot restore one',
    'sandbox snapshot delete one',
    'sandbox log --json',
    'sandbox log --notifications --json',
    'sandbox seed --transactions 10 --as decoupled --json',
    'sandbox reset --yes',
  ])('answer %s alike', async (words) => {
    const byHttp = await said(elsewhere, words);
    expect(byHttp).toMatchObject({ code: 0 });
    // Passwords are new in each ledger.
    const alike = (text: string) =>
      text.replace(/"(\w*password|otp)":"[^"]*"/gi, '$1').replace(/^(Password|OTP) .*/gm, '$1');
    const own = await said(here, words);
    expect({ ...own, stdout: alike(own.stdout) }).toEqual({ ...byHttp, stdout: alike(byHttp.stdout) });
  });
});

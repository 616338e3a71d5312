// Every read of account data under every consent that does not allow it: whole commands of obk against the bank inside, the
// exit and the code of the bank typed from the guidelines (6.2, 14.11) and the table of exit codes.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestCa, createTestCertificate } from '../../src/signing/certificate.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import { part, ranTable } from '../helpers/trials.ts';
import { inTurns } from '../helpers/turns.ts';

const psuId = 'cards';
const day = 86_400_000;
type Ended = readonly [exit: number, status: number | undefined, code: string | undefined];
interface Ids {
  account: string;
  card: string;
  transaction: string;
}

/** Every read that there is, by its operation. */
const reads: Readonly<Record<string, (ids: Ids) => readonly string[]>> = {
  getAccountList: () => ['accounts', 'list'],
  readAccountDetails: ({ account }) => ['accounts', 'get', account],
  getBalances: ({ account }) => ['accounts', 'balances', account],
  getTransactionList: ({ account }) => ['transactions', 'list', '--account', account],
  getTransactionDetails: ({ account, transaction }) => [
    'transactions',
    'get',
    transaction,
    '--account',
    account,
  ],
  getCardAccount: () => ['cards', 'list'],
  ReadCardAccount: ({ card }) => ['cards', 'get', card],
  getCardAccountBalances: ({ card }) => ['cards', 'balances', card],
  getCardAccountTransactionList: ({ card }) => ['cards', 'transactions', '--account', card],
};
const lists = ['getAccountList', 'getCardAccount'];
const ofCards = ['ReadCardAccount', 'getCardAccountBalances', 'getCardAccountTransactionList'];
const ofAccounts = ['readAccountDetails', 'getBalances', 'getTransactionList', 'getTransactionDetails'];

/** Under a consent that shows one account and no more of it: what is allowed, and what is not of it at all. */
const insufficient =
  (allowed: string, foreign: readonly string[]) =>
  (operation: string): Ended | undefined => {
    if (lists.includes(operation)) return undefined;
    if (operation === allowed) return [0, undefined, undefined];
    return foreign.includes(operation) ? [5, 404, 'RESOURCE_UNKNOWN'] : [4, 401, 'CONSENT_INVALID'];
  };

let bank: TestBank;
let home: string;
const foreign: Record<string, string> = {};

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'obk-refused-'));
  const validity = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 300 * day) };
  const ca = await createTestCa(validity);
  const stateDir = join(home, 'bank');
  mkdirSync(join(stateDir, 'sandbox'), { recursive: true });
  writeFileSync(join(stateDir, 'sandbox', 'trusted.pem'), ca.certificatePem);
  bank = await startBank({ stateDir });
  bank.scenario({ rateLimit: 'off', surface: 'framework' });
  const second = await createTestCertificate({
    ...{ ...validity, ca, type: 'qsealc', roles: ['PSP_AI'], ncaName: 'ACPR', ncaId: 'FR-ACPR' },
    ...{ organizationIdentifier: 'PSDFR-ACPR-77777', organizationName: 'Another TPP' },
  });
  for (const [name, file, text] of [
    ['OBK_CERT', 'second.pem', second.certificatePem],
    ['OBK_KEY', 'second.key', second.keyPem.reveal()],
  ] as const) {
    foreign[name] = join(home, file);
    writeFileSync(foreign[name], text, { mode: 0o600 });
  }
});
afterAll(async () => {
  await bank.close();
  rmSync(home, { recursive: true, force: true });
});

describe.each([
  ['v1', 0],
  ['v136', 1],
] as const)('a refused read of account data as %s', (variant, own) => {
  const turn = inTurns(2, own);
  const operations = part(Object.keys(reads), 2, own);
  const consents: Record<string, string> = {};
  const ids: Record<string, Partial<Ids>> = {};

  const run = (args: readonly string[], state = 'state', env: Readonly<Record<string, string>> = {}) =>
    runInside([...args, '--json'], {
      cwd: home,
      env: {
        ...process.env,
        HOME: home,
        OBK_CONFIG_DIR: join(home, 'config'),
        OBK_STATE_DIR: join(home, variant, state),
        OBK_PROFILE: variant,
        PASSWORD: bank.person(psuId).password,
        OTP: bank.person(psuId).otp,
        ...env,
      },
    });
  const json = async <T>(...args: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(args);
    if (stdout === '') throw new Error(`obk ${args.join(' ')}: exit ${String(code)}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  /** What a command ended with, from a state of its own: what obk learns of a refusal stays out of the next read. */
  const ended = async (
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> => {
    cpSync(join(home, variant, 'state'), join(home, variant, 'copy'), { recursive: true });
    try {
      const ran = await run(args, 'copy', env);
      if (ran.code === 0) return [0, undefined, undefined];
      expect(ran.stdout).toBe('');
      const { error } = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '') as {
        error: { httpStatus: number | null; tppMessages: { code: string }[] };
      };
      return [ran.code ?? -1, error.httpStatus ?? undefined, error.tppMessages[0]?.code];
    } finally {
      rmSync(join(home, variant, 'copy'), { recursive: true });
    }
  };
  const everyRead = async (
    name: string,
    expected: (operation: string) => Ended | undefined,
    env: Readonly<Record<string, string>> = {},
  ) => {
    const under = ['--consent', consents[name] ?? ''];
    const results: Record<string, Ended> = {};
    const wanted: Record<string, Ended> = {};
    for (const operation of operations) {
      const want = expected(operation);
      if (want === undefined) continue;
      wanted[operation] = want;
      results[operation] = await ended([...argsOf(operation, name), ...under], env);
    }
    expect(results).toEqual(wanted);
  };
  const argsOf = (operation: string, name: string) =>
    reads[operation]?.({ ...ids['valid'], ...ids[name] } as Ids) ?? [];

  beforeAll(async () => {
    await json(
      ...[
        'profile',
        'create',
        variant,
        '--variant',
        variant,
        '--surface',
        'framework',
        '--environment',
        'sandbox',
      ],
      ...['--base-url', bank.baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath],
      ...['--psu-ip', '192.0.2.1', '--psu-id', psuId],
    );
    const create = async (name: string, ...flags: readonly string[]) => {
      const secrets = ['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP'];
      const made = await json<{ consentId: string; consentStatus: string }>(
        'consent',
        'create',
        ...flags,
        ...secrets,
      );
      consents[name] = made.consentId;
      if (name === 'received' || made.consentStatus === 'valid') return;
      await bank.bank.decide('approve', made.consentId, psuId);
      await json('consent', 'authorise', made.consentId, ...secrets);
    };
    const idsOf = async (name: string) => {
      const under = ['--consent', consents[name] ?? ''];
      type Listed = { resourceId: string }[];
      const [account] = await json<Listed>('accounts', 'list', ...under);
      const [card] = await json<Listed>('cards', 'list', ...under);
      const id = account?.resourceId ?? '';
      const rows = await run(['transactions', 'list', '--account', id, ...under]);
      const [row] = rows.stdout === '' ? [] : (JSON.parse(rows.stdout) as { transactionId: string }[]);
      ids[name] = {
        ...(account !== undefined && { account: id }),
        ...(card !== undefined && { card: card.resourceId }),
        ...(row !== undefined && { transaction: row.transactionId }),
      };
    };
    const { accounts, cards: owned } = bank.person(psuId);
    const iban = accounts[0]?.iban ?? '';
    const card = `masked-pan:${owned[0]?.maskedPan ?? ''}`;
    const today = bank.clock().slice(0, 10);
    await create('once', '--all-psd2');
    await create('expired', '--all-psd2', '--valid-until', today);
    await create('revoked', '--all-psd2');
    await create('deleted', '--all-psd2');
    await create('for accounts alone', '--accounts', iban);
    await create('for a card alone', '--accounts', card);
    await create('valid', '--all-psd2', '--recurring', '--frequency', '1');
    await create('received', '--all-psd2', '--authorise-later');
    for (const name of ['once', 'valid', 'for accounts alone', 'for a card alone']) await idsOf(name);
    await bank.bank.revoke(consents['revoked'] ?? '');
    await json('consent', 'delete', consents['deleted'] ?? '');
  }, 60_000);
  afterAll(() => {
    ranTable(`reads that are refused in ${variant}`);
  });

  turn('by a foreign certificate', async () => {
    await everyRead('valid', () => [4, 400, 'CONSENT_UNKNOWN'], foreign);
  });

  const refusals: readonly [string, (operation: string) => Ended | undefined][] = [
    ['received', () => [4, 401, 'CONSENT_INVALID']],
    ['revoked', () => [4, 401, 'CONSENT_INVALID']],
    ['deleted', () => [4, 401, 'CONSENT_INVALID']],
    // Their lists were read with them before.
    ['for accounts alone', insufficient('readAccountDetails', ofCards)],
    ['for a card alone', insufficient('ReadCardAccount', ofAccounts)],
  ];
  it.each(part(refusals, 2, own))('is explained under a consent that is %s', async (name, expected) => {
    await everyRead(name, expected);
  });

  it.each(part(['valid', 'once'], 2, own))(
    'is explained under a consent that is used up (%s)',
    async (name) => {
      for (const operation of operations) {
        const [exit] = await ended([...argsOf(operation, name), '--consent', consents[name] ?? '']);
        expect(name === 'once' ? [0, 4, 11] : [0, 11]).toContain(exit);
      }
      // One of one use is not sent again unless somebody insists.
      await everyRead(name, () => [11, 429, 'ACCESS_EXCEEDED'], { OBK_OVER_BUDGET: '1' });
    },
  );

  turn('after its last day', async () => {
    bank.clock('+2d');
    await everyRead('expired', () => [4, 401, 'CONSENT_EXPIRED']);
    bank.clock('reset');
  });

  turn('without one, before anything is sent', async () => {
    const before = bank.arrivals().length;
    for (const operation of operations) {
      const ran = await run(argsOf(operation, 'valid'), 'empty');
      expect({ operation, ...ran }).toMatchObject({ code: 4, stdout: '' });
      expect(ran.stderr).toContain('"code":"CONSENT_NEEDED"');
    }
    expect(bank.arrivals()).toHaveLength(before);
  });

  turn('by the bank, where the header is missing', async () => {
    for (const operation of operations) {
      const path = ['-f', `account-id=x`, '-f', 'transactionId=y'].slice(
        0,
        lists.includes(operation) ? 0 : 4,
      );
      expect([operation, await ended(['api', operation, ...path])]).toEqual([
        operation,
        [5, 400, 'FORMAT_ERROR'],
      ]);
    }
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBank } from '../../../../helpers/bank.ts';
import type { TestBank } from '../../../../helpers/bank.ts';
import { runInside } from '../../../../helpers/inside.ts';
import type { Ran } from '../../../../helpers/obk.ts';
import { stateEnvironment, testDatabase } from '../../../../helpers/postgres.ts';

/** The words behind the name of a command, or how they come to be; none of them has a space in it. */
export type Words = string | ((walk: Walk) => string | Promise<string>);

/** One line of a command and how it ends. */
export interface Line {
  words: Words;
  /** 0 if not given. */
  exit?: number;
  env?: NodeJS.ProcessEnv;
  /** It serves until it is stopped. */
  serves?: true;
  /** It is run where a bank with the tenant `team-a` is. */
  tenants?: true;
  /** It is run where a state in PostgreSQL is, or left out where there is none. */
  postgres?: true;
  /** The code of the error that stands beside a result that was not wanted. */
  code?: string;
}

/** A line that fails: nothing on stdout, one error of this code on stderr. */
export interface Failure extends Line {
  exit: number;
  code: string;
}

/** How a command is walked; every list has at least one line. */
export interface Case {
  runs: readonly Line[];
  fails: readonly Failure[];
  /** What its first lines do, its last ones take back: none is left out. */
  together?: true;
}

/** By the words of the command. */
export type Cases = Readonly<Record<string, Case>>;

/** A machine with a bank, on which every command runs. */
export interface Walk {
  bank: TestBank;
  folder: string;
  env: NodeJS.ProcessEnv;
  run(
    args: readonly string[],
    more?: Pick<Line, 'env' | 'serves' | 'tenants' | 'postgres'> & { signal?: AbortSignal; columns?: number },
  ): Promise<Ran>;
  /** As `run` with --json; throws unless it ends with 0. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents of every shape
  json(args: readonly string[] | string): Promise<any>;
  /** The bank with the tenant `team-a`, in a home of its own. */
  withTenants(): Promise<TestBank>;
  /** Writes it into the folder of all runs, and gives its path. */
  file(name: string, text: string | Uint8Array): string;
  /** A new payment, and its id. */
  payment(psuId?: string, more?: string): Promise<string>;
  /** A new consent that waits for its PSU, and its id. */
  consent(psuId?: string): Promise<string>;
  close(): Promise<void>;
}

export const order =
  '--product sepa-credit-transfers --creditor-account DE89370400440532013000 --creditor-name Shop --amount 1.00';

/** What answers every question of the PSU `embedded-choice`. */
export const answers = '--sca-method sms --psu-password-from env:PASSWORD --otp-from env:OTP';

/** Does it first, then these words. */
export const after =
  (first: (walk: Walk) => Promise<unknown>, words: string) =>
  async (walk: Walk): Promise<string> => {
    await first(walk);
    return words;
  };

export const split = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** A bank of its own, with the whole framework and without a limit of calls, and a machine on which nothing was done yet. */
export async function startWalk(): Promise<Walk> {
  const bank = await startBank();
  bank.scenario({ surface: 'framework', rateLimit: 'off' });
  const folder = mkdtempSync(join(tmpdir(), 'obk-walk-'));
  const payer = bank.person('embedded-choice');
  const env = {
    ...process.env,
    OBK_STATE_DIR: bank.stateDir,
    OBK_CONFIG_DIR: join(folder, 'config'),
    OBK_PROFILE: 'sandbox',
    PASSWORD: payer.password,
    OTP: payer.otp,
  };
  const database = testDatabase();
  let started: Promise<TestBank> | undefined;
  const withTenants = () => (started ??= startTenants());
  const run: Walk['run'] = async (args, { env: more, serves, tenants, postgres, signal, columns } = {}) => {
    const its = tenants && { OBK_STATE_DIR: (await withTenants()).stateDir };
    const shared = postgres && stateEnvironment((await database.adminUrl()).reveal());
    const stop = new AbortController();
    const onOutput = () => {
      if (serves === true) stop.abort();
    };
    return runInside(args, {
      cwd: folder,
      env: { ...env, ...its, ...shared, ...more },
      signal: signal ?? stop.signal,
      onOutput,
      ...(columns !== undefined && { columns }),
    });
  };
  const json = async (args: readonly string[] | string, exits: readonly (number | null)[] = [0]) => {
    const words = typeof args === 'string' ? split(args) : args;
    const ran = await run([...words, '--json']);
    if (!exits.includes(ran.code))
      throw new Error(`obk ${words.join(' ')}: exit ${String(ran.code)}\n${ran.stderr}`);
    return JSON.parse(ran.stdout) as unknown;
  };
  return {
    bank,
    folder,
    env,
    run,
    json,
    withTenants,
    file: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    },
    payment: async (psuId = 'redirect', more = '') =>
      // With a password only it is made, and not authorised yet.
      (
        (await json(`payment init ${order} --allow-duplicate --psu-id ${psuId} ${more}`, [0, 8])) as {
          paymentId: string;
        }
      ).paymentId,
    consent: async (psuId = 'redirect') => {
      const iban = bank.person(psuId).accounts[0]?.iban ?? '';
      return ((await json(`consent create --iban ${iban} --psu-id ${psuId}`)) as { consentId: string })
        .consentId;
    },
    async close() {
      await bank.close();
      await (await started)?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startTenants(): Promise<TestBank> {
  const bank = await startBank({ doors: { tenants: 'header:X-Tenant' } });
  await bank.bank.tenant('create', 'team-a');
  return bank;
}

import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { giveKeys } from './bank-keys.ts';
import { openLedgerFile } from './ledger-file.ts';

/** The bank inside as a process of its own, in a home of its own, looked into through its ledger's file. */
export interface RunningBank {
  baseUrl: string;
  /** PEM files of the TPP that the bank knows. */
  certificatePath: string;
  keyPath: string;
  env: NodeJS.ProcessEnv;
  /** How obk is run: the program and its first arguments. */
  command: readonly [string, ...string[]];
  /** Somebody with a choice of SCA methods. */
  payer(): Payer;
  /** Gives a PSU a password and an OTP of the test's choice. */
  setSecrets(psuId: string, secrets: { password: string; otp: string }): void;
  /** How many payments of this amount the bank has. */
  paymentsOf(amount: string): number;
  /** The ids of those payments, oldest first. */
  paymentIdsOf(amount: string): string[];
  /** How many requests of an operation reached the bank. */
  arrivals(operation: string): number;
  /** Empties the window of the rate limit (and the list of arrivals). */
  forgetCalls(): void;
  /** Runs obk to its end in this home; throws unless it ends with 0. */
  obk(...args: string[]): string;
  close(): Promise<void>;
}

/** A PSU whose approach is Embedded with a choice of methods, with what it takes to authorise. */
export interface Payer {
  psuId: string;
  iban: string;
  password: string;
  otp: string;
}

/** Starts the built obk's own bank on a free port. */
export async function startStandaloneBank(): Promise<RunningBank> {
  const home = mkdtempSync(join(tmpdir(), 'obk-bank-'));
  const bin = resolve(import.meta.dirname, '../../bin/obk.js');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
    CI: 'true',
  };
  await giveKeys(join(home, 'state', 'obk'), new Date());
  const command = [process.execPath, bin] as const;
  const child = spawn(command[0], [bin, 'sandbox', 'start', '--port', '0', '--json'], { env });
  const address = await firstLine(child);
  const obk = (...args: string[]): string => {
    const done = spawnSync(process.execPath, [bin, ...args], { env, encoding: 'utf8' });
    if (done.status !== 0)
      throw new Error(`obk ${args.join(' ')}: exit ${String(done.status)}\n${done.stderr}`);
    return done.stdout;
  };
  const ledger = openLedgerFile(join(home, 'state', 'obk', 'sandbox', 'ledger.db'));
  const read = <Row>(sql: string, ...values: string[]) => ledger.prepare(sql).all(values) as Row[];
  const count = (sql: string, value: string): number => Number(read<{ count: bigint }>(sql, value)[0]?.count);
  return {
    ...address,
    env,
    command,
    obk,
    payer() {
      const sql = `SELECT people.psuId, password, otp, iban FROM people JOIN accounts ON accounts.psuId = people.psuId
        WHERE people.psuId = 'embedded-choice' ORDER BY accounts.position LIMIT 1`;
      const [payer] = read<Payer>(sql);
      if (payer === undefined) throw new Error('nobody has a choice of SCA methods');
      return payer;
    },
    setSecrets: (psuId, { password, otp }) => {
      ledger.prepare('UPDATE people SET password = ?, otp = ? WHERE psuId = ?').run([password, otp, psuId]);
    },
    paymentsOf: (amount) =>
      count(
        'SELECT count(*) AS count FROM payments WHERE CAST(body AS TEXT) LIKE ?',
        `%"amount":"${amount}"%`,
      ),
    paymentIdsOf: (amount) =>
      read<{ paymentId: string }>(
        'SELECT paymentId FROM payments WHERE CAST(body AS TEXT) LIKE ? ORDER BY createdAt, paymentId',
        `%"amount":"${amount}"%`,
      ).map(({ paymentId }) => paymentId),
    arrivals: (operation) => count('SELECT count(*) AS count FROM arrivals WHERE operation = ?', operation),
    forgetCalls: () => {
      ledger.exec('DELETE FROM arrivals');
    },
    async close() {
      ledger.close();
      const ended = new Promise((done) => child.once('close', done));
      child.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

type Address = Pick<RunningBank, 'baseUrl' | 'certificatePath' | 'keyPath'>;

function firstLine(child: ChildProcess): Promise<Address> {
  return new Promise((done, failed) => {
    let text = '';
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end >= 0) done(JSON.parse(text.slice(0, end)) as Address);
    });
    child.once('close', (code) => {
      failed(new Error(`the bank ended with ${String(code)}: ${errors}`));
    });
  });
}

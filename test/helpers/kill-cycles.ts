// Kills `obk payment init` at random moments and looks at what the bank has afterwards: never two payments for one intent.
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { runInside } from './inside.ts';
import { nullIntents, nullJournal } from './null-journal.ts';
import type { RunningBank } from './standalone-bank.ts';

/** What a cycle found. */
export interface Cycle {
  key: string;
  amount: string;
  killedAfterMs: number;
  /** Payments of this intent at the bank after the kill, and after the rerun. */
  before: number;
  after: number;
  /** The exit code of the rerun. */
  exit: number | null;
  /** Whether the rerun's 12 stands in `obk pending`. */
  listed: boolean;
}

/** The result over all cycles; a violation is told in words. */
export interface Cycles {
  cycles: Cycle[];
  violations: string[];
}

/** A small seeded generator (mulberry32): the same seed kills at the same moments. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What a bank does with an X-Request-ID that it has seen. */
const behaviours = ['none', 'replay', 'reject-duplicate'] as const;

/**
 * Runs the cycles one after the other against a standalone bank, a third of them in each of its behaviours; what follows a
 * kill runs within this process. `forgetful`: that rerun knows nothing of what the killed run has written.
 */
export async function killCycles(
  bank: RunningBank,
  options: { cycles: number; seed: number; forgetful?: boolean },
): Promise<Cycles> {
  const random = seeded(options.seed);
  const payer = bank.payer();
  const argsOf = (key: string, amount: string): string[] => [
    'payment',
    'init',
    '--product',
    'sepa-credit-transfers',
    '--profile',
    'sandbox',
    '--no-input',
    '--json',
    '--psu-id',
    payer.psuId,
    '--psu-password-from',
    'env:KILL_PASSWORD',
    '--sca-method',
    'sms',
    '--otp-from',
    'env:KILL_OTP',
    '--creditor-name',
    'Shop',
    '--creditor-account',
    'DE89370400440532013000',
    '--amount',
    amount,
    '--intent-key',
    key,
  ];
  const env = { ...bank.env, KILL_PASSWORD: payer.password, KILL_OTP: payer.otp };
  const ports = options.forgetful === true ? { journal: nullJournal, intents: nullIntents } : {};
  const inside = (args: readonly string[]) => runInside(args, { env, cwd: process.cwd(), input: '', ports });
  const whole = await obkRun(bank, argsOf('calibration', '0.99'), env);
  if (whole.exit !== 0) throw new Error(`the payment does not even work unkilled: ${whole.stderr}`);

  const cycles: Cycle[] = [];
  let standing = '';
  for (let index = 0; index < options.cycles; index += 1) {
    bank.forgetCalls();
    const behaviour = behaviours[Math.floor((index * behaviours.length) / options.cycles)] ?? 'none';
    if (behaviour !== standing) bank.obk('sandbox', 'scenario', 'set', 'requestId', behaviour);
    standing = behaviour;
    const key = `kill-${String(index)}`;
    const amount = `${String(1 + Math.floor(index / 100))}.${String(index % 100).padStart(2, '0')}`;
    const killedAfterMs = random() * whole.tookMs * 1.05;
    await obkRun(bank, argsOf(key, amount), env, killedAfterMs);
    const before = bank.paymentsOf(amount);
    const pending = await inside(['pending', 'list', '--profile', 'sandbox', '--json']);
    if (pending.code !== 0)
      throw new Error(`obk pending list: exit ${String(pending.code)}\n${pending.stderr}`);
    const rerun = await inside(argsOf(key, amount));
    const listed = (JSON.parse(pending.stdout) as { amount?: string }[]).some((row) => row.amount === amount);
    cycles.push({
      key,
      amount,
      killedAfterMs,
      before,
      after: bank.paymentsOf(amount),
      exit: rerun.code,
      listed,
    });
  }
  return { cycles, violations: cycles.flatMap(violationsOf) };
}

/** What is wrong with a cycle, in words. */
export function violationsOf(cycle: Cycle): string[] {
  const where = `${cycle.key} (killed after ${cycle.killedAfterMs.toFixed(0)} ms, rerun exit ${String(cycle.exit)})`;
  const found: string[] = [];
  if (cycle.after > 1) found.push(`${where}: ${String(cycle.after)} payments`);
  if (cycle.exit === 0 && cycle.after !== 1)
    found.push(`${where}: says done, the bank has ${String(cycle.after)}`);
  if (cycle.exit === 12 && !cycle.listed) found.push(`${where}: unknown, but not in obk pending`);
  // 8 is a payment that is made, and whose authorisation was cut off between an entry and what it led to.
  if (cycle.exit === 8 && cycle.after !== 1)
    found.push(`${where}: says made, the bank has ${String(cycle.after)}`);
  if (![0, 8, 12].includes(cycle.exit ?? -1)) found.push(`${where}: neither done, made nor unknown`);
  return found;
}

/** Runs obk with stdin closed; with `killAfterMs` it is killed (-9) at that moment unless it has ended. */
export function obkRun(
  bank: Pick<RunningBank, 'command'>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  killAfterMs?: number,
): Promise<{ exit: number | null; stdout: string; stderr: string; tookMs: number }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const [file, ...first] = bank.command;
    const child = spawn(file, [...first, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const killer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(killer);
      resolve({ exit, stdout, stderr, tookMs: performance.now() - started });
    });
  });
}

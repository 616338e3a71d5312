import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { presets } from '../../src/standard/xs2a/variants.ts';
import { startBank } from './bank.ts';
import type { TestBank } from './bank.ts';
import { checkExchange, hasOfficialFiles } from './contract.ts';
import type { Exchange } from './contract.ts';
import { headerMap } from './contract-judge.ts';
import { runInside } from './inside.ts';
import { shop } from './obk.ts';
import { startRecorder } from './recorder.ts';

/** What a command ended with: its exit code, and the document on its stdout (`{}` where there is none). */
export interface Ended {
  code: number | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents of every shape
  document: any;
  stderr: string;
}

/** obk in this process as the TPP of a bank, with every exchange between the two on record. */
export interface Tpp {
  bank: TestBank;
  /** The environment of every run; a test may change it. */
  env: NodeJS.ProcessEnv;
  /** Runs a command with --json; the password and the OTP of `psuId`, where one is given, are at hand. */
  run: (args: readonly string[], psuId?: string, input?: string) => Promise<Ended>;
  /** As `run`, for the text that a person reads. */
  text: (args: readonly string[]) => Promise<string>;
  /** Starts a payment from the account of this PSU, and goes on with it as far as references lead. */
  pay: (psuId: string, ...more: readonly string[]) => Promise<Ended>;
  /** A payment that is authorised, and waits for its day. */
  accepted: (psuId: string) => Promise<string>;
  /** Writes a file into the working directory of every run. */
  file: (name: string, text: string) => void;
  /** The exchanges since the last time, each held against the official files where these are there. */
  take: () => Exchange[];
  /** What the official files have against the exchanges that were taken. */
  findings: () => string[];
  close: () => Promise<void>;
}

/** Starts a bank (with what is in `stateDir`), a recorder before it, and a home of obk whose only profile leads there. */
export async function startTpp(
  variant: keyof typeof presets,
  settings: readonly string[] = [],
  stateDir?: string,
): Promise<Tpp> {
  const bank = await startBank(stateDir === undefined ? {} : { stateDir });
  const recorder = await startRecorder(bank.baseUrl);
  const home = mkdtempSync(join(tmpdir(), 'obk-tpp-'));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    OBK_CONFIG_DIR: join(home, 'config'),
    OBK_STATE_DIR: join(home, 'state'),
    OBK_PROFILE: 'tpp',
    OBK_DEBTOR_NAME: 'Payer',
  };
  const all = new Set<string>();
  const inside = (args: readonly string[], more: NodeJS.ProcessEnv = {}, input?: string) =>
    runInside(args, { env: { ...env, ...more }, cwd: home, ...(input !== undefined && { input }) });
  const run: Tpp['run'] = async (args, psuId, input) => {
    const { password = '', otp = '' } = psuId === undefined ? {} : bank.person(psuId);
    const typed = psuId === undefined ? args : [...args, '--psu-id', psuId, ...references];
    const { code, stdout, stderr } = await inside(
      [...typed, '--json'],
      { PASSWORD: password, OTP: otp },
      input,
    );
    return { code, document: stdout === '' ? {} : JSON.parse(stdout), stderr };
  };
  const pay: Tpp['pay'] = (psuId, ...more) => {
    const iban = bank.person(psuId).accounts[0]?.iban ?? '';
    const what =
      more.includes('--from-csv') || more.includes('--creditor-name') ? [] : [...shop, '--amount', '1.00'];
    return run(['payment', 'init', ...what, '--debtor', iban, '--allow-duplicate', ...more], psuId);
  };
  const take = () => {
    const taken = recorder.take();
    if (!hasOfficialFiles()) return taken;
    for (const made of taken) {
      for (const { part, pointer, rule, text } of checkExchange(presets[variant], made))
        all.add(`${made.method} ${made.path} ${String(made.status)}: ${part} ${pointer} ${rule}: ${text}`);
    }
    return taken;
  };
  await run([
    ...['profile', 'create', 'tpp', '--variant', variant, '--environment', 'sandbox'],
    ...['--base-url', recorder.baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath],
    ...['--psu-ip', '192.0.2.1', ...settings],
  ]);
  return {
    bank,
    env,
    run,
    pay,
    take,
    text: async (args) => (await inside(args)).stdout,
    file: (name, text) => {
      writeFileSync(join(home, name), text);
    },
    async accepted(psuId) {
      const { document } = await pay(psuId);
      if (document.transactionStatus !== 'RCVD') return document.paymentId as string;
      bank.decide('approve', document.paymentId as string, psuId);
      await run(['payment', 'authorise', document.paymentId as string], psuId);
      return document.paymentId as string;
    },
    findings: () => {
      take();
      return [...all];
    },
    async close() {
      await recorder.close();
      await bank.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const references = ['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP'];

/** The value of a header that was sent. */
export function sent(exchange: Exchange | undefined, name: string): string | undefined {
  return exchange && headerMap(exchange.requestHeaders).get(name.toLowerCase());
}

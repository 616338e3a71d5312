import type { presets } from '../../../src/standard/xs2a/variants.ts';
import type { Exchange } from '../../helpers/contract.ts';
import { startBank } from '../../helpers/bank.ts';
import type { TestBank } from '../../helpers/bank.ts';
import { insideOf } from '../../helpers/inside.ts';
import { createObk, shop } from '../../helpers/obk.ts';
import type { Obk, Ran } from '../../helpers/obk.ts';
import { startRecorder } from '../../helpers/recorder.ts';
import type { Way } from './ways.ts';

/** What a run of obk ended with: its exit code and the document on its stdout (`{}` where there is none). */
export interface Ended {
  code: number | null;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- documents of every shape
  document: any;
  stderr: string;
}

/** Runs obk with `--json` to its end. */
type Run = (args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<Ended>;

/** obk as a TPP of a bank, with every exchange between the two on record. */
export interface Traveller {
  bank: TestBank;
  obk: Obk;
  /** As the traveller was started: by the built obk, or within this process. */
  run: Run;
  /** By the built obk. */
  alone: Run;
  /** Within this process, for what only leads up to a journey. */
  prepare: Run;
  /** The flags and variables with which a script answers for this PSU; `wrong` spoils the last secret. */
  as: (way: Way, wrong?: boolean) => { flags: string[]; env: NodeJS.ProcessEnv };
  /** `payment init` of this PSU's account. */
  pay: (way: Way) => string[];
  /** The bank's own view of a payment: its status and how often it was booked. */
  booked: (paymentId: string) => { status: string; bookings: number };
  take: () => Exchange[];
  /** The bank's clock moves on, and with it the window of its rate limit. */
  nextMinute: () => void;
  close: () => Promise<void>;
}

/**
 * Starts a bank and a home of obk. The variants differ in data and not in what a process adds, so one of them travels by the
 * built obk and the other within the process of the test.
 */
export async function startTraveller(
  variant: keyof typeof presets,
  by: 'built' | 'inside' = 'built',
): Promise<Traveller> {
  let ahead = 0;
  const bank = await startBank({ clock: { now: () => new Date(Date.now() + ahead) } });
  const recorder = await startRecorder(bank.baseUrl);
  const obk = createObk({ CI: 'true', OBK_PROFILE: 'traveller' });
  await obk.json([
    ...['profile', 'create', 'traveller', '--variant', variant, '--environment', 'sandbox'],
    ...['--base-url', recorder.baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath],
    ...['--psu-ip', '192.0.2.1'],
  ]);
  const inside = insideOf(obk);
  const ended = ({ code, stdout, stderr }: Ran): Ended => ({
    code,
    document: stdout === '' ? {} : JSON.parse(stdout),
    stderr,
  });
  const alone: Run = async (args, env = {}) => ended(await obk.run([...args, '--json'], { env }));
  const prepare: Run = async (args, env = {}) => ended(await inside.run([...args, '--json'], { env }));
  return {
    bank,
    obk,
    run: by === 'built' ? alone : prepare,
    alone,
    prepare,
    as({ psuId, method, approach }, wrong = false) {
      const { password, otp, methods } = bank.person(psuId);
      const spoilt = (secret: string) => (wrong ? '0'.repeat(secret.length) : secret);
      const onlyPassword = methods.length === 0;
      return {
        flags: [
          ...['--psu-id', psuId],
          ...(approach === 'embedded'
            ? ['--psu-password-from', 'env:PASSWORD', '--otp-from', 'env:OTP']
            : []),
          ...(method === undefined ? [] : ['--sca-method', method]),
        ],
        env: { PASSWORD: onlyPassword ? spoilt(password) : password, OTP: spoilt(otp) },
      };
    },
    pay: ({ psuId }) => [
      ...['payment', 'init', ...shop, '--debtor', bank.person(psuId).accounts[0]?.iban ?? ''],
      ...['--amount', '1.00', '--allow-duplicate'],
    ],
    booked(paymentId) {
      const { status, bookings } = bank.payments().find((one) => one.paymentId === paymentId) ?? {};
      return { status: status ?? 'unknown', bookings: bookings ?? 0 };
    },
    take: () => recorder.take(),
    nextMinute: () => {
      ahead += 61_000;
    },
    async close() {
      await recorder.close();
      await bank.close();
      obk.close();
    },
  };
}

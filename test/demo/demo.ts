// Shows the main job as a newcomer would type it: a signed SEPA payment, authorised with a choice of SCA methods, at the
// bank inside. Everything happens in a temporary home that is removed at the end.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const obk = resolve(import.meta.dirname, '../../bin/obk.js');
const home = mkdtempSync(join(tmpdir(), 'obk-demo-'));
const path = join(home, 'path');
mkdirSync(path);
// `obk` must be found by its name, in the shell of this demo and by `cmd:obk ...`.
if (process.platform === 'win32') writeFileSync(join(path, 'obk.cmd'), `@node "${obk}" %*\r\n`);
else symlinkSync(obk, join(path, 'obk'));

const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [path, process.env['PATH']].join(delimiter),
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CACHE_HOME: join(home, 'cache'),
};
for (const name of Object.keys(env)) if (name.startsWith('OBK_')) Reflect.deleteProperty(env, name);

/** Runs a command line of a POSIX shell before the eyes of the visitor, in their terminal if there is one. */
function show(line: string): void {
  process.stdout.write(`\n$ ${line}\n`);
  const { status } = spawnSync('sh', ['-c', line], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  mustBeDone(line, status);
}

/** What a command prints that the demo alone looks at. */
function read(line: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  mustBeDone(line, status, stderr);
  return stdout;
}

function mustBeDone(line: string, status: number | null, stderr = ''): void {
  if (status !== 0) throw new Error(`${stderr}this ended with exit code ${String(status)}: ${line}`);
}

function say(text: string): void {
  process.stdout.write(`\n# ${text}\n`);
}

/** Cents of an amount such as 1234.50. */
function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

interface DemoPerson {
  psuId: string;
  approach: string;
  methods: unknown[];
  accounts: { iban: string; balance: string }[];
}

function payer(): { psuId: string; iban: string; balance: string } {
  const people = JSON.parse(read('obk sandbox people --profile sandbox --json')) as DemoPerson[];
  const person = people.find((one) => one.psuId === 'embedded-choice');
  const account = person?.accounts[0];
  if (person === undefined || account === undefined)
    throw new Error('the bank inside has nobody with a choice of methods');
  return { psuId: person.psuId, ...account };
}

try {
  say(
    'obk carries its own bank. These people live there; each shows another way of strong customer authentication:',
  );
  show('obk sandbox people');
  const before = payer();
  say(
    `${before.psuId} pays 12.50 EUR. The bank asks for the password, offers a choice of methods, and asks for the code:`,
  );
  show(
    [
      'obk payment init --product sepa-credit-transfers --profile sandbox',
      `--psu-id ${before.psuId}`,
      '--creditor-name Shop --creditor-account DE89370400440532013000 --amount 12.50 --remittance "Order 4711"',
      `--psu-password-from "cmd:obk sandbox people ${before.psuId} --field password"`,
      `--sca-method sms --otp-from "cmd:obk sandbox people ${before.psuId} --field otp"`,
    ].join(' \\\n    '),
  );
  say('Any later process finds the payment again:');
  show('obk payment status @last --profile sandbox');
  show('obk payment get @last --profile sandbox --json');
  const status = read('obk payment status @last --profile sandbox --fields transactionStatus');
  const after = payer();
  say(`Every call is in the journal, secrets cut out:`);
  show('obk log list --profile sandbox');
  const moved = cents(before.balance) - cents(after.balance);
  if (!status.includes('ACSC')) throw new Error(`the payment is not booked: ${status}`);
  if (moved !== 1250n) throw new Error(`the balance moved by ${String(moved)} cents, not by 1250`);
  say(`Booked (ACSC). Balance of ${before.iban}: ${before.balance} before, ${after.balance} after.`);
} finally {
  // The bank that a run has started lives a few seconds longer, and keeps its compiled code meanwhile.
  rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

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

interface Shown {
  stdout: string;
}

/** Runs a command line of a POSIX shell as it is shown; `quiet` ones are looked at by the demo alone. */
function run(line: string, quiet = false): Shown {
  if (!quiet) process.stdout.write(`\n$ ${line}\n`);
  const done = spawnSync('sh', ['-c', line], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', quiet ? 'pipe' : 'inherit'],
  });
  if (!quiet) process.stdout.write(done.stdout);
  if (done.status !== 0) throw new Error(`this ended with exit code ${String(done.status)}: ${line}`);
  return { stdout: done.stdout };
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
  const people = JSON.parse(run('obk sandbox people --profile sandbox --json', true).stdout) as DemoPerson[];
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
  run('obk sandbox people');
  const before = payer();
  say(
    `${before.psuId} pays 12.50 EUR. The bank asks for the password, offers a choice of methods, and asks for the code:`,
  );
  run(
    [
      'obk payment init --product sepa-credit-transfers --profile sandbox',
      `--psu-id ${before.psuId}`,
      '--creditor-name Shop --creditor-account DE89370400440532013000 --amount 12.50 --remittance "Order 4711"',
      `--psu-password-from "cmd:obk sandbox people ${before.psuId} --field password"`,
      `--sca-method sms --otp-from "cmd:obk sandbox people ${before.psuId} --field otp"`,
    ].join(' \\\n    '),
  );
  say('Any later process finds the payment again:');
  run('obk payment status @last --profile sandbox');
  run('obk payment get @last --profile sandbox --json');
  const { stdout } = run('obk payment status @last --profile sandbox --fields transactionStatus', true);
  const after = payer();
  say(`Every call is in the journal, secrets cut out:`);
  run('obk log list --profile sandbox');
  const moved = cents(before.balance) - cents(after.balance);
  if (!stdout.includes('ACSC')) throw new Error(`the payment is not booked: ${stdout}`);
  if (moved !== 1250n) throw new Error(`the balance moved by ${String(moved)} cents, not by 1250`);
  say(`Booked (ACSC). Balance of ${before.iban}: ${before.balance} before, ${after.balance} after.`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

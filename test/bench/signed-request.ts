import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareRequests } from './bare-request.ts';
import { absent, isThere } from './beside-jq.ts';
import { pairedRatio } from './measure.ts';
import { atBank } from './machine.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';
import { shellRequests } from './shell-request.ts';

const pairs = 15;

/** P5: one signed read at the standalone bank, beside Node doing nothing and beside bash with curl and openssl. */
export async function signedRequest(machine: Machine): Promise<Figure[]> {
  const { bank } = machine;
  atBank(bank, 'bench');
  const created = JSON.parse(
    bank.obk(...paymentArgs, '--profile', 'bench', '--debtor', bank.payer().iban, '--json'),
  ) as { paymentId: string };
  const status = ['payment', 'status', created.paymentId, '--profile', 'bench', '--json'];
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  const script = join(folder, 'signed-status.sh');
  const url = `${bank.baseUrl}/v1/payments/sepa-credit-transfers/${created.paymentId}/status`;
  writeFileSync(script, `${shellRequests(bank)}call GET '${url}' ''\n`);
  const bareScript = join(folder, 'signed-status.cjs');
  const printed = "process.stdout.write(JSON.stringify(answer) + '\\n', () => process.exit())";
  writeFileSync(bareScript, `${bareRequests(bank)}call('GET', '${url}').then((answer) => ${printed});\n`);
  const nothing = machine.node(['-e', '0']);
  const bash = { argv: ['bash', script], env: machine.env } as const;
  const obk = await pairedRatio(machine.obk(status), nothing, pairs);
  const floor = await pairedRatio(machine.node([bareScript]), nothing, pairs);
  const alone: Figure[] = [
    {
      id: 'P5',
      what: 'obk payment status (signed, http) / node -e 0',
      ratio: obk.ratio,
      goal: 3.3,
    },
    {
      id: 'P5',
      what: 'the same call by bare node:http and node:crypto / node -e 0',
      ratio: floor.ratio,
      goal: Number.NaN,
      note: 'no tool in Node can come below this',
    },
  ];
  const lacking = ['curl', 'openssl'].find((program) => !isThere(program));
  if (lacking !== undefined) {
    rmSync(folder, { recursive: true, force: true });
    return [...alone, absent('P5', lacking)];
  }
  const beside = await pairedRatio(machine.obk(status), bash, pairs);
  const shell = await pairedRatio(bash, nothing, pairs);
  rmSync(folder, { recursive: true, force: true });
  return [
    ...alone,
    {
      id: 'P5',
      what: 'obk payment status / the same call by bash, curl, openssl',
      ratio: beside.ratio,
      goal: 1,
    },
    { id: 'P5', what: 'bash, curl, openssl / node -e 0', ratio: shell.ratio, goal: Number.NaN },
  ];
}

/** A payment that waits for its PSU: what the benches read and write. */
export const paymentArgs = [
  'payment',
  'init',
  '--product',
  'sepa-credit-transfers',
  '--no-input',
  '--creditor-account',
  'DE89370400440532013000',
  '--creditor-name',
  'Shop',
  '--amount',
  '1.00',
] as const;

import { afterAll, beforeAll, expect, it } from 'vitest';
import { wire } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import type { Ran } from '../../helpers/obk.ts';
import { pay, payerAt, secrets } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank } from '../plain-bank.ts';
import { noIds, surprises } from '../surprises.ts';

const writes = [
  ...['POST payments', 'POST authorisations', 'PUT authorisation'],
  ...['DELETE payment', 'POST consents', 'DELETE consent'],
];
const histories = writes.flatMap((what) => Object.keys(surprises).map((name) => ({ what, name })));

const row = trials('surprises', 42);
const chosen = histories.filter((_, at) => (at * row.count) % histories.length < row.count);

const payment = '/v1/payments/sepa-credit-transfers/p-1';
const consent = ['consent', 'create', '--iban', 'DE89370400440532013000', ...secrets, '--no-input', '--json'];
/** The cancellation has begun, and needs an authorisation. */
const begun = wire(
  '202 Accepted',
  JSON.stringify({
    transactionStatus: 'ACTC',
    _links: { startAuthorisationWithPsuAuthentication: { href: `${payment}/cancellation-authorisations` } },
  }),
  ['Content-Type: application/json'],
);

let bank: PlainBank;
beforeAll(async () => {
  bank = await startPlainBank();
});
afterAll(async () => {
  row.report(
    'one payment, one entry of each secret, no success that is none, always a way out',
    chosen.length,
  );
  await bank.close();
});

it.each(chosen)(
  'a surprising answer is survived: $what is answered with: $name',
  { timeout: row.timeout(30_000) },
  async ({ what, name }) => {
    const how = surprises[name]!;
    bank.afresh();
    const payer = await payerAt(bank.baseUrl);
    const runs: Ran[] = [];
    const run = async (...args: string[]) => {
      const ran = await payer.run(...args);
      runs.push(ran);
      return ran;
    };
    try {
      if (what === 'DELETE payment') {
        await run(...pay('7.00', '--authorise-later'));
        bank.surprise(what, (socket, _usual, asked) => {
          bank.now.transactionStatus = 'ACCP';
          how(socket, begun, asked);
        });
        const waits = ['--wait', '--timeout', '200ms'];
        const { code, stdout } = await run('payment', 'cancel', 'p-1', ...waits, '--no-input', '--json');
        // In another case than CANC nothing says so.
        if (name !== 'CANC') expect(code, stdout).not.toBe(0);
      } else if (what.endsWith('consent')) {
        await run(...consent);
        bank.surprise(what, how);
        await run('consent', 'delete', 'c-1', '--no-input', '--json');
      } else if (what === 'POST consents') {
        bank.surprise(what, how);
        const { code, stderr } = await run(...consent);
        if (noIds.has(name)) expect(code, stderr).toBe(12);
      } else {
        bank.surprise(what, how);
        const { code, stdout, stderr } = await run(...pay('7.00', ...secrets, '--intent-key', 'k'));
        if (noIds.has(name) && what === 'POST payments') expect(code, stderr).toBe(12);
        const { url, urlRefused } =
          (code === 0
            ? (JSON.parse(stdout) as { sca: { url: string | null; urlRefused: string | null } }).sca
            : undefined) ?? {};
        if (typeof url === 'string') expect(urlRefused, url).toBeTruthy();
        await run(...pay('7.00', ...secrets, '--intent-key', 'k'));
      }
      for (const list of ['payment list', 'consent list', 'pending list']) await run(...list.split(' '));
    } finally {
      payer.close();
    }
    expect(bank.count('POST payments')).toBeLessThanOrEqual(1);
    expect(bank.count('PUT authorisation')).toBeLessThanOrEqual(1);
    for (const { method, path } of bank.asked)
      if (method !== 'GET') expect(path).not.toMatch(/other|c-9|evil/);
    for (const { code, stdout, stderr } of runs) {
      expect([0, 3, 4, 5, 6, 7, 8, 9, 12], stderr).toContain(code);
      // eslint-disable-next-line no-control-regex
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]|c4n-pass-7Qz|480071/);
    }
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  },
);

import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../../../src/client/call/call.ts';
import { fakePerson } from '../../helpers/fakes/index.ts';
import { wire } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import { world } from '../../helpers/world.ts';
import { auth, decoupled, run } from '../../unit/client/payer.ts';
import { pay, payerAt, secrets } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank } from '../plain-bank.ts';

const row = trials('30', 20);
const [minute, hour, day] = [60, 3_600, 86_400];
/** Seconds by which the bank is ahead of us. */
const skews = [2 * minute, 6 * minute, 2 * hour, 3 * day, 4_000 * day].flatMap((by) => [by, -by]);
const jumps = skews.map((by) => by * 1000);

let bank: PlainBank;
let payer: Payer;
beforeAll(async () => {
  bank = await startPlainBank();
  payer = await payerAt(bank.baseUrl);
});
afterAll(async () => {
  row.report('every skew is named, no wait hangs or ends early', skews.length + jumps.length);
  payer.close();
  await bank.close();
});

const dated = (bytes: Buffer, seconds: number) => {
  const date = new Date(Date.now() + seconds * 1000).toUTCString();
  return bytes.toString().replace('\r\n', `\r\nDate: ${date}\r\n`);
};

it.each(skews)(
  'a bank that is %i s ahead is reported by doctor, and a payment ends',
  { timeout: row.timeout(20_000) },
  async (by) => {
    bank.afresh();
    for (const what of [
      'POST payments',
      'POST authorisations',
      'PUT authorisation',
      'GET status',
      'GET accounts',
      'GET consent',
    ])
      bank.surprise(what, (socket, usual) => socket.write(dated(usual, by)), true);
    bank.surprise('GET nothing', (socket) => socket.write(dated(wire('404 Not Found', '{}'), by)), true);
    const { stdout, stderr, code } = await payer.run('doctor', '--json');
    expect([0, 10], stderr).toContain(code);
    const told = new RegExp(
      `clock of the bank is ${String(Math.abs(by))}|clock of the bank is \\d+ s ${by < 0 ? 'behind' : 'ahead of'} ours`,
    );
    expect(stdout + stderr).toMatch(told);
    expect(stdout + stderr).toContain('Set the clock of this machine');
    const paid = await payer.run(...pay('5.00', ...secrets));
    expect(paid.code, paid.stderr).toBe(0);
  },
);

it.each(jumps)(
  "a jump of this machine's clock by %i ms while the PSU is waited for is survived",
  { timeout: row.timeout(20_000) },
  async (by) => {
    const there = await world({ person: fakePerson() });
    const first = there.clock.now().getTime();
    let looks = 0;
    for (let look = 0; look < 40; look += 1) {
      there.http.expect('GET', auth, {
        body: { scaStatus: 'started' },
        check: () => {
          looks += 1;
          // What a person, a virtual machine or NTP does: the calendar moves, the time that passes does not.
          if (looks === 2) {
            const now = there.clock.now.bind(there.clock);
            there.clock.now = () => new Date(now().getTime() + by);
          }
        },
      });
    }
    const began = there.clock.monotonic();
    await expect(run(there, decoupled(), { timeoutMs: 60_000 })).resolves.toMatchObject({ timedOut: true });
    const waited = there.clock.monotonic() - began;
    expect(waited).toBeGreaterThan(30_000);
    expect(waited).toBeLessThanOrEqual(60_000);
    expect(looks).toBeLessThan(40);
    expect(there.clock.now().getTime() - first).toBe(waited + by);
  },
);

it('a wrong or missing Date changes nothing', async () => {
  const there = await world();
  const params = {
    'payment-service': 'payments',
    'payment-product': 'sepa-credit-transfers',
    paymentId: 'p',
  };
  for (const date of ['', 'now', '-1', 'Sun, 99 Nov 2026 99:99:99 GMT', '9'.repeat(400)]) {
    there.http.expect('GET', /status/, { headers: { Date: date }, body: { transactionStatus: 'RCVD' } });
    await call(there.target, { operation: 'getPaymentInitiationStatus', params });
    expect(Number.isFinite(there.target.state.aheadMs)).toBe(true);
  }
});

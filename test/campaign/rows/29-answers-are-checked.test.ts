import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seeded } from '../../helpers/kill-cycles.ts';
import { wire } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import { pay, payerAt } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank } from '../plain-bank.ts';

const row = trials('29', 30);
let bank: PlainBank;
let payer: Payer;
beforeAll(async () => {
  bank = await startPlainBank();
  payer = await payerAt(bank.baseUrl);
  const made = await payer.run(...pay('1.00', '--authorise-later'));
  expect(made.code, made.stderr).toBe(0);
});
afterAll(async () => {
  payer.close();
  await bank.close();
});

const whole = JSON.stringify({
  transactionStatus: 'ACSC',
  psuMessage: 'Thank you for your order of 12.50 EUR.',
});
const headers: readonly (readonly [name: string, form: (hash: string) => string, algorithm: string])[] = [
  ['Digest', (hash) => `SHA-256=${hash}`, 'sha256'],
  ['Digest', (hash) => `SHA-512=${hash}`, 'sha512'],
  ['Content-Digest', (hash) => `sha-256=:${hash}:`, 'sha256'],
  ['Content-Digest', (hash) => `sha-512=:${hash}:`, 'sha512'],
];

it(
  'one changed bit of an answer is found',
  async () => {
    const random = seeded(row.seed);
    const answered = (sent: Buffer, at: number) => {
      const [name, form, algorithm] = headers[at % headers.length]!;
      const hash = createHash(algorithm).update(whole).digest('base64');
      bank.surprise('GET status', (socket) =>
        socket.write(wire('200 OK', sent, ['Content-Type: application/json', `${name}: ${form(hash)}`])),
      );
      return payer.run('payment', 'status', 'p-1', '--json');
    };
    for (const at of headers.keys()) {
      const right = await answered(Buffer.from(whole), at);
      expect(right.code, right.stderr).toBe(0);
      expect(JSON.parse(right.stdout)).toMatchObject({ transactionStatus: 'ACSC' });
    }
    for (let at = 0; at < row.count; at += 1) {
      const bytes = Buffer.from(whole);
      const place = Math.floor(random() * bytes.length);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(random() * 8));
      const flipped = await answered(bytes, at);
      expect(flipped.code, `${bytes.toString()} ${flipped.stdout}`).toBe(6);
      expect(flipped.stdout).toBe('');
      expect(flipped.stderr).toMatch(/digest/i);
    }
    row.report('all found');
  },
  row.timeout(60_000),
);

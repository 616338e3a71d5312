import { afterEach, beforeEach, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';

let bank: ExemptingBank;
let home: PayingHome;
beforeEach(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
});
afterEach(async () => {
  home.close();
  await bank.close();
});

const commands = async () => {
  const { stdout } = await home.run(['log', 'list', '--json']);
  return (JSON.parse(stdout) as { command: string }[]).map(({ command }) => command);
};

it('OBK_NO_LOG keeps no record of reads, and every record of writes', async () => {
  const env = { ...home.env, OBK_NO_LOG: '1' };
  const paid = await home.pay('1.00', 'k', { env });
  const { paymentId } = JSON.parse(paid.stdout) as { paymentId: string };
  expect(await commands()).toEqual(['payment init']);
  const status = ['payment', 'status', paymentId, '--profile', 'acme'];
  expect((await home.run(status, { env })).code).toBe(0);
  expect(await commands()).toEqual(['payment init']);
  expect((await home.run(status)).code).toBe(0);
  expect(await commands()).toEqual(['payment status', 'payment init']);
});

it('OBK_NO_LOG never pays twice', async () => {
  const env = { ...home.env, OBK_NO_LOG: '1' };
  expect((await home.pay('2.00', 'k', { env })).code).toBe(0);
  expect((await home.pay('2.00', 'k', { env })).code).toBe(0);
  expect((await home.pay('201.00', 'lost', { env })).code).toBe(12);
  expect((await home.pay('201.00', 'lost', { env })).code).toBe(12);
  expect([bank.made('2.00'), bank.made('201.00')]).toEqual([1, 1]);
});

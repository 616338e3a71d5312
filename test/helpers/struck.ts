// What must hold after a payment was struck by a kill or by an error of the disk, and then started again.
import type { ExemptingBank } from './exempting-bank.ts';
import type { Ran } from './obk.ts';
import type { PayingHome } from './paying-home.ts';

export interface StruckPayment {
  amount: string;
  /** The bank needs no authorisation for it. */
  exempt: boolean;
  key: string | undefined;
}

/** Whether the payment stands in a list that a person would look into. */
export async function isListed(home: PayingHome, amount: string): Promise<boolean> {
  for (const words of [
    ['payment', 'list'],
    ['pending', 'list'],
  ]) {
    const { code, stdout, stderr } = await home.run([...words, '--profile', 'acme', '--json']);
    if (code !== 0) throw new Error(stderr);
    if ((JSON.parse(stdout) as { amount?: string }[]).some((row) => row.amount === amount)) return true;
  }
  return false;
}

/** Looks at what the strike has left, runs the same command once more, and gives what is wrong in words. */
export async function wrongAfter(
  first: Ran,
  { amount, exempt, key }: StruckPayment,
  { home, bank }: { home: PayingHome; bank: ExemptingBank },
): Promise<string[]> {
  const found: string[] = [];
  const wrong = (what: string) => void found.push(what);
  const made = bank.made(amount);
  if (first.code === 1) wrong(`exit 1: ${first.stderr}`);
  if (made === 1 && /nothing (is|was) sent/i.test(first.stderr)) wrong('says that nothing was sent');
  if (made === 1 && first.code === 7) wrong('says that nothing was sent: exit 7');
  if (made === 1 && first.code === 3) wrong(`exit 3 after the bank has made it: ${first.stderr}`);
  if (made === 1 && first.code === 12 && !/"paymentId":"payment-/.test(first.stderr))
    wrong(`exit 12 without the id of the payment: ${first.stderr}`);
  if (made === 1 && !(await isListed(home, amount))) wrong('no list shows it');
  const rerun = await home.pay(amount, key);
  if (rerun.code === 1 || rerun.code === null) wrong(`the rerun ends in 1: ${rerun.stderr}`);
  // One that is not authorised may be started anew without a key.
  const mayBe = made === 1 && !exempt && key === undefined ? 2 : 1;
  if (bank.made(amount) > mayBe) wrong(`paid ${String(bank.made(amount))} times`);
  if (rerun.code === 12 && !(await isListed(home, amount))) wrong('unknown, and no list shows it');
  if (rerun.code === 0 && !exempt && !(await isListed(home, amount)))
    wrong('all is well, but nothing is open');
  return found;
}

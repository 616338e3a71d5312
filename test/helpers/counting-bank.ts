import { createObk } from './obk.ts';
import { typedBank } from './typed-bank.ts';

const path = '/v1/accounts/acc-1/transactions';

/** What eight processes did at a bank that counts. */
export interface Paced {
  /** When each call that was served arrived, in milliseconds after the first. */
  arrivals: readonly number[];
  /** How many got a 429. */
  refused: number;
  /** How many transactions each process gave, and what it complained of. */
  rows: readonly number[];
  complaints: string;
}

/**
 * Eight processes of the built obk read reports of so many pages at a bank that refuses the 101st call of any window, whoever
 * makes it.
 */
export async function paceEight(windowMs: number, pagesEach: number, boundMs: number): Promise<Paced> {
  const times: number[] = [];
  let refused = 0;
  const bank = await typedBank(({ path: whole }) => {
    const url = new URL(whole, 'http://h');
    if (!url.pathname.endsWith('/transactions'))
      return [200, { access: {}, consentStatus: 'valid', frequencyPerDay: 1000, recurringIndicator: true }];
    const now = performance.now();
    if (times.filter((at) => at > now - windowMs).length >= 100) {
      refused += 1;
      return [429, {}];
    }
    times.push(now);
    const page = Number(url.searchParams.get('page') ?? 1);
    const who = url.searchParams.get('entryReferenceFrom') ?? '';
    const next = `${path}?entryReferenceFrom=${who}&page=${String(page + 1)}`;
    const transactionId = `${who}-${String(page)}`;
    const booked = [{ transactionId, transactionAmount: { currency: 'EUR', amount: '1.00' } }];
    return [200, { transactions: { booked, _links: page < pagesEach ? { next: { href: next } } : {} } }];
  });
  const obk = createObk();
  try {
    const profile = ['--base-url', `http://127.0.0.1:${String(bank.port)}`, '--environment', 'test'];
    await obk.json(['profile', 'create', 'acme', ...profile, '--signing', 'none', '--variant', 'v1']);
    await obk.json(['consent', 'use', 'con-1']);
    const ended = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        obk.run(
          [
            ...['transactions', 'list', '--account', 'acc-1', '--entry-reference-from', `p${String(at)}`],
            ...['--all', '--rate', `90/${String(windowMs)}ms`, '-q', '-o', 'name'],
          ],
          { bound: boundMs },
        ),
      ),
    );
    const [first = 0] = times;
    return {
      arrivals: times.map((at) => at - first),
      refused,
      rows: ended.map(({ stdout }) => stdout.trim().split('\n').length),
      complaints: ended.map(({ code, stderr }) => (code === 0 ? '' : stderr)).join(''),
    };
  } finally {
    await bank.close();
    obk.close();
  }
}

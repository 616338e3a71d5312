import { cpSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ensureKeys, ensureRsaKeys } from '../../src/bank/home/keys.ts';

const hourMs = 3_600_000;

/**
 * Puts the keys of a bank into a fresh folder of state, so that it need not make its own, which is most of what its first start
 * costs. They are made once in a run of the tests; a bank of another time makes keys of that time.
 */
export async function giveKeys(stateDir: string, now: Date): Promise<void> {
  const kept = process.env['OBK_TEST_KEYS'];
  if (kept === undefined || Math.abs(now.getTime() - Date.now()) > hourMs) return;
  const keys = await ensureKeys(kept, now);
  const rsa = await ensureRsaKeys(kept, keys, now);
  const sandbox = join(stateDir, 'sandbox');
  mkdirSync(sandbox, { recursive: true, mode: 0o700 });
  for (const folder of [dirname(keys.ca), dirname(rsa.key)])
    cpSync(folder, join(sandbox, basename(folder)), { recursive: true });
}

import type { BankAddress } from '../door.ts';
import { askBank } from './ask-bank.ts';

/** The bank with what tells its ledger from an earlier one at the same place; as it was where the bank does not say that. */
export async function withLedger(bank: BankAddress): Promise<BankAddress> {
  const { baseUrl, caPath, tenantHeader } = bank;
  const whose = tenantHeader === undefined ? '' : `&tenant=${encodeURIComponent(tenantHeader.value)}`;
  const secure = baseUrl.startsWith('https:') ? { ca: caPath } : {};
  try {
    const { text } = await askBank(baseUrl, 'GET', `/sandbox/identity?nonce=${whose}`, secure);
    const { ledger } = JSON.parse(text) as { ledger?: unknown };
    return typeof ledger === 'string' ? { ...bank, ledger } : bank;
  } catch {
    // The call for which the bank is wanted tells what is wrong.
    return bank;
  }
}

import { ObkError } from '../../errors.ts';
import type { BankAddress } from '../../ports/bank.ts';
import type { AnySteering, Steered } from '../steering/steering.ts';
import type { Addressed } from './addressed.ts';
import { askBank } from './ask-bank.ts';
import { originOf, readAddress } from './bank-address.ts';
import type { BankHome } from './bank-home.ts';
import { describe } from './embedded.ts';
import type { KeyFiles } from './keys.ts';

/** A bank that is steered by HTTP. */
type Remote = Exclude<Addressed, { where: 'default' }>;

/** Steers a bank that runs in another process. Throws SANDBOX_UNAVAILABLE where it does not answer, USAGE for a wrong token. */
export async function steerBank(bank: Remote, command: AnySteering): Promise<Steered> {
  const token = bank.where === 'here' ? bank.house.claim().token() : bank.token.reveal();
  const { status, text } = await askBank(originOfBank(bank), 'POST', '/sandbox/steer', {
    headers: { Authorization: `Bearer ${token ?? ''}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(command),
  });
  if (status === 200) return JSON.parse(text) as Steered;
  throw notSteered(bank, status);
}

/** The public key for encrypted passwords of a bank that runs in another process. */
export async function passwordKeyOf(bank: Remote): Promise<string> {
  const { status, text } = await askBank(originOfBank(bank), 'GET', '/sandbox/password-key', {});
  if (status === 200) return text;
  throw notSteered(bank, status);
}

/** Where a bank that was addressed answers; the TPP is that of this home. */
export function describeAddressed(house: BankHome, keys: KeyFiles, bank: Remote): BankAddress {
  if (bank.where === 'elsewhere')
    return { ...describe(house, keys, false), baseUrl: bank.origin, formerOrigins: [] };
  const { formerOrigins } = readAddress(bank.house.path);
  return { ...describe(house, keys, false), baseUrl: bank.running.baseUrl, formerOrigins };
}

function originOfBank(bank: Remote): string {
  if (bank.where === 'elsewhere') return bank.origin;
  return originOf(readAddress(bank.house.path).port ?? 0);
}

function notSteered(bank: Remote, status: number): ObkError {
  const denied = status === 401;
  return new ObkError({
    code: denied ? 'USAGE' : 'SANDBOX_UNAVAILABLE',
    title: denied
      ? `The bank at ${originOfBank(bank)} does not take the token.`
      : `The bank at ${originOfBank(bank)} answered ${String(status)}.`,
    hint: denied ? ['OBK_SANDBOX_TOKEN_FROM=file:PATH   # `sandbox start --json` names the file'] : [],
  });
}

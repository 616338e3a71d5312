import { defined } from '../../base/defined.ts';
import { isFailure } from '../../base/errors.ts';
import type { presetNames } from '../../standard/xs2a/variants.ts';
import type { Target } from '../exchange/target.ts';
import { checkConnection } from './doctor-bank.ts';
import { misplaced, variantsAt } from './right-address.ts';

/** How an address answers before there is a profile for it. */
export interface TriedAddress {
  /** What is wrong, in words. */
  faults: readonly string[];
  /** The server is there, and its certificate is of no authority that is trusted here. */
  untrusted: boolean;
  /** Flags that lead to the bank, where it is elsewhere. */
  flags?: readonly string[];
  /** The versions of the interface that answer. */
  variants: readonly (typeof presetNames)[number][];
}

/** Tries an address: TLS as a call makes it, and two unsigned reads that no bank can mistake for more. */
export async function tryAddress(target: Target): Promise<TriedAddress> {
  const { findings, reached } = await checkConnection(target);
  const failed = findings.filter(({ state }) => state === 'fail').map(({ text }) => text);
  const untrusted = failed.some((text) => /signed by itself|not trusted here/.test(text));
  if (!reached) return { faults: failed, untrusted, variants: [] };
  const variants = await variantsAt(target).catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    return [];
  });
  if (variants.length > 0) return { faults: [], untrusted, variants };
  const elsewhere = await misplaced(target);
  if (elsewhere === undefined) return { faults: [], untrusted, variants };
  const { finding, flags } = elsewhere;
  return { faults: [finding.text], untrusted, variants, ...defined({ flags }) };
}

import { checkBank, checkConnection } from './doctor-bank.ts';
import type { Finding } from '../../base/finding.ts';
import type { DoctorOptions } from './doctor-options.ts';
import { checkLocally } from './doctor-local.ts';
import { refusedForms } from './refused-form.ts';
import type { Target } from '../exchange/target.ts';

/** Checks a profile step by step, and moves no money; what depends on a failed step is left out. */
export async function examine(target: Target, options: DoctorOptions): Promise<Finding[]> {
  const local = await checkLocally(target, options);
  const known = [...local.findings, ...(await refusedForms(target))];
  if (options.offline || !local.connects) return known;
  const { findings, reached } = await checkConnection(target);
  const bank = reached && local.signs ? await checkBank(target, options) : [];
  return [...known, ...findings, ...bank];
}

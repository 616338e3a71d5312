import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { maskAccounts } from '../../../client/redaction/masking.ts';
import type { Removal } from '../../../tester/check/suite.ts';
import { keptFile } from '../flags/two-runs.ts';
import type { CheckRun } from '../../../settings/records/check-run.ts';

const folderOf = ({ directories }: Context): string => `${directories.state}/checks`;

/** A check as it is kept, with the calls that remove what it has left at the bank. */
export interface KeptCheck extends CheckRun {
  open?: readonly Removal[];
}

/** Keeps a check as far as it came, to be compared or gone on with: without exchanges and account numbers, which the journal has. */
export async function keepCheck(context: Context, run: KeptCheck): Promise<void> {
  const cases = run.cases.map(({ calls, ...one }) => ({
    ...one,
    calls: calls.map(({ facts: _, ...call }) => call),
  }));
  const kept = { ...run, cases };
  const bytes = Buffer.from(`${maskAccounts(JSON.stringify(kept))}\n`);
  await context.ports.files.write(`${folderOf(context)}/${run.run}.json`, bytes, {
    force: true,
    folder: true,
  });
}

/** A check that was kept, as `keptFile` names it. Throws RESOURCE_NOT_SAVED, ID_AMBIGUOUS and STATE_UNREADABLE. */
export async function keptCheck(context: Context, wish: string): Promise<KeptCheck> {
  const { files } = context.ports;
  const folder = folderOf(context);
  const runs = ((await files.listing(folder)) ?? []).filter((name) => name.endsWith('.json'));
  const name = keptFile(runs, wish, { what: 'check', start: 'obk check --profile NAME' });
  const read = parsed(new TextDecoder().decode(await files.read(`${folder}/${name}`)));
  if (read !== undefined) return read;
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: `The check ${name} cannot be read.`,
    detail: `${folder}/${name}`,
  });
}

function parsed(text: string): KeptCheck | undefined {
  try {
    const read = JSON.parse(text) as Partial<CheckRun> | null;
    return Array.isArray(read?.cases) && typeof read.run === 'string' ? (read as CheckRun) : undefined;
  } catch {
    return undefined;
  }
}

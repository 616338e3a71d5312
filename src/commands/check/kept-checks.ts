import type { Context } from '../../context.ts';
import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import { maskAccounts } from '../../flows/redaction/masking.ts';
import type { Removal } from '../../flows/check/suite.ts';
import { newestRuns, runNamed } from '../flags/two-runs.ts';
import type { CheckRun } from '../../records/check-run.ts';

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

/** A check that was kept, by its id or as `@last`, `@last-1`. Throws RESOURCE_NOT_SAVED and STATE_UNREADABLE. */
export async function keptCheck(context: Context, wish: string): Promise<KeptCheck> {
  const { files } = context.ports;
  const folder = folderOf(context);
  const ids = ((await files.listing(folder)) ?? []).flatMap((name) =>
    name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [],
  );
  const id = runNamed(ids, wish);
  if (id === undefined)
    throw new ObkError({
      code: 'RESOURCE_NOT_SAVED',
      title: `No check ${wish} is kept here.`,
      hint:
        ids.length === 0
          ? ['obk check --profile NAME']
          : newestRuns(ids).map((one) => line`obk check diff ${one}`),
    });
  const name = `${id}.json`;
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

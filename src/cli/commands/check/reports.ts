import type { Context } from '../../context.ts';
import { maskAccounts } from '../../../client/redaction/masking.ts';
import type { CheckRun } from '../../../settings/records/check-run.ts';
import { checkHtml } from '../../render/check-page.ts';
import { checkJunit } from '../../render/check-junit.ts';

/** Writes the reports of a check that were asked for, without account numbers. */
export async function writeReports(
  { ports: { files }, process: { version } }: Context,
  run: CheckRun,
  { junit, html }: { junit?: string | undefined; html?: string | undefined },
): Promise<void> {
  const write = (path: string, text: string) =>
    files.write(path, Buffer.from(maskAccounts(text)), { force: true });
  if (junit !== undefined) await write(junit, checkJunit(run));
  if (html !== undefined) await write(html, checkHtml(run, { version }));
}

import { exitMeanings } from '../commands/output/exit-meanings.ts';
import type { Context } from '../context.ts';
import { junitXml } from '../render/junit.ts';
import type { OutputChoice } from './output-choice.ts';

/** Writes the file of --report-junit when the run has ended; the one of an earlier run is replaced. */
export function junitAtEnd(context: Context, path: string, record: OutputChoice['record']): void {
  const { clock, files } = context.ports;
  const [at, begun] = [clock.now().toISOString(), clock.monotonic()];
  context.atEnd(async (exit) => {
    const { error, expected } = record;
    const report = junitXml({
      command: context.command,
      at,
      durationMs: clock.monotonic() - begun,
      exit,
      meaning: exitMeanings.find(({ code }) => code === exit)?.short ?? '',
      expected,
      ...(error !== undefined && { error: { code: error.code, title: error.title, detail: error.detail } }),
    });
    await files.write(path, Buffer.from(report), { force: true });
  });
}

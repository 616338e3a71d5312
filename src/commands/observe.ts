import type { Context } from '../context.ts';
import type { CallTrace } from '../flows/call.ts';
import { curlCommand } from '../flows/curl.ts';
import { harOf } from '../flows/har.ts';
import type { ChosenProfile } from '../flows/profiles.ts';
import type { RunOptions } from '../flows/target.ts';
import { viewOfTrace } from '../flows/trace.ts';
import { exchangeText } from '../render/exchange.ts';

/** What -v, --curl, --trace and --meta see of every call. */
export function observers(
  context: Context,
  { name }: ChosenProfile,
): Pick<RunOptions, 'onPrepared' | 'onTrace'> {
  const { notices, files } = context.ports;
  const { curl, trace, verbose = 0 } = context.globals;
  const traces: CallTrace[] = [];
  if (trace !== undefined) {
    context.atEnd(async () => {
      const document = harOf(traces, { name: 'obk', version: context.process.version });
      const text = JSON.stringify(document, undefined, 2);
      await files.write(trace, Buffer.from(`${text}\n`), { force: true });
    });
  }
  return {
    onPrepared: (prepared) => {
      if (curl === true) notices.say(curlCommand(prepared));
    },
    onTrace: (seen) => {
      const view = viewOfTrace(seen);
      context.seen = {
        requestId: view.requestId,
        httpStatus: view.answer?.status ?? null,
        durationMs: seen.durationMs,
        profile: name,
        headers: (view.answer?.headers ?? []).map((header) => [header.name, header.value] as const),
      };
      if (trace !== undefined) traces.push(seen);
      if (verbose > 0) notices.trace(1, exchangeText(view, verbose >= 3 ? 3 : verbose === 2 ? 2 : 1));
    },
  };
}

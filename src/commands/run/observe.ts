import type { Context } from '../../context.ts';
import { curlCommand } from '../../flows/evidence/write-curl.ts';
import { harOf } from '../../flows/evidence/har.ts';
import type { ChosenProfile } from '../../flows/profile/choose-profile.ts';
import { redactHeaders } from '../../flows/redaction/redact.ts';
import type { RunOptions } from '../../flows/exchange/target.ts';
import { viewOfExchange } from '../../flows/exchange/exchange-view.ts';
import type { EndedExchange } from '../../flows/exchange/verdict.ts';
import { exchangeFacts, exchangeText, partsAt } from '../../render/exchange.ts';

/** The observers behind -v, --curl, --trace and --meta. */
export function observers(
  context: Context,
  { name }: ChosenProfile,
): Pick<RunOptions, 'onPrepared' | 'onExchange'> {
  const { notices, files } = context.ports;
  const { curl, trace } = context.globals;
  const parts = partsShown(context);
  const exchanges: EndedExchange[] = [];
  if (trace !== undefined) {
    context.atEnd(async () => {
      const document = harOf(exchanges, { name: 'obk', version: context.process.version });
      const text = JSON.stringify(document, undefined, 2);
      await files.write(trace, Buffer.from(`${text}\n`), { force: true });
    });
  }
  return {
    onPrepared: (prepared) => {
      if (curl === true) notices.say(curlCommand(prepared));
    },
    onExchange: (seen) => {
      const { prepared, answer, durationMs } = seen;
      context.seen = {
        requestId: prepared.requestId,
        httpStatus: answer?.status ?? null,
        durationMs,
        profile: name,
        headers: redactHeaders(answer?.headers ?? []),
      };
      if (trace !== undefined) exchanges.push(seen);
      if (parts !== undefined) {
        const view = viewOfExchange(seen);
        notices.call(exchangeText(view, parts), exchangeFacts(view, parts));
      }
    },
  };
}

/** Which parts of each exchange are shown: those of --print, else those of -v; undefined for none of it. */
export function partsShown({ globals: { print, verbose } }: Context): string | undefined {
  return print ?? (verbose === undefined ? undefined : partsAt(verbose));
}

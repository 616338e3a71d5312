import type { Context } from '../../context.ts';
import { curlCommand } from '../../../client/evidence/write-curl.ts';
import { harOf } from '../../../client/evidence/har.ts';
import type { ChosenProfile } from '../../../client/profile/choose-profile.ts';
import { redactHeaders } from '../../../client/redaction/redact.ts';
import type { RunOptions } from '../../../client/exchange/target.ts';
import { viewOfExchange, viewOfPrepared } from '../../../client/exchange/exchange-view.ts';
import { BankRefusal } from '../../../base/errors.ts';
import type { ObkError, TransportFailure } from '../../../base/errors.ts';
import type { CallHeard } from '../../../settings/records/journey-run.ts';
import type { EndedExchange } from '../../../client/exchange/verdict.ts';
import { exchangeFacts, exchangeText, partsAt } from '../../render/exchange.ts';

/** The observers behind -v, --curl, --trace, --findings and --meta. */
export function observers(
  context: Context,
  { name, profile }: ChosenProfile,
): Pick<RunOptions, 'onPrepared' | 'onExchange' | 'onDryRun'> {
  const { notices, files, clock } = context.ports;
  const { load, judge } = context;
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
    onDryRun: (prepared) => {
      judge?.heard(viewOfPrepared(prepared), { name, profile });
    },
    onExchange: (seen) => {
      const { prepared, answer, durationMs } = seen;
      if (load !== undefined) {
        load.heard(heardOf(seen, clock.monotonic()));
        return;
      }
      context.seen = {
        requestId: prepared.requestId,
        httpStatus: answer?.status ?? null,
        durationMs,
        profile: name,
        headers: redactHeaders(answer?.headers ?? []),
      };
      if (trace !== undefined) exchanges.push(seen);
      if (parts === undefined && judge === undefined) return;
      const view = viewOfExchange(seen);
      if (parts !== undefined) notices.call(exchangeText(view, parts), exchangeFacts(view, parts));
      judge?.heard(view, { name, profile });
    },
  };
}

/** A call under load, without anything that costs more than the call. */
function heardOf({ prepared, answer, verdict, failure, tookMs }: EndedExchange, endedAt: number): CallHeard {
  const { operation, request, requestId } = prepared;
  const status = answer?.status ?? null;
  return {
    operation: operation.id,
    method: request.method,
    url: prepared.path,
    status,
    requestId,
    durationMs: tookMs,
    endedAt,
    code: verdict.outcome === 'DONE' ? null : codeOf(verdict.error, status, failure),
    facts: { answer: { headers: answer?.headers ?? [] } },
  };
}

function codeOf(error: ObkError, status: number | null, failure: TransportFailure | undefined): string {
  if (status === null) return failure?.reason ?? error.code;
  const said = error instanceof BankRefusal ? error.bankCode : undefined;
  return said === undefined ? String(status) : `${String(status)} ${said}`;
}

/** Which parts of each exchange are shown: those of --print, else those of -v; undefined for none of it. */
export function partsShown({ globals: { print, verbose } }: Context): string | undefined {
  return print ?? (verbose === undefined ? undefined : partsAt(verbose));
}

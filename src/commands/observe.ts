import type { Context } from '../context.ts';
import type { CallTrace, Prepared } from '../flows/call.ts';
import { redactHeaders, redactText, redactUrl } from '../flows/redact.ts';
import type { RunOptions } from '../flows/target.ts';
import type { Header } from '../ports.ts';
import { curlCommand } from '../render/curl.ts';
import type { ShownRequest } from '../render/curl.ts';
import { harDocument } from '../render/har.ts';
import type { HarEntry } from '../render/har.ts';

/** A request without its secrets, for every place that shows it. */
export function shownRequest(prepared: Prepared): ShownRequest {
  const { request, shownBody } = prepared;
  return {
    method: request.method,
    url: redactUrl(request.url),
    headers: redactHeaders(request.headers),
    body: redactText(shownBody),
  };
}

/** What -v, --curl and --trace see of every call. */
export function observers(context: Context, profile: string): Pick<RunOptions, 'onPrepared' | 'onTrace'> {
  const { notices, files } = context.ports;
  const { curl, trace } = context.globals;
  const entries: HarEntry[] = [];
  if (trace !== undefined) {
    context.atEnd(async () => {
      const text = JSON.stringify(harDocument(entries, context.process.version), undefined, 2);
      await files.write(trace, Buffer.from(`${text}\n`), { force: true });
    });
  }
  return {
    onPrepared: (prepared) => {
      const shown = shownRequest(prepared);
      if (curl === true) notices.say(curlCommand(shown));
      notices.trace(1, `> ${shown.method} ${shown.url}`);
      headerLines('>', shown.headers).forEach((line) => {
        notices.trace(2, line);
      });
      if (prepared.signed !== undefined) {
        notices.trace(3, indented('Signing string:', redactText(prepared.signed.signingString)));
      }
      if (shown.body !== '') notices.trace(3, shown.body);
    },
    onTrace: (seen) => {
      const entry = harEntry(seen);
      context.seen = {
        requestId: seen.prepared.requestId,
        httpStatus: seen.answer?.status ?? null,
        durationMs: entry.durationMs,
        profile,
        headers: entry.answer?.headers ?? [],
      };
      if (trace !== undefined) entries.push(entry);
      const { answer, failure } = entry;
      const what = answer === undefined ? `no answer: ${failure ?? ''}` : String(answer.status);
      notices.trace(1, `< ${what} in ${entry.durationMs} ms · request ${seen.prepared.requestId}`);
      const tls = seen.answer?.tls;
      if (tls !== undefined) notices.trace(3, `TLS: ${tls.protocol} ${tls.cipher} ${tls.peer}`);
      headerLines('<', answer?.headers ?? []).forEach((line) => {
        notices.trace(2, line);
      });
      if (answer !== undefined && answer.body !== '') notices.trace(3, answer.body);
    },
  };
}

function harEntry({ prepared, startedAt, durationMs, answer, failure }: CallTrace): HarEntry {
  return {
    startedAt: startedAt.toISOString(),
    durationMs,
    request: shownRequest(prepared),
    ...(answer === undefined
      ? {}
      : {
          answer: {
            status: answer.status,
            headers: redactHeaders(answer.headers),
            body: redactText(Buffer.from(answer.body).toString('utf8')),
          },
        }),
    ...(failure === undefined ? {} : { failure: redactText(failure.message) }),
  };
}

function headerLines(mark: string, headers: readonly Header[]): string[] {
  return headers.map(([name, value]) => `${mark} ${name}: ${value}`);
}

function indented(title: string, text: string): string {
  return [title, ...text.split('\n').map((line) => `  ${line}`)].join('\n');
}

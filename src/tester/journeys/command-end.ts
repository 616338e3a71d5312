import { exitCodes } from '../../base/errors.ts';
import type { Notices, Person } from '../../client/ports/person.ts';
import type { CallSeen, CommandEnd } from '../../settings/records/journey-run.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import type { RunCommand } from './run-step.ts';

/** Runs a command line in this process, with streams of its own. */
type RunInStreams = (
  words: readonly string[],
  how: {
    input: string | undefined;
    cwd: string;
    notices: Notices;
    person: ((scripted: Person) => Person) | undefined;
  },
) => Promise<{ exit: number; stdout: string; stderr: string }>;

/** Runs the commands of a journey as a script would: with `--json`, and every call told with all of its exchange. */
export function inStreams(run: RunInStreams): RunCommand {
  return async (words, how) => {
    const calls: CallSeen[] = [];
    const told = [...words, '--json', '--print', 'HBhb'];
    const { exit, stdout, stderr } = await run(told, { ...how, notices: collecting(calls) });
    const error = exit === exitCodes.ok ? undefined : errorIn(stderr);
    return { exit, document: () => documentIn(stdout) ?? error?.resource, error, calls };
  };
}

/** Takes the calls; all else that a command would tell a person is in its result. */
function collecting(calls: CallSeen[]): Notices {
  const nothing = () => undefined;
  return {
    say: nothing,
    place: nothing,
    created: nothing,
    warn: nothing,
    trace: nothing,
    call: (_text, facts) => {
      const { method, url, requestId, durationMs, answer } = facts as Omit<CallSeen, 'facts' | 'status'> & {
        answer?: { status: number };
      };
      calls.push({ method, url, requestId, durationMs, status: answer?.status ?? null, facts });
    },
    progress: () => ({ update: nothing, stop: nothing }),
  };
}

/** The document on stdout; the last one where several came. */
function documentIn(stdout: string): unknown {
  const text = stdout.trim();
  if (text === '') return undefined;
  try {
    return readJson(text, { maxBytes: 64 * 1024 * 1024, maxValues: 2_000_000 });
  } catch {
    const last = text.slice(text.lastIndexOf('\n') + 1);
    try {
      return readJson(last);
    } catch {
      return text;
    }
  }
}

function errorIn(stderr: string): CommandEnd['error'] {
  const last = stderr.trim().split('\n').at(-1) ?? '';
  try {
    const { error } = JSON.parse(last) as { error?: CommandEnd['error'] };
    return error === undefined
      ? undefined
      : {
          code: error.code,
          title: error.title,
          detail: error.detail,
          ...((error.tppMessages ?? []).length > 0 && { tppMessages: error.tppMessages }),
          ...('resource' in error && { resource: error.resource }),
        };
  } catch {
    return undefined;
  }
}

import type { ProblemBody, TppErrorBody } from '../../standard/xs2a/wire.ts';
import type { Reply } from '../trust/call.ts';
import { clipped } from '../rules/refusal.ts';
import type { Scenario } from '../rules/scenario.ts';

const errorTypes = 'https://berlingroup.com/error-codes/';

/** An error as a problem of RFC 7807 (guidelines 4.13), where the scenario says so; any other answer stays as it is. */
export function withErrorForm(reply: Reply, { errors }: Pick<Scenario, 'errors'>): Reply {
  const { body, ...others } = reply;
  if (errors === 'tpp-messages' || reply.status < 400 || body === undefined) return reply;
  const { tppMessages, _links } = body as TppErrorBody;
  const [message] = tppMessages;
  if (message === undefined) return reply;
  const { code, path, text = '' } = message;
  const problem: ProblemBody = {
    type: errorTypes + code,
    title: titleOf(code),
    // A problem has no member for the path; the guidelines put it here.
    detail: clipped(path === undefined ? text : `${path}: ${text}`),
    code,
    ...(_links && { _links }),
  };
  const bytes = Buffer.from(JSON.stringify(problem));
  return { ...others, content: { type: 'application/problem+json', bytes } };
}

/** `FORMAT_ERROR` is `Format error`. */
function titleOf(code: string): string {
  return code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');
}

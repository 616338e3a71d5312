import { cleanLine } from '../../../base/clean.ts';
import { InteractionNeeded, nobodyToAsk } from '../../../base/errors.ts';
import type { ObkError } from '../../../base/errors.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { givenCredentials, isElsewhere } from '../../../client/sca/given-credentials.ts';
import { scaQuestions } from '../../../client/sca/sca-questions.ts';
import type { Conversation } from '../../../standard/sca/state.ts';
import type { ScaOptions } from '../flags/sca-options.ts';

/**
 * Whether a run that makes a resource was asked to have it authorised, too: then exit 0 means authorised. Credentials
 * that the authorisation does not ask for count as not given.
 */
export function asksForAuthorisation(
  target: Target,
  conversation: Conversation | undefined,
  { wait }: ScaOptions,
): boolean {
  if (wait === true || target.ports.person.present) return true;
  return givenCredentials(target).length > 0 && (conversation === undefined || !isElsewhere(conversation));
}

/** Why a resource is not authorised at the end of a run; undefined where nobody has asked for more. */
export function whyOpen(
  target: Target,
  conversation: Conversation,
  asked: boolean,
  error?: ObkError,
): string | undefined {
  if (error === undefined) return asked ? 'Not authorised yet: the bank waits for the customer.' : undefined;
  if (!(error instanceof InteractionNeeded)) return error.title;
  const { flags, detail } = error;
  const why = detail === undefined || detail === nobodyToAsk ? '' : ` ${cleanLine(detail)}`;
  const named = flags.join(', ');
  if (!asked) return why === '' ? undefined : `${named}:${why}`;
  const missing = `Not authorised yet: ${named}${why === '' ? ` ${flags.length === 1 ? 'is' : 'are'} missing.` : `:${why}`}`;
  const later = laterFlags(target, conversation, flags);
  return later.length === 0 ? missing : `${missing} The bank may also ask for ${later.join(' and ')}.`;
}

/** The flags of what an embedded authorisation asks for after what is missing, where this run does not answer it. */
function laterFlags(
  { ports: { person }, psu }: Target,
  conversation: Conversation,
  missing: readonly string[],
): string[] {
  if (isElsewhere(conversation)) return [];
  const { password, method, otp } = scaQuestions;
  const order = [
    { question: password, known: psu.passwordFrom },
    { question: method, known: psu.scaMethod },
    { question: otp, known: psu.otpFrom },
  ];
  const due = order.findIndex(({ question }) => missing.includes(question.flag));
  return order
    .slice(due + 1)
    .filter(({ question, known }) => known === undefined && !person.answered(question))
    .map(({ question }) => question.flag);
}

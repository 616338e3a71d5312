import { line } from '../../../base/command-line.ts';
import type { Flags, OptionsOf } from '../../command.ts';
import type { Found } from '../../../client/authorisations/find-authorisation.ts';
import { findAuthorisation } from '../../../client/authorisations/find-authorisation.ts';
import { isUnknown } from '../../../client/resources/parent-status.ts';
import { dueStep, onlyStep } from '../../../client/sca/one-step.ts';
import type { StepVerb } from '../../../client/sca/one-step.ts';
import { ObkError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import type { Outcome } from '../../outcome.ts';
import { lead } from '../run/lead.ts';
import { requireBaskets } from '../run/require-offered.ts';
import type { ScaOptions } from '../flags/sca-options.ts';
import { withTarget } from '../run/with-target.ts';

/** Which authorisation a command is about. */
type ScaId = OptionsOf<typeof scaId>;

/** Adds the id of whatever is authorised, or of the authorisation itself. */
export const scaId = <Own>(command: Flags<Own>) =>
  command.argument(
    '[id]',
    'id of a payment, consent, basket or authorisation, its first 6 or more characters, or @last; the newest open authorisation if not given',
  );

/** Takes exactly the one step of a verb, and says where the authorisation stands then. */
export function takeStep(
  context: Context,
  options: ScaId & ScaOptions,
  verb: StepVerb,
  given?: readonly string[],
): Promise<Outcome> {
  return withTarget(context, options, async (opened) => {
    const found = await findAuthorisation(opened, options.id, opened.run.psu?.id);
    const { resource, conversation } = found;
    if (conversation === undefined) throw neverStarted(found);
    const target = resource.noun === 'basket' ? await requireBaskets(opened) : opened;
    const only = onlyStep(verb, given);
    return lead(
      context,
      target,
      { resource, conversation, resumed: true, leader: 'step', created: false, only },
      options,
    );
  });
}

function neverStarted({ resource: { noun, id } }: Found): ObkError {
  return new ObkError({
    code: 'STEP_NOT_ALLOWED',
    title: `No authorisation of the ${noun} ${id} was begun from here.`,
    hint: [line`obk ${noun} authorise ${id}`],
  });
}

/** The command that does what is due, if anything is known of the authorisation. */
export function nextOf({ resource, conversation }: Found): string[] {
  if (isUnknown(resource)) return [line`obk ${resource.noun} get ${resource.id}`];
  return conversation === undefined ? [] : [dueStep(conversation).command];
}

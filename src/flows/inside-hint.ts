import type { Conversation } from '../sca/state.ts';
import type { Target } from './target.ts';

/** Whoever tries the bank inside is its PSU as well: tells them where the secrets are, and who else can approve. */
export function hintInside({ inside, psu, ports }: Target, conversation: Conversation): void {
  if (inside === undefined || !ports.person.present) return;
  const whom = psu.id === undefined ? '' : ` ${psu.id}`;
  ports.notices.say(`Passwords and codes of the bank inside:  obk sandbox people${whom}`);
  ports.notices.say(
    `To approve from another terminal:  obk sandbox psu approve ${conversation.authorisationId ?? conversation.parent.id}`,
  );
}

import { forBank, line } from '../../base/command-line.ts';
import type { Step } from '../../standard/sca/next-step.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Target } from '../exchange/target.ts';

/**
 * Prints for users of the sandbox, who are its PSU as well, where the secrets are and who else can approve, before they
 * are asked or have to wait; for the bank of this run, whichever the other terminal means. Returns whether anything was printed.
 */
export function hintSandbox(
  { ownBank, inLines, psu, ports }: Target,
  conversation: Conversation,
  step: Step,
): boolean {
  const asks = step.kind === 'send' && /^psuData\.|^scaAuth/.test(step.need);
  const elsewhere = step.kind === 'redirect' || step.kind === 'oauth' || step.kind === 'wait';
  if (ownBank === undefined || !ports.person.present || !(asks || elsewhere)) return false;
  const whom = psu.id === undefined ? [] : [psu.id];
  const tell = (what: string, command: string) => {
    ports.notices.say(`${what}:  ${forBank(command, inLines)}`);
  };
  const who = psu.id ?? 'the owner of the account';
  const isPage = step.kind === 'redirect' || step.kind === 'oauth';
  const secrets = isPage
    ? `On the page of the built-in bank, log in as ${who}; PSU-ID, password and code`
    : 'Passwords and codes of the built-in bank';
  tell(secrets, line`obk sandbox people${whom}`);
  const { authorisationId, parent } = conversation;
  if (elsewhere)
    tell('To approve from another terminal', line`obk sandbox psu approve ${authorisationId ?? parent.id}`);
  return true;
}

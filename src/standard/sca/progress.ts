import { entryOf } from './entry.ts';
import type { Entry } from './entry.ts';
import { nextStep } from './next-step.ts';
import type { SendStep } from './next-step.ts';
import type { Conversation } from './state.ts';

/** The order in which authorisations ask. */
const order: readonly (Entry | undefined)[] = [
  undefined,
  'identification',
  'password',
  'additionalPassword',
  'method',
  'otp',
  'confirmation',
];

/** Whether the answer to a step demands the same again, or what comes before it. */
export function leadsBack({ need }: SendStep, after: Conversation): boolean {
  const next = nextStep(after);
  return next.kind === 'send' && order.indexOf(entryOf(next.need)) <= order.indexOf(entryOf(need));
}

/** Whether a step that was answered has led on: to a later one, to the PSU, or to the end. */
export function hasLedOn(before: Conversation, step: SendStep, after: Conversation): boolean {
  if (leadsBack(step, after)) return false;
  const { kind } = nextStep(after);
  return (kind !== 'wait' && kind !== 'stuck') || after.scaStatus !== before.scaStatus;
}

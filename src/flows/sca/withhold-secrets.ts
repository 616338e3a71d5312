import type { Conversation } from '../../sca/state.ts';
import { psuIdOf } from './sca-send.ts';
import type { Target } from '../exchange/target.ts';

/**
 * The target without the profile's secrets in a run for another PSU, so that no secret is ever sent as somebody else's;
 * `withheld` is the reason if there was one.
 */
export function withholdSecrets(
  target: Target,
  conversation: Conversation,
): { target: Target; withheld?: string } {
  const psuId = psuIdOf(target, conversation);
  const owner = target.profile.psu?.id;
  if (psuId === owner) return { target };
  const isSecret = (name: string) => name.endsWith('From');
  const hasSecret = Object.keys(target.psu).some(isSecret);
  const psu = Object.fromEntries(
    Object.entries(target.psu).filter(([name]) => !isSecret(name) && name !== 'scaMethod'),
  );
  if (!hasSecret) return { target: { ...target, psu } };
  const whose = owner === undefined ? 'that it does not name' : owner;
  return {
    target: { ...target, psu },
    withheld: `The secrets of the profile ${target.name} are those of the PSU ${whose}; they are not used for ${psuId ?? 'an unknown one'}.`,
  };
}

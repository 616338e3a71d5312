import type { Conversation } from '../../sca/state.ts';
import { psuIdOf } from './sca-send.ts';
import type { Target } from '../exchange/target.ts';

/**
 * Drops the profile's secrets from a run for another PSU, so that no secret is ever sent as somebody else's. Returns
 * the reason if a secret was withheld.
 */
export function withholdSecrets(target: Target, conversation: Conversation): string | undefined {
  const psuId = psuIdOf(target, conversation);
  const owner = target.profile.psu?.id;
  if (psuId === owner) return undefined;
  const isSecret = (name: string) => name.endsWith('From');
  const withheld = Object.keys(target.psu).some(isSecret);
  target.psu = Object.fromEntries(
    Object.entries(target.psu).filter(([name]) => !isSecret(name) && name !== 'scaMethod'),
  );
  if (!withheld) return undefined;
  const whose = owner === undefined ? 'that it does not name' : owner;
  return `The secrets of the profile ${target.name} are those of the PSU ${whose}; they are not used for ${psuId ?? 'an unknown one'}.`;
}

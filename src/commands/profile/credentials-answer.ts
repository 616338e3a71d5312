import { line } from '../../command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../errors.ts';
import { resolved } from '../../flows/inherit.ts';
import { declaredOrigins } from '../../flows/own-origins.ts';
import type { Settings } from '../../ports.ts';

/** What becomes of tokens and consents when a profile gets another address. */
export type CredentialsAnswer = 'keep' | 'drop';

/** The origins of a profile as it is saved; none for one that cannot be used. */
function originsOf(settings: Settings, name: string): string[] {
  const own = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  if (own === undefined) return [];
  try {
    return declaredOrigins(resolved(settings, name, own));
  } catch (error) {
    if (error instanceof ObkError) return [];
    throw error;
  }
}

/**
 * Settles what becomes of the tokens and consents of each profile that would leave an origin: they belong to the bank they
 * were got from. Throws NOT_CONFIRMED where nobody has said; to be called before the settings are saved.
 */
export async function settleCredentials(
  { ports: { store } }: Context,
  before: Settings,
  after: Settings,
  answer: CredentialsAnswer | undefined,
): Promise<void> {
  for (const name of Object.keys(before.profiles)) {
    const [old, now] = [originsOf(before, name), originsOf(after, name)];
    const gone = old.filter((origin) => !now.includes(origin));
    const come = now.filter((origin) => !old.includes(origin));
    if (gone.length === 0 || come.length === 0) continue;
    const { token, consentId, tokens = [] } = await store.credentials(name);
    const consents = await store.resources(name, 'consent');
    if (token === undefined && consentId === undefined && tokens.length === 0 && consents.length === 0)
      continue;
    if (answer === undefined) {
      throw new ObkError({
        code: 'NOT_CONFIRMED',
        title: `The profile ${name} has tokens or consents of ${gone.join(', ')}.`,
        detail: `Are they to go to ${come.join(', ')} from now on? Nothing was changed.`,
        hint: ['--credentials drop   # forget them', '--credentials keep   # it is the same bank'].concat(
          line`obk profile edit ${name} --base-url URL --credentials drop`,
        ),
      });
    }
    if (answer === 'drop') await store.forgetCredentials(name);
    else
      for (const consent of consents)
        await store.saveResource({ ...consent, baseUrl: come[0] ?? consent.baseUrl });
  }
}

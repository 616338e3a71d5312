import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { isOfOtherIssuer } from '../../../client/oauth/own-issuer.ts';
import { eraseTokens } from '../../../client/oauth/refresh.ts';
import { declaredOrigins } from '../../../client/profile/declared-origins.ts';
import { savedAs } from '../../../client/profile/inheritance.ts';
import type { AccessToken } from '../../../settings/records/credentials.ts';
import type { Settings } from '../../../settings/records/profile.ts';

/** The treatment of tokens and consents when a profile gets another address. */
export type CredentialsAnswer = 'keep' | 'drop';

const originsOf = (settings: Settings, name: string) => declaredOrigins(savedAs(settings, name));

/**
 * Decides what happens to the tokens and consents of each profile that would leave an origin, and to the tokens of one
 * that would name another issuer: they belong to the bank or OAuth server that issued them. Throws NOT_CONFIRMED
 * without a decision; call it before the settings are saved.
 */
export async function settleCredentials(
  context: Context,
  before: Settings,
  after: Settings,
  answer: CredentialsAnswer | undefined,
): Promise<void> {
  await settleIssuers(context, before, after, answer);
  const { credentials, resources } = context.ports;
  for (const name of Object.keys(before.profiles)) {
    const [old, now] = [originsOf(before, name), originsOf(after, name)];
    const gone = old.filter((origin) => !now.includes(origin));
    const come = now.filter((origin) => !old.includes(origin));
    if (gone.length === 0 || come.length === 0) continue;
    const { token, consentId, tokens = [] } = await credentials.read(name);
    const consents = await resources.list(name, 'consent');
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
    if (answer === 'drop') await credentials.forget(name);
    else
      for (const consent of consents)
        await resources.save({ ...consent, baseUrl: come[0] ?? consent.baseUrl });
  }
}

/** Tokens without an issuer were put there by hand, or by an earlier obk; their origin is unknown, and they stay. */
async function settleIssuers(
  { ports: { credentials } }: Context,
  before: Settings,
  after: Settings,
  answer: CredentialsAnswer | undefined,
): Promise<void> {
  for (const name of Object.keys(before.profiles)) {
    const [old, now] = [savedAs(before, name).oauth?.issuer, savedAs(after, name).oauth?.issuer];
    if (now === undefined || (old === now && answer === undefined)) continue;
    const { tokens = [] } = await credentials.read(name);
    const isForeign = ({ server }: AccessToken) => isOfOtherIssuer(now, server?.issuer);
    const [other] = tokens.filter(isForeign);
    if (other === undefined) continue;
    if (answer === undefined) {
      throw new ObkError({
        code: 'NOT_CONFIRMED',
        title: `The profile ${name} has tokens of the OAuth server ${other.server?.issuer ?? ''}.`,
        detail: `Are they to count as tokens of ${now} from now on? Nothing was changed.`,
        hint: [
          line`obk profile edit ${name} --oauth-issuer ${now} --credentials drop   # forget them`,
          line`obk profile edit ${name} --oauth-issuer ${now} --credentials keep   # it is the same server`,
        ],
      });
    }
    if (answer === 'drop') await eraseTokens({ name, ports: { credentials } }, isForeign);
    else await renameIssuer(credentials, name, isForeign, now);
  }
}

/** Where the tokens are refreshed stays: each goes back to whom it came from. */
async function renameIssuer(
  credentials: Context['ports']['credentials'],
  name: string,
  which: (token: AccessToken) => boolean,
  issuer: string,
): Promise<void> {
  await credentials.update(name, (before) => ({
    ...before,
    tokens: (before.tokens ?? []).map((one) =>
      which(one) && one.server !== undefined ? { ...one, server: { ...one.server, issuer } } : one,
    ),
  }));
}

import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Environment, Profile } from '../../settings/records/profile.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { declaredOrigins } from './declared-origins.ts';

/** A profile, as far as it says whether it may be put under load. */
interface UnderLoad {
  name: string;
  environment: Environment;
  profile: Profile;
}

/**
 * Load goes to this machine only. Throws POLICY before anything is sent.
 */
export function needLoadAllowed({ name, environment, profile }: UnderLoad): void {
  if (environment === 'production')
    throw refused(`The profile ${name} is of production, which is never put under load.`, [
      line`obk profile show ${name}`,
    ]);
  const away = [...declaredOrigins(profile), ...authOrigins(profile)].find(
    (origin) => !isLoopback(parseUrl(origin)?.hostname ?? ''),
  );
  if (away === undefined) return;
  throw refused(`Load may not leave this machine, and the profile ${name} leads to ${away}.`, [
    'obk journey run pay.yaml --arrivals 5/s --for 2s --profile sandbox',
  ]);
}

/** The origins of the bank's authorization server, as far as the profile names them. */
function authOrigins({ auth = {}, oauth = {} }: Profile): string[] {
  return [auth.authorizeUrl, auth.tokenUrl, oauth.metadata, oauth.issuer].flatMap(
    (url) => parseUrl(url ?? '')?.origin ?? [],
  );
}

function refused(title: string, hint: readonly string[]): ObkError {
  return new ObkError({ code: 'POLICY', title, detail: 'Nothing was sent to it.', hint });
}

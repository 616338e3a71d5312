import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { AccessToken } from '../../settings/records/credentials.ts';
import { parseUrl, urlOf } from '../../base/url.ts';
import type { Target } from '../exchange/target.ts';
import { guardIssuer } from '../oauth/own-issuer.ts';
import type { Composed } from './bank-headers.ts';

/** Credentials and ids in a call that only the bank which issued them may see. */
export interface Carried {
  /** Undefined also for OBK_TOKEN, which is given for this very run. */
  token: Pick<AccessToken, 'origin' | 'server'> | undefined;
  consentId: string | undefined;
  secretBody: boolean;
  secretHeaders: Composed['secrets'];
}

/**
 * Throws CREDENTIALS_ELSEWHERE before a token, a consent, a password or a secret header goes to another origin than those
 * of the profile and the one it was got from; --base-url and OBK_BASE_URL may name any.
 */
export async function guardOrigin(target: Target, url: string, carried: Carried): Promise<void> {
  const { ownOrigins: own, run, name, ports } = target;
  if (!run.dryRun) guardIssuer(target, carried.token?.server?.issuer);
  const { token, consentId, secretBody, secretHeaders } = carried;
  if (token === undefined && consentId === undefined && !secretBody && secretHeaders.length === 0) return;
  const { origin } = urlOf(url);
  if (own === undefined || run.dryRun || run.sendCredentialsTo?.includes(origin) === true) return;
  const isOwn = own.includes(origin);
  const refuse = (what: string, from: string) => {
    throw elsewhere(name, what, from, origin);
  };
  const declared = own.join(', ');
  if (token !== undefined && (token.origin === undefined ? !isOwn : token.origin !== origin))
    refuse('The access token', token.origin ?? declared);
  const saved = consentId === undefined ? undefined : await ports.resources.find(name, 'consent', consentId);
  const from = parseUrl(saved?.baseUrl ?? '')?.origin;
  if (from !== undefined && from !== origin && !(isOwn && own.includes(from))) refuse('The consent', from);
  if (isOwn) return;
  if (secretBody) refuse('The password, one-time password or code', declared);
  const [secret] = secretHeaders;
  if (secret !== undefined) refuse(`The header ${secret.name}`, declared);
}

function elsewhere(name: string, what: string, from: string, origin: string): ObkError {
  return new ObkError({
    code: 'CREDENTIALS_ELSEWHERE',
    title: `${what} of the profile ${name} belongs to ${from} and is not sent to ${origin}.`,
    detail: 'Nothing was sent with it. --base-url and OBK_BASE_URL may lead anywhere.',
    hint: [
      line`--send-credentials-to ${origin}   # for this run`,
      line`obk profile edit ${name} --origin ${origin}   # if it is the same bank`,
    ],
  });
}

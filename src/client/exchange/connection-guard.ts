import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { isLoopback, parseUrl, urlOf } from '../../base/url.ts';
import { needAllowedCall } from './allowed-call.ts';
import { serviceAddresses } from '../profile/declared-origins.ts';
import type { Prepared } from './prepared.ts';
import type { Target } from './target.ts';

/**
 * Says of each call that its connection can be read or forged where the profile or --insecure allows such, and throws
 * CONNECTION_INSECURE before anything leaves where the call holds what must not go over one.
 */
export function guardConnection(target: Target, prepared: Prepared): void {
  const { request, hasSecret } = prepared;
  needAllowedCall(target, prepared);
  const { protocol, hostname, host } = urlOf(request.url);
  const { notices } = target.ports;
  const token = request.headers.some(
    ([name, value]) => value instanceof Secret || name.toLowerCase() === 'authorization',
  );
  if (protocol === 'http:' && !isLoopback(hostname)) {
    if (token || hasSecret) {
      const what = token ? 'An access token or key' : 'A password, a one-time password or a code';
      throw refused(`${what} is not sent over plain http, to ${host}.`, target);
    }
    // An origin of the profile to which a link leads may be such an address, too.
    if (target.profile.allowHttp !== true)
      throw refused(`Nothing is sent over plain http, to ${host}.`, target);
    notices.warn(`Plain http to ${host}: anybody on the way can read this call and change it.`);
  }
  if (protocol === 'https:' && target.run.insecure === true) {
    if (token) throw refused(`An access token or key is not sent with --insecure, to ${host}.`, target);
    if (hasSecret)
      throw refused(
        `A password, a one-time password or a code is not sent with --insecure, to ${host}.`,
        target,
      );
    notices.warn(`--insecure: the certificate of ${host} is not checked; anybody may answer in its place.`);
  }
}

/** Throws CONNECTION_INSECURE where --insecure or allowHttp is asked for and the profile may not have it. */
export function checkInsecure(target: Pick<Target, 'name' | 'environment' | 'profile' | 'run'>): void {
  const { name, environment, profile, run } = target;
  const addresses = [profile.baseUrl ?? '', ...serviceAddresses(profile)];
  const here = addresses.every((address) => isLoopback(parseUrl(address)?.hostname ?? ''));
  if (run.insecure === true && (environment === 'production' || (environment !== 'sandbox' && !here))) {
    throw new ObkError({
      code: 'CONNECTION_INSECURE',
      title: `--insecure is not allowed for the profile ${name} (${environment}).`,
      detail:
        'Without a check of its certificate anybody may answer; obk skips the check only for a sandbox or this machine.',
      hint: [line`obk profile edit ${name} --ca FILE   # the CA of the bank`],
    });
  }
  if (profile.allowHttp === true && environment === 'production') {
    throw new ObkError({
      code: 'CONNECTION_INSECURE',
      title: `The profile ${name} is a production profile and must not allow plain http.`,
      hint: [line`obk profile edit ${name} --allow-http no`],
    });
  }
}

function refused(title: string, { name }: Target): ObkError {
  return new ObkError({
    code: 'CONNECTION_INSECURE',
    title,
    detail: 'The request was not sent.',
    hint: [
      line`obk profile edit ${name} --base-url https://...`,
      line`obk profile edit ${name} --ca FILE   # the CA of the bank`,
    ],
  });
}

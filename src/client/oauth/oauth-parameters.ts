import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { OauthParameters } from '../../settings/records/bank-descriptor.ts';
import type { Target } from '../exchange/target.ts';
import type { OauthCall } from './oauth-transport.ts';

/** The parameters of OAuth2 as the bank calls them: some renamed, some added. */
export function asBankWants(
  given: URLSearchParams,
  { rename = {}, add = {} }: OauthParameters = {},
): URLSearchParams {
  const wanted = new URLSearchParams();
  for (const [name, value] of given)
    wanted.append(Object.hasOwn(rename, name) ? (rename[name] ?? name) : name, value);
  for (const [name, value] of Object.entries(add)) wanted.set(name, value);
  return wanted;
}

/** A state as the bank takes it: at most so long, and without the texts that it forbids; never below 128 random bits. */
export function stateFor({ ports, profile, name }: Pick<Target, 'ports' | 'profile' | 'name'>): string {
  const { maxLength = 32, forbid = [] } = profile.auth?.state ?? {};
  const octets = Math.max(16, Math.min(24, Math.floor((maxLength * 3) / 4)));
  const isForbidden = (state: string) =>
    forbid.some((text) => state.toLowerCase().includes(text.toLowerCase()));
  const { ids } = ports;
  let state = ids.token(octets);
  for (let round = 0; round < 100 && isForbidden(state); round += 1) state = ids.token(octets);
  if (!isForbidden(state)) return state;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: 'No state for the login is without what auth.state.forbid names.',
    detail: 'Of a hundred random ones each held one of these texts; nothing was sent.',
    hint: [line`obk config unset auth.state.forbid --profile ${name}   # where the bank takes any`],
  });
}

/** The claim of a token that is a JWT; undefined where it is none or has no such text. Nothing is proved by it. */
export function claimOf(token: string, claim: string): string | undefined {
  const [, body, signature] = token.split('.');
  if (body === undefined || signature === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    const value: unknown =
      typeof claims === 'object' && claims !== null && Object.hasOwn(claims, claim)
        ? Reflect.get(claims, claim)
        : undefined;
    return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A token request with the parameters of the bank, in the form or in the query. */
export function tokenCall(
  { profile, signing }: Target,
  { clientId }: { clientId: string },
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: URLSearchParams },
): OauthCall {
  const { token, clientId: kind } = profile.auth ?? {};
  const form = asBankWants(body, token);
  // The token of the TPP itself comes first: until then the certificate alone names the key.
  const isNamed = kind === 'tokenReply' && body.get('grant_type') !== 'client_credentials';
  const signed = token?.signed === true &&
    signing.mode !== 'none' && { signed: isNamed ? { keyId: clientId } : {} };
  const call = { id: 'oauthToken', method: 'POST', headers, ...signed } as const;
  if (token?.placement !== 'query') return { ...call, url, form };
  const asked = `${url}${url.includes('?') ? '&' : '?'}${form.toString().replaceAll('+', '%20')}`;
  return { ...call, url: asked, form: new URLSearchParams() };
}

/**
 * The same with the client_secret where the profile has one (RFC 6749 section 2.3.1): in the form, wherever the other parameters
 * stand, since addresses are kept in logs. Throws SECRET_REFERENCE.
 */
export async function asClient({ profile, ports }: Target, call: OauthCall): Promise<OauthCall> {
  const { clientSecretFrom } = profile.oauth ?? {};
  if (clientSecretFrom === undefined) return call;
  const secret = await ports.secrets.read(clientSecretFrom, 'the client_secret');
  const form = new URLSearchParams(call.form);
  form.set('client_secret', secret.reveal());
  return { ...call, form };
}

/** The client_id that the reply of a token gives, for a bank that names its clients so (auth.clientId). */
export function clientIdIn(
  { profile }: Target,
  reply: Readonly<Record<string, unknown>>,
): string | undefined {
  const given = reply['client_id'];
  if (profile.auth?.clientId !== 'tokenReply' || typeof given !== 'string') return undefined;
  return /^[!-~]{1,200}$/.test(given) && !/["{}\\]/.test(given) ? given : undefined;
}

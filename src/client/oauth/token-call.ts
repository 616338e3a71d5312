import type { Target } from '../exchange/target.ts';
import { asBankWants } from './oauth-parameters.ts';
import type { OauthCall } from './oauth-transport.ts';

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

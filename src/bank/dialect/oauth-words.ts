import type { AuthOfBank, OauthParameters } from '../../settings/records/bank-descriptor.ts';
import { createHash } from 'node:crypto';

/** The parameters of a request of OAuth2 in the words of the standard, or why this bank does not take it. */
type StandardParameters = { query: URLSearchParams } | { wrong: string };

/** The parameters of an authorization request, whose scope is in the words of the standard too. */
export function authorizeParameters(auth: AuthOfBank, sent: URLSearchParams): StandardParameters {
  const renamed = withoutDepartures(sent, auth.authorize);
  if ('wrong' in renamed) return renamed;
  const { query } = renamed;
  const { responseType, state: { maxLength, forbid = [] } = {} } = auth;
  if (responseType !== undefined) {
    if (query.get('response_type') !== responseType)
      return { wrong: `The word for response_type is ${responseType}.` };
    query.set('response_type', 'code');
  }
  const state = query.get('state') ?? '';
  if (maxLength !== undefined && state.length > maxLength)
    return { wrong: `A state has ${String(maxLength)} characters at most.` };
  const word = forbid.find((text) => state.toLowerCase().includes(text.toLowerCase()));
  if (word !== undefined) return { wrong: `A state must not hold ${word}.` };
  const scope = standardScope(auth.scope, query.get('scope') ?? '');
  if (scope === undefined) return { wrong: 'The scope is none of this bank.' };
  // A parameter that comes twice stays so, and is refused for that.
  if (scope !== query.get('scope')) query.set('scope', scope);
  return { query };
}

/** The parameters of a request for a token; they stand in the query where the description says so. */
export function tokenParameters(
  auth: AuthOfBank,
  sent: { form: URLSearchParams; query: URLSearchParams },
): StandardParameters {
  const inQuery = auth.token?.placement === 'query';
  const [there, elsewhere] = inQuery ? [sent.query, sent.form] : [sent.form, sent.query];
  if (elsewhere.size > 0) return { wrong: `Parameters stand in the ${inQuery ? 'query' : 'form'} here.` };
  const renamed = withoutDepartures(there, auth.token);
  if ('wrong' in renamed) return renamed;
  const octets = auth.pkce?.verifierOctets;
  const verifier = renamed.query.get('code_verifier');
  // Base64url without padding.
  if (octets !== undefined && verifier !== null && verifier.length !== Math.ceil((octets * 4) / 3))
    return { wrong: `A verifier is made of ${String(octets)} octets.` };
  return renamed;
}

function withoutDepartures(
  sent: URLSearchParams,
  { rename = {}, add = {} }: OauthParameters = {},
): StandardParameters {
  const missing = Object.entries(add).find(([name, value]) => sent.get(name) !== value);
  if (missing !== undefined) return { wrong: `${missing[0]} is not ${missing[1]}.` };
  const [usual, own] =
    Object.entries(rename).find(([name, other]) => sent.has(name) && !sent.has(other)) ?? [];
  if (usual !== undefined && own !== undefined) return { wrong: `${usual} is called ${own} here.` };
  const known = new Map(Object.entries(rename).map(([name, own]) => [own, name]));
  const query = new URLSearchParams();
  for (const [name, value] of sent) {
    // A name of the standard that this bank calls otherwise means nothing here.
    if (Object.hasOwn(rename, name) || Object.hasOwn(add, name)) continue;
    query.append(known.get(name) ?? name, value);
  }
  return { query };
}

type Scopes = NonNullable<AuthOfBank['scope']>;
const services = { pis: 'PIS', ais: 'AIS', piis: 'PIIS' } as const;

/** A scope in the words of the standard; undefined where it is one of those that this bank calls otherwise. */
function standardScope(scopes: Scopes = {}, scope: string): string | undefined {
  const own = Object.entries(services).flatMap(([name, service]) => {
    const template = scopes[name as keyof typeof services];
    return template === undefined ? [] : [{ template, service }];
  });
  if (own.length === 0) return scope;
  for (const { template, service } of own) {
    const id = idIn(template, scope);
    if (id !== undefined) return `${service}:${id}`;
  }
  const sent = scope.split(' ');
  // A service may have several words, all of which must be there.
  const met = own.filter(({ template }) => template.split(' ').every((word) => sent.includes(word)));
  const known = new Set(['offline_access', ...met.flatMap(({ template }) => template.split(' '))]);
  if (met.length === 0 || sent.some((word) => !known.has(word))) return undefined;
  const more = sent.includes('offline_access') ? ['offline_access'] : [];
  return [...new Set(met.map(({ service }) => service)), ...more].join(' ');
}

/** The id of a resource in a scope, by a template such as `AIS: {consentId}`. */
function idIn(template: string, scope: string): string | undefined {
  const [before = '', after] = template.split(/\{(?:paymentId|consentId|basketId)\}/);
  if (after === undefined || !scope.startsWith(before) || !scope.endsWith(after)) return undefined;
  const id = scope.slice(before.length, scope.length - after.length);
  return /^[^ ]+$/.test(id) ? id : undefined;
}

/** The name that a bank may give a TPP as client, in place of the organizationIdentifier. */
export const clientIdOf = (tpp: string): string =>
  createHash('sha256').update(`client ${tpp}`).digest('hex').slice(0, 32);

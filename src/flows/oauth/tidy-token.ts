import { JsonNumber, isJsonObject, writeJson } from '../../xs2a/json.ts';
import type { JsonObject } from '../../xs2a/json.ts';
import { tryJson } from '../../xs2a/tpp-messages.ts';

const optional = ['scope', 'refresh_token', 'expires_in', 'id_token'];

/**
 * The answer of a token endpoint (RFC 6749, section 5.1) without optional members that are null or empty, which mean that they
 * are absent; a lifetime written as a text is a number, and a missing token_type is Bearer, the only one there is here.
 */
export function tidyToken(text: string): string {
  const json = tryJson(text);
  if (!isJsonObject(json) || typeof json['access_token'] !== 'string') return text;
  const tidy = Object.create(null) as JsonObject;
  for (const [name, value] of Object.entries(json)) {
    const isAbsent = value === null || (typeof value === 'string' && value.trim() === '');
    if (isAbsent && (optional.includes(name) || name === 'token_type')) continue;
    const isLifetime =
      name === 'expires_in' && typeof value === 'string' && /^[0-9]{1,9}$/.test(value.trim());
    tidy[name] = isLifetime ? new JsonNumber(String(Number(value.trim()))) : value;
  }
  tidy['token_type'] ??= 'Bearer';
  return writeJson(tidy);
}

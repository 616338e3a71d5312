import { JsonNumber, isJsonObject, writeJson } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { Tolerate } from '../../standard/xs2a/tolerated.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';

const optional = ['scope', 'refresh_token', 'expires_in', 'id_token', 'token_type'];

/**
 * The answer of a token endpoint (RFC 6749, section 5.1) without optional members that are null or empty, which mean that they
 * are absent; a lifetime written as a text is a number, and a missing token_type is Bearer, the only one there is here. Notes
 * what it had to tidy.
 */
export function tidyToken(text: string, tolerate?: Tolerate): string {
  const json = tryJson(text);
  if (!isJsonObject(json) || typeof json['access_token'] !== 'string') return text;
  const tidy = Object.create(null) as JsonObject;
  for (const [name, value] of Object.entries(json)) {
    if (optional.includes(name) && isAbsent(value)) tolerate?.(`/${name}`, `${name} is null or empty`);
    else tidy[name] = name === 'expires_in' ? lifetime(value, tolerate) : value;
  }
  if (tidy['token_type'] === undefined) {
    tolerate?.('/token_type', 'token_type is missing: the token is taken for a bearer token');
    tidy['token_type'] = 'Bearer';
  }
  return writeJson(tidy);
}

const isAbsent = (value: JsonValue): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

function lifetime(value: JsonValue, tolerate: Tolerate | undefined): JsonValue {
  if (typeof value !== 'string' || !/^\s*[0-9]{1,9}\s*$/.test(value)) return value;
  tolerate?.('/expires_in', 'expires_in is a text and not a number');
  return new JsonNumber(String(Number(value)));
}

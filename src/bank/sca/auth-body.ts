import type { RunningBank } from '../trust/call.ts';
import type { Move } from './conversation.ts';
import { isJsonObject } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import { decryptPassword } from './password-encryption.ts';
import { formatError } from '../rules/refusal.ts';

/** The content of an authorisation body: a move of the PSU, or a confirmation code. */
export type Carried = Move | { kind: 'code'; code: string };

/** Reads an authorisation body; undefined for an identification, which travels in the headers. */
export function readAuthBody(bank: RunningBank, body: unknown): Carried | undefined {
  if (body !== undefined && !isJsonObject(body as JsonValue)) throw unknownForm();
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const [key, ...others] = Object.keys(fields);
  if (others.length > 0) throw unknownForm();
  const take = (name: string) => text(fields[name], name);
  switch (key) {
    case undefined:
      return undefined;
    case 'psuData':
      return readPsuData(bank, fields['psuData']);
    case 'authenticationMethodId':
      return { kind: 'select', methodId: take(key) };
    case 'scaAuthenticationData':
      return { kind: 'otp', otp: take(key) };
    case 'confirmationCode':
      return { kind: 'code', code: take(key) };
    default:
      throw unknownForm(key);
  }
}

const forms: Readonly<Record<string, { which: 'password' | 'additionalPassword'; encrypted: boolean }>> = {
  password: { which: 'password', encrypted: false },
  encryptedPassword: { which: 'password', encrypted: true },
  additionalPassword: { which: 'additionalPassword', encrypted: false },
  additionalEncryptedPassword: { which: 'additionalPassword', encrypted: true },
};

function readPsuData(bank: RunningBank, value: unknown): Move {
  const psuData = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const [key = 'password', ...others] = Object.keys(psuData);
  const form = forms[key];
  if (form === undefined || others.length > 0) throw unknownForm('psuData');
  const path = `psuData.${key}`;
  const sent = text(psuData[key], path);
  if (!form.encrypted) return { kind: 'password', ...form, password: sent };
  const kind = bank.dialect?.settings.sca?.passwordEncryption?.kind;
  const password = decryptPassword(bank.ledger, sent, kind);
  if (password === undefined) throw formatError(`${path} is not encrypted for this bank.`, path);
  return { kind: 'password', ...form, password };
}

function text(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw formatError(`${path} is not a string.`, path);
}

const unknownForm = (path?: string) => formatError('The body has none of the known forms.', path);

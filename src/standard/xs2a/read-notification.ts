import { defined } from '../../base/defined.ts';
import { isJsonObject, readJson } from './json.ts';
import type { JsonObject } from './json.ts';
import { badId } from './request.ts';

type Noun = 'payment' | 'consent' | 'basket';

/** What a notification says: which resource it is about, and which status it tells. Nobody has confirmed it. */
export interface Told {
  noun: Noun;
  id: string;
  /** The authorisation of the resource, or of its cancellation. */
  authorisationId?: string;
  cancels?: true;
  transactionStatus?: string;
  consentStatus?: string;
  scaStatus?: string;
}

/** Each id in the spelling of the file and in that of the guide's own example. */
const spellings = {
  payment: ['paymentId', 'payment-ID'],
  consent: ['consentId', 'consent-ID'],
  basket: ['basketId', 'basket-ID'],
} as const satisfies Record<Noun, readonly string[]>;

/** Reads the body of a notification (guide 1.0, 6.1.1); undefined where it is none. */
export function readNotification(body: Uint8Array): Told | undefined {
  const json = jsonIn(body);
  if (json === undefined) return undefined;
  const named = (Object.keys(spellings) as Noun[]).flatMap((noun) => {
    const id = textIn(json, spellings[noun]);
    return id === undefined ? [] : [{ noun, id }];
  });
  const [resource, ...others] = named;
  if (resource === undefined || others.length > 0 || badId(resource.id) !== undefined) return undefined;
  const authorisation = textIn(json, ['authorisationId', 'authorisation-ID']);
  const cancellation = textIn(json, ['cancellationId', 'cancellation-ID']);
  const authorisationId = cancellation ?? authorisation;
  if (authorisationId !== undefined && badId(authorisationId) !== undefined) return undefined;
  const statuses = (['transactionStatus', 'consentStatus', 'scaStatus'] as const).flatMap((name) => {
    const status = textIn(json, [name]);
    return status !== undefined && /^[A-Za-z0-9_-]{1,40}$/.test(status) ? [[name, status] as const] : [];
  });
  return {
    ...resource,
    ...defined({ authorisationId }),
    ...(cancellation !== undefined && { cancels: true as const }),
    ...Object.fromEntries(statuses),
  };
}

function jsonIn(body: Uint8Array): JsonObject | undefined {
  try {
    const json = readJson(body, { code: 'INPUT_INVALID' });
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function textIn(json: JsonObject, names: readonly string[]): string | undefined {
  const found = names.flatMap((name) => {
    const value = json[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return found[0];
}

import { basketOf } from './basket-store.ts';
import type { Call, RunningBank } from './call.ts';
import { hasTokens } from './oauth-tokens.ts';
import { ownerOf, authorisersOf } from './parents.ts';
import type { Parent } from './parents.ts';
import { findPayment } from './payment-store.ts';
import type { Payment } from './payment-store.ts';
import { findPerson } from './people.ts';
import type { LedgerPerson } from './people.ts';
import { formatError, Refusal, resourceUnknown, unauthorised } from './refusal.ts';
import { settle } from './timers.ts';

/** The payment of the path, if this TPP made it under this service and product; throws RESOURCE_UNKNOWN. */
export function requirePayment(bank: RunningBank, call: Call): Payment {
  const { main } = bank.ledger;
  settle(main, call.now);
  const payment = findPayment(main, call.params.paymentId ?? '');
  const mine =
    payment?.tpp === call.tpp &&
    payment.service === call.params['payment-service'] &&
    payment.product === call.params['payment-product'];
  if (!mine) throw resourceUnknown('payment');
  checkToken(bank, call, payment.paymentId);
  return payment;
}

/** A token is for its own resource; whether there must be one is a matter of the scenario. */
export function checkToken({ ledger }: RunningBank, { token, scenario }: Call, resourceId: string): void {
  if (token !== undefined && token.resourceId !== resourceId)
    throw unauthorised('TOKEN_INVALID', 'The token is for another resource.');
  if (token === undefined && scenario.oauthToken === 'required' && hasTokens(ledger.main, resourceId))
    throw unauthorised('TOKEN_UNKNOWN', 'The token of this resource is missing.');
}

/** Throws RESOURCE_BLOCKED where it is in a basket whose authorisations have begun. */
export function checkFree({ ledger }: RunningBank, { kind, id }: Pick<Parent, 'kind' | 'id'>): void {
  if (kind === 'basket' || basketOf(ledger.main, id) !== 'PATC') return;
  throw new Refusal(400, 'RESOURCE_BLOCKED', 'It is authorised with its signing basket.');
}

/** The PSU with this PSU-ID; throws PSU_CREDENTIALS_INVALID or SERVICE_BLOCKED. */
export function requirePerson(bank: RunningBank, psuId: string): LedgerPerson {
  const person = findPerson(bank.ledger.main, psuId);
  if (person === undefined) throw unauthorised('PSU_CREDENTIALS_INVALID', 'The bank knows no such PSU-ID.');
  if (person.blocked === true || person.locked)
    throw new Refusal(403, 'SERVICE_BLOCKED', 'The bank has blocked this service for the PSU.');
  return person;
}

/** The PSU whom the header PSU-ID names, if it was sent. */
export function personOfCall(bank: RunningBank, call: Call): LedgerPerson | undefined {
  const psuId = call.headers.get('psu-id');
  return psuId === null || psuId === '' ? undefined : requirePerson(bank, psuId);
}

/** Whether this PSU has a say in the debtor's account; throws FORMAT_ERROR where it is no account of a PSU of this bank. */
export function maySpend(bank: RunningBank, iban: string, psuId: string | undefined): boolean {
  const owner = ownerOf(bank.ledger.main, iban);
  if (owner === undefined) {
    throw formatError('The debtor account is not kept at this bank.', 'debtorAccount.iban');
  }
  return psuId === undefined || authorisersOf(owner).includes(psuId);
}

/** The value of a boolean header, which the gate has checked. */
export function flagOf(call: Call, name: string): boolean | undefined {
  const value = call.headers.get(name);
  return value === null ? undefined : value === 'true';
}

import { exitCodes } from '../../base/errors.ts';
import type { ErrorParts, ExitCode, Refused } from '../../base/errors.ts';
import type { Operation, Parent } from './operations.ts';

const subjects: Record<Parent, string> = {
  payment: 'the payment',
  cancellation: 'the cancellation',
  consent: 'the consent',
  basket: 'the signing basket',
  account: 'the account access',
  'card-account': 'the card account access',
  funds: 'the funds confirmation',
};

/** The things that are made, shown, authorised and ended. */
const things: Partial<Record<Parent, Refused>> = {
  payment: 'payment',
  cancellation: 'cancellation',
  consent: 'consent',
  basket: 'basket',
};

/** The codes by which a bank refuses the customer, whatever was asked for. */
const ofCustomer: Readonly<Record<string, string>> = {
  PSU_CREDENTIALS_INVALID: 'The bank did not accept the customer.',
  CORPORATE_ID_INVALID: 'The bank did not accept the company of the customer.',
  SERVICE_BLOCKED: 'The bank has blocked this service for the customer.',
};

/** Says what a complete answer has refused: in the title, and with exit 9 in a word for scripts. */
export function saidOf(
  operation: Operation,
  { status, exit, code = '' }: { status: number; exit: ExitCode; code?: string | undefined },
): Pick<ErrorParts, 'title' | 'refused'> {
  if (status >= 500 && status !== 501)
    return { title: `The bank could not handle ${subjects[operation.parent]}.` };
  const title = `The bank refused ${actOf(operation)}.`;
  if (exit !== exitCodes.declined) return { title };
  if (Object.hasOwn(ofCustomer, code)) return { title: ofCustomer[code] ?? title, refused: 'psu' };
  if (code === 'SCA_INVALID')
    return {
      title: `The authorisation of ${subjects[operation.parent]} has failed.`,
      refused: thingOf(operation),
    };
  return { title, refused: thingOf(operation) };
}

/** What the bank was asked for: to make the thing, to show it, to authorise it or to end it. */
function actOf({ method, body, parent }: Operation): string {
  const subject = subjects[parent];
  if (things[parent] === undefined) return subject;
  if (body === 'authorisation') return `the authorisation of ${subject}`;
  if (method === 'GET') return `to show ${subject}`;
  if (method === 'DELETE') return parent === 'payment' ? 'the cancellation' : `to delete ${subject}`;
  return subject;
}

const thingOf = ({ method, parent }: Operation): Refused | undefined =>
  method === 'DELETE' && parent === 'payment' ? 'cancellation' : things[parent];

import { cleanLine } from '../../base/clean.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Parent } from '../../standard/sca/state.ts';
import { amountText, payeeText } from '../orders/payment-summary.ts';

/** What an authorisation is for, in words by which a person recognises it: `cancellation of 7.00 EUR to G`. */
export function subjectOf(resource: SavedResource, kind: Parent['kind']): string {
  return cleanLine(words(resource, kind));
}

/** What the secret that is asked for will do: `Confirms: cancellation of 7.00 EUR to G at acme`. */
export function confirmsText(profile: string, resource: SavedResource, kind: Parent['kind']): string {
  return `Confirms: ${subjectOf(resource, kind)} at ${profile}`;
}

function words({ id, summary, consent, basket }: SavedResource, kind: Parent['kind']): string {
  switch (kind) {
    case 'payment':
      return summary === undefined ? `payment ${id}` : `payment of ${moneyText(summary)}`;
    case 'cancellation':
      return `cancellation of ${summary === undefined ? `payment ${id}` : moneyText(summary)}`;
    case 'deletion':
      return `deletion of consent ${id}`;
    case 'consent': {
      const isOpen = consent === undefined || consent.validUntil.startsWith('9999');
      return `access to accounts${isOpen ? '' : ` until ${consent.validUntil}`} (consent ${id})`;
    }
    case 'basket': {
      const members = [
        ...counted(basket?.paymentIds, 'payment'),
        ...counted(basket?.consentIds, 'consent'),
      ].join(' and ');
      return `signing basket ${id}${members === '' ? '' : ` of ${members}`}`;
    }
  }
}

const moneyText = (summary: NonNullable<SavedResource['summary']>) =>
  `${amountText(summary).trim()} to ${payeeText(summary)}`;

function counted(ids: readonly string[] = [], noun: string): string[] {
  return ids.length === 0 ? [] : [`${String(ids.length)} ${noun}${ids.length === 1 ? '' : 's'}`];
}

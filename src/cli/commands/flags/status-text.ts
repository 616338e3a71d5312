import { cleanLine } from '../../../base/clean.ts';
import type { Style } from '../../render/style.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import { consentStatus, transactionStatus } from '../../../standard/xs2a/codes.ts';

/** The wire name of each noun's status. */
export const statusNames = {
  payment: 'transactionStatus',
  consent: 'consentStatus',
  basket: 'transactionStatus',
} as const satisfies Record<Noun, string>;

/** A transactionStatus or consentStatus with its meaning. */
export function statusText(status: string | undefined, style: Style, noun: Noun = 'payment'): string {
  if (status === undefined) return 'status not known';
  const look = noun === 'consent' ? lookOfConsent(status) : lookOfTransaction(status);
  if (look === undefined) return `${cleanLine(status)} (a status that obk does not know)`;
  return `${style[look.tone](status)} · ${look.meaning}`;
}

interface StatusTone {
  tone: 'good' | 'bad' | 'warn';
  meaning: string;
}

function lookOfTransaction(status: string): StatusTone | undefined {
  const fact = transactionStatus(status);
  if (fact === undefined) return undefined;
  const { kind, meaning } = fact;
  const bad = kind === 'rejected' || kind === 'cancelled' || kind === 'partly';
  const good = kind === 'settled' || kind === 'accepted';
  return { tone: bad ? 'bad' : good ? 'good' : 'warn', meaning };
}

function lookOfConsent(status: string): StatusTone | undefined {
  const fact = consentStatus(status);
  if (fact === undefined) return undefined;
  return { tone: fact.usable ? 'good' : fact.final ? 'bad' : 'warn', meaning: fact.meaning };
}

/** The name of each noun for people. */
export const titles = { payment: 'Payment', consent: 'Consent', basket: 'Basket' } as const;

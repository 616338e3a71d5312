import type { OperationId } from '../../standard/xs2a/operations.ts';
import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import type { Call, Handler, Reply, RunningBank } from '../trust/call.ts';
import type { Consent } from '../stores/consent-store.ts';
import type { Database } from '../books/database.ts';
import { isoDay } from '../books/life-cycle.ts';
import { formatError, Refusal, unauthorised } from '../rules/refusal.ts';
import { seenAccounts } from '../stores/seen-accounts.ts';
import type { SeenAccount } from '../stores/seen-accounts.ts';
import { doDueWork } from '../sca/timers.ts';
import { usableConsent } from '../payments/permits.ts';

/** A call to read accounts, with the consent that allows it. */
export interface AccountCall {
  bank: RunningBank;
  call: Call;
  consent: Consent;
  /** The accounts, or the card accounts, of the consent. */
  seen: readonly SeenAccount[];
}

/**
 * Handles a read of accounts in one transaction: checks the consent and the count of reads without the PSU, then reads.
 */
export function readsAccounts(kind: 'account' | 'card', act: (read: AccountCall) => Reply): Handler {
  return (bank, call) => {
    const { main } = bank.ledger;
    doDueWork(main, call.now);
    return main.atomically(() => {
      const consent = usableConsent(bank, call);
      const seen = seenAccounts(bank.ledger, consent).filter(({ isCard }) => isCard === (kind === 'card'));
      count(main, call, consent);
      return act({ bank, call, consent, seen });
    });
  };
}

/** A read of the account in the path. */
export function readsAccount(
  kind: 'account' | 'card',
  act: (read: AccountCall, account: SeenAccount) => Reply,
): Handler {
  return readsAccounts(kind, (read) => {
    const found = read.seen.find(
      ({ id, addressable }) => addressable && id === read.call.params['account-id'],
    );
    if (found === undefined) throw new Refusal(404, 'RESOURCE_UNKNOWN', 'The consent has no such account.');
    return act(read, found);
  });
}

/** A right that the consent must hold; throws CONSENT_INVALID. */
export function demand(has: boolean, what: string): void {
  if (!has) throw unauthorised('CONSENT_INVALID', `The consent does not cover ${what}.`);
}

/**
 * Counts a call without the PSU (guidelines 6.2): by operation, account and transaction; under a
 * consent for one use, every call counts. Further pages belong to the first. Throws ACCESS_EXCEEDED.
 */
function count(database: Database, call: Call, consent: Consent): void {
  const { operation, params, now, headers } = call;
  if (consent.recurring && headers.has('psu-ip-address')) return;
  if (isFurtherPage(call)) return;
  const place = [params['account-id'] ?? '', params.transactionId ?? ''].join(' ');
  // A consent for one use is counted over all days.
  const key = [consent.consentId, operation.id, place, consent.recurring ? isoDay(now) : ''] as const;
  const used = database.one<{ calls: bigint }>(
    'SELECT calls FROM uses WHERE consentId = ? AND operation = ? AND place = ? AND day = ?',
    ...key,
  );
  const calls = Number(used?.calls ?? 0n);
  if (calls >= consent.frequencyPerDay) {
    const often = calls === 1 ? 'once' : `${String(calls)} times`;
    const when = consent.recurring ? 'today without the PSU' : 'with a consent for one use';
    throw new Refusal(429, 'ACCESS_EXCEEDED', `This was read ${often} ${when}.`);
  }
  database.run(
    'INSERT OR REPLACE INTO uses (consentId, operation, place, day, calls) VALUES (?, ?, ?, ?, ?)',
    ...key,
    calls + 1,
  );
}

const paged: ReadonlySet<OperationId> = new Set(['getTransactionList', 'getCardAccountTransactionList']);

/**
 * Only lists of transactions have pages; elsewhere, and in banks without page numbers, these parameters are ignored.
 */
function isFurtherPage({ operation, query, scenario, variant }: Call): boolean {
  if (!paged.has(operation.id)) return false;
  const numbered = frameworkFacts[variant.framework].pageNumbers && scenario.pageNumbers === 'accept';
  return query.has('cursor') || (numbered && Number(query.get('pageIndex')) > 0);
}

/** A boolean of the query; the guidelines also write the name alone. */
export function queryFlag({ query }: Call, name: string): boolean {
  const value = query.get(name);
  if (value === null || value === 'false') return false;
  if (value === 'true' || value === '') return true;
  throw formatError(`${name} is neither true nor false.`, name);
}

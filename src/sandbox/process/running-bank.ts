import { randomUUID } from 'node:crypto';
import type { X509Certificate } from 'node:crypto';
import { ObkError } from '../../errors.ts';
import { isOperationId } from '../../xs2a/operations.ts';
import type { OperationId } from '../../xs2a/operations.ts';
import { dropOldArrivals } from '../rules/arrivals.ts';
import type { BankHome } from './bank-home.ts';
import type { Pushes, RunningBank } from '../trust/call.ts';
import { openPushes } from '../notifications/open-pushes.ts';
import { serverIdentity } from './keys.ts';
import type { KeyFiles } from './keys.ts';
import { bankClock } from '../books/clock.ts';
import type { Ledger } from '../books/ledger.ts';
import { TppCertificates } from '../../referee/signature/tpp-certificate.ts';

/** Brings the parts of a running bank together. Throws USAGE for an unknown operation. */
export function openBank(
  house: Pick<BankHome, 'clock'>,
  ledger: Ledger,
  trusted: readonly X509Certificate[],
  without: readonly string[],
  { name, idleMs = null, ending, keys, door = 'loopback' }: Running,
): RunningBank {
  dropOldArrivals(ledger.log, house.clock.now());
  const books = { ledger, clock: bankClock(ledger.main, house.clock), wallClock: house.clock };
  const identity = () => ({ ...serverIdentity(keys), ca: trusted.map((authority) => authority.toString()) });
  return {
    ...books,
    pushes: openPushes({ ...books, identity }, door),
    certificates: new TppCertificates(trusted),
    without: new Set(without.map(operationNamed)),
    // A token that is never given out; the bank gets its own once it listens.
    adminToken: randomUUID(),
    name,
    ending,
    idleMs,
  };
}

/** What distinguishes one running bank from another, its key files, and where it pushes notifications to. */
interface Running {
  name: string;
  idleMs?: number | null;
  ending: AbortSignal;
  keys: KeyFiles;
  door?: Pushes['door'] | undefined;
}

function operationNamed(name: string): OperationId {
  if (isOperationId(name)) return name;
  throw new ObkError({ code: 'USAGE', title: `There is no operation ${name}.`, hint: ['obk api --help'] });
}

import { defined } from '../../base/defined.ts';
import { randomUUID } from 'node:crypto';
import type { X509Certificate } from 'node:crypto';
import type { Doors } from '../../settings/doors/doors.ts';
import { ObkError } from '../../base/errors.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { operationNamed } from '../../standard/xs2a/variants.ts';
import { dropOldArrivals } from '../rules/arrivals.ts';
import type { Scenario } from '../rules/scenario.ts';
import type { BankHome } from '../home/bank-home.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { RunningBank } from '../trust/call.ts';
import { openPushes } from '../notifications/open-pushes.ts';
import { ownSeals, serverIdentity } from '../home/keys.ts';
import type { KeyFiles } from '../home/keys.ts';
import { bankClock } from '../books/clock.ts';
import { addReadyPeople } from '../books/ready-people.ts';
import { setLedgerDoors } from '../books/ledger-doors.ts';
import type { Ledger } from '../books/ledger.ts';
import { TppCertificates } from '../../referee/signature/tpp-certificate.ts';

/** Brings the parts of a running bank together. Throws USAGE for an unknown operation. */
export function openBank(
  ledger: Ledger,
  { clock, trusted, without, doors, name, idleMs = null, ending, keys, dialect }: Running,
): RunningBank {
  dropOldArrivals(ledger.log, clock.now());
  setLedgerDoors(ledger.main, {
    open: doors.open,
    // A door that was set wins over the description.
    pinned: { ...dialect?.pins, ...pinnedBy(doors) },
    ready: doors.people === 'options',
    ...(dialect && { everybody: dialect.everybody, auth: dialect.settings.auth }),
  });
  addReadyPeople(ledger.main, clock.now());
  const books = { ledger, clock: bankClock(ledger.main, clock), wallClock: clock };
  const held = dialect?.signature.certificate === 'none' ? ownSeals(keys) : [];
  const identity = () => ({ ...serverIdentity(keys), ca: trusted.map((authority) => authority.toString()) });
  return {
    ...books,
    pushes: openPushes({ ...books, identity }, doors.notify),
    certificates: new TppCertificates(trusted, held),
    without: new Set([...without.map(needOperation), ...(dialect?.without ?? [])]),
    ...(dialect && { dialect }),
    doors,
    // A token that is never given out; the bank gets its own once it listens.
    adminToken: randomUUID(),
    name,
    ending,
    idleMs,
  };
}

/** What distinguishes one running bank from another, and its key files. */
export interface Running {
  /** The time of the world. */
  clock: BankHome['clock'];
  trusted: readonly X509Certificate[];
  /** Operations that it does not offer, by name. */
  without: readonly string[];
  doors: Doors;
  name: string;
  idleMs?: number | null;
  ending: AbortSignal;
  keys: KeyFiles;
  dialect?: Dialect | undefined;
}

/** The switches of the scenario that doors hold. */
function pinnedBy({ signature, clientCertificate, rate, refuseFindings }: Doors): Partial<Scenario> {
  return {
    ...(refuseFindings && { findings: 'refused' }),
    ...defined({ signature }),
    ...(clientCertificate !== undefined && {
      clientCertificate: clientCertificate === 'optional' ? 'requested' : clientCertificate,
    }),
    ...(rate !== undefined && { rateLimit: rate === 'off' ? rate : `${rate}-per-minute` }),
  };
}

function needOperation(name: string): OperationId {
  const id = operationNamed(name);
  if (id !== undefined) return id;
  throw new ObkError({ code: 'USAGE', title: `There is no operation ${name}.`, hint: ['obk api --list'] });
}

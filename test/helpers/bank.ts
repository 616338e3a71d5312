import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doorsFromFlags } from '../../src/settings/doors/read-doors.ts';
import type { DoorKey } from '../../src/settings/doors/table.ts';
import { createBank } from '../../src/bank/index.ts';
import { giveKeys } from './bank-keys.ts';
import { openLedger } from '../../src/bank/books/ledger.ts';
import type { Arrival } from '../../src/bank/rules/arrivals.ts';
import type { Scenario } from '../../src/bank/rules/scenario.ts';
import { steer } from '../../src/bank/steering/steering.ts';
import type { SteeredPayment, SteeredPerson, Steering } from '../../src/bank/steering/steering.ts';
import type { Bank, BankOptions, ServedBank } from '../../src/bank/door.ts';
import type { BankFault } from '../../src/settings/records/bank-state.ts';

/** A bank of a test's own: a temporary folder, the port 0, its secrets in the open. */
export interface TestBank extends ServedBank {
  /** What OBK_STATE_DIR must be for a process that shall use this bank. */
  stateDir: string;
  bank: Bank;
  people: readonly SteeredPerson[];
  person(psuId: string): SteeredPerson;
  /** Every request that reached an operation, oldest first; with an operation, those of it. */
  arrivals(operation?: string): readonly Arrival[];
  payments(): readonly SteeredPayment[];
  balance(iban: string): string;
  fault(fault: Omit<BankFault, 'count'> & { count?: number }): void;
  clearFaults(): void;
  decide(
    decision: 'approve' | 'refuse',
    id: string,
    psuId?: string,
  ): { authorisationId: string; scaStatus: string; redirectedTo?: string };
  scenario(scenario: Partial<Scenario>): void;
  /** Moves the bank's clock (`+1d`), or tells it. */
  clock(move?: string): string;
  close(): Promise<void>;
}

/** Starts a bank in this process, on real sockets, with a ledger in a temporary folder (or in `stateDir`). */
export async function startBank(
  options: Omit<Partial<BankOptions>, 'doors'> & {
    stateDir?: string;
    clock?: { now(): Date };
    doors?: Partial<Record<DoorKey, unknown>>;
    /** The bank makes keys of its own; those of all others are the same. */
    ownKeys?: true;
  } = {},
): Promise<TestBank> {
  const { clock = { now: () => new Date() }, stateDir = mkdtempSync(join(tmpdir(), 'obk-bank-')) } = options;
  if (options.stateDir === undefined && options.ownKeys === undefined) await giveKeys(stateDir, clock.now());
  const bank = createBank({ stateDir, clock });
  const stop = new AbortController();
  let served: Promise<void> = Promise.resolve();
  const address = await new Promise<ServedBank>((resolve, reject) => {
    served = bank.serve(
      { without: [], ...options, doors: [doorsFromFlags({ port: 0, ...options.doors })] },
      resolve,
      stop.signal,
    );
    served.catch(reject);
  });
  const books = {
    ledger: openLedger(options.database ?? join(stateDir, 'sandbox', 'ledger.db'), clock.now()),
    clock,
  };
  const steered = (command: Steering): unknown => {
    const answer = steer(books, command);
    if ('refused' in answer) throw new Error(answer.refused);
    return answer.result;
  };
  const people = steered({ do: 'people' }) as SteeredPerson[];
  return {
    ...address,
    stateDir,
    bank,
    people,
    person(psuId) {
      const found = people.find((person) => person.psuId === psuId);
      if (found === undefined) throw new Error(`no PSU ${psuId}`);
      return found;
    },
    arrivals: (operation) =>
      (steered({ do: 'arrivals' }) as Arrival[]).filter(
        (one) => operation === undefined || one.operation === operation,
      ),
    payments: () => steered({ do: 'payments' }) as SteeredPayment[],
    balance: (iban) => steered({ do: 'balance', iban }) as string,
    fault(fault) {
      steered({ do: 'add-fault', fault: { count: 1, ...fault } });
    },
    clearFaults() {
      steered({ do: 'clear-faults' });
    },
    decide: (decision, id, psuId) =>
      steered({ do: 'decide', decision, id, ...(psuId !== undefined && { psuId }) }) as {
        authorisationId: string;
        scaStatus: string;
        redirectedTo?: string;
      },
    scenario(scenario) {
      steered({ do: 'scenario', scenario });
    },
    clock: (move) => (steered({ do: 'clock', ...(move !== undefined && { move }) }) as { now: string }).now,
    async close() {
      stop.abort();
      await served;
      books.ledger.close();
      await bank.close();
      if (options.stateDir === undefined) rmSync(stateDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

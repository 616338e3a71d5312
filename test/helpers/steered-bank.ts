import { createBank as bankAt } from '../../src/bank/index.ts';
import type { Bank, BankPerson, ControlResults } from '../../src/bank/door.ts';
import type { BankFault, BankPush, BankScenario } from '../../src/settings/records/bank-state.ts';

/** The hands of a test on a bank: an operation of its control API each, by the way that commands take. */
export interface Hands {
  exportConfig(): Promise<string>;
  people(): Promise<readonly BankPerson[]>;
  decide(
    decision: 'approve' | 'refuse',
    id: string,
    psuId?: string,
  ): Promise<{ authorisationId?: string; scaStatus?: string; redirectedTo?: string }>;
  revoke(consentId: string, psuId?: string): Promise<{ consentId: string; consentStatus?: string }>;
  seed(
    options: { transactions: number; psuId?: string },
    progress?: (done: number) => void,
  ): Promise<ControlResults['generateTransactions']>;
  pushes(after: number): Promise<readonly BankPush[]>;
  resend(of: string): Promise<{ resent: number }>;
  log(after: number): Promise<ControlResults['listCalls']['calls']>;
  addFault(fault: BankFault): Promise<unknown>;
  faults(): Promise<readonly BankFault[]>;
  clearFaults(): Promise<void>;
  addClient(client: { clientId: string; redirectUris: readonly string[] }): Promise<object>;
  clients(): Promise<ControlResults['listClients']['clients']>;
  snapshots(): Promise<ControlResults['listSnapshots']['snapshots']>;
  snapshot(what: 'save' | 'restore' | 'delete', name: string): Promise<{ name: string; savedAt: string }>;
  tenants(): Promise<ControlResults['listTenants']['tenants']>;
  tenant(what: 'create' | 'delete', name: string): Promise<{ name: string }>;
  scenarios(): Promise<readonly BankScenario[]>;
  setScenario(name: string, value: string): Promise<unknown>;
  clock(move?: string): Promise<{ now: string; movedMs: number }>;
}

/** A bank with the hands of a test. */
export type HandledBank = Bank & Hands;

/** As `createBank` of src, with hands. */
export function createBank(settings: Parameters<typeof bankAt>[0]): HandledBank {
  const bank = bankAt(settings);
  return Object.assign(bank, handsOn(bank));
}

const hand = (psuId: string | undefined) => (psuId === undefined ? {} : { psuId });

function handsOn(bank: Bank): Hands {
  return {
    exportConfig: () => bank.control('exportConfig'),
    people: async () => (await bank.control('listPeople')).people,
    async decide(decision, id, psuId) {
      const decided = await bank.control('decide', { body: { id, decision, ...hand(psuId) } });
      const { id: _id, decision: _decision, ...made } = decided;
      return made;
    },
    async revoke(consentId, psuId) {
      const body = { id: consentId, decision: 'revoke' as const, ...hand(psuId) };
      const { consentStatus } = await bank.control('decide', { body });
      return { consentId, ...(consentStatus !== undefined && { consentStatus }) };
    },
    async seed({ transactions, psuId = 'redirect' }, progress) {
      for (let from = 0; ; from += 10_000) {
        const to = Math.min(from + 10_000, transactions);
        const body = { count: transactions, from, to };
        const seeded = await bank.control('generateTransactions', { path: { psuId }, body });
        progress?.(to);
        if (to === transactions) return seeded;
      }
    },
    pushes: async (after) => (await bank.control('listNotifications', { given: { after } })).notifications,
    resend: (of) => bank.control('resendNotification', { body: { of } }),
    log: async (after) => (await bank.control('listCalls', { given: { after, limit: 1000 } })).calls,
    addFault: (fault) => bank.control('addFault', { body: fault }),
    faults: async () => (await bank.control('listFaults')).faults,
    clearFaults: () => bank.control('clearFaults'),
    addClient: (client) => bank.control('addClient', { body: client }),
    clients: async () => (await bank.control('listClients')).clients,
    snapshots: async () => (await bank.control('listSnapshots')).snapshots,
    snapshot: (what, name) => bank.control(`${what}Snapshot`, { path: { name } }),
    tenants: async () => (await bank.control('listTenants')).tenants,
    tenant: (what, tenant) => bank.control(`${what}Tenant`, { path: { tenant } }),
    scenarios: async () => (await bank.control('getScenario')).switches,
    setScenario: (name, value) => bank.control('changeScenario', { body: { [name]: value } }),
    clock: (move) =>
      move === undefined
        ? bank.control('getClock')
        : bank.control('moveClock', { body: move === 'reset' ? { reset: true } : { move } }),
  };
}

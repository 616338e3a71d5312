import { connect } from 'node:net';
import { readDoors } from '../../settings/doors/read-doors.ts';
import type { BankAddress } from '../door.ts';
import { agreedPort, answersFor, isServed, rememberPort, whoAnswers } from '../home/bank-address.ts';
import { describe } from '../home/describe.ts';
import type { BankHome } from '../home/bank-home.ts';
import { trustedAuthorities } from '../home/keys.ts';
import { noteNames } from '../steering/names-file.ts';
import type { KeyFiles } from '../home/keys.ts';
import type { Launch } from '../home/launch.ts';
import type { Listening } from './server.ts';
import { startElsewhere } from '../home/start-elsewhere.ts';

/** The bank of the default ledger as this process uses it: found elsewhere, or served here. */
export interface Embedded {
  address(): BankAddress;
  close(): Promise<void>;
}

const closeMs = 2000;
/** How often a busy bank is asked again before another one serves its ledger. */
const patience = 10;

/** Finds the bank that serves the default ledger, or starts one: in a process of its own, else here. */
export async function findOrStart(house: BankHome, keys: KeyFiles, launch?: Launch): Promise<Embedded> {
  const claim = house.claim();
  const state: { listening?: Listening; watching?: () => void; closed: boolean } = { closed: false };
  const ending = new AbortController();
  const end = async (graceMs: number): Promise<void> => {
    state.watching?.();
    ending.abort();
    await state.listening?.close(graceMs);
  };
  const take = async (): Promise<void> => {
    const port = agreedPort(house.folder);
    let there = await whoAnswers(port, claim);
    for (let again = 0; there.who === 'other' && isServed(house.folder) && again < patience; again++) {
      there = await whoAnswers(port, claim);
    }
    const found = there.who === 'ours' ? port : launch && (await startElsewhere(house.folder, claim, launch));
    if (found !== undefined) {
      state.watching = watch(found, () => void successor());
      return;
    }
    const listening = await serveHere(house, keys, {
      port: agreedPort(house.folder),
      wasFree: there.who === 'nobody',
      ending: ending.signal,
    });
    if (listening === undefined) return take();
    state.listening = listening;
  };
  // The process that served the ledger has ended: one of those that used it sees to another.
  const successor = async (): Promise<void> => {
    delete state.watching;
    if (!state.closed) await take();
    if (state.closed) await end(0);
  };
  await take();
  return {
    address: () => describe(house, keys, state.listening !== undefined),
    async close() {
      state.closed = true;
      await end(closeMs);
    },
  };
}

/** Serves on the agreed port; returns undefined if another process has just begun to serve the ledger there. */
async function serveHere(
  house: BankHome,
  keys: KeyFiles,
  { port, wasFree, ending }: { port: number; wasFree: boolean; ending: AbortSignal },
): Promise<Listening | undefined> {
  const [{ bankListener, listen }, { openBank }] = await Promise.all([
    import('./server.ts'),
    import('./running-bank.ts'),
  ]);
  const ledger = house.ledger();
  const bank = openBank(ledger, {
    clock: house.clock,
    trusted: trustedAuthorities(house.shared, keys),
    without: [],
    doors: readDoors([]),
    name: house.name,
    keys,
    ending,
  });
  bank.folder = house.folder;
  noteNames(bank);
  const answer = bankListener(bank);
  const served = (listening: Listening): Listening => ({
    ...listening,
    close(graceMs) {
      bank.pushes.close();
      return listening.close(graceMs);
    },
  });
  try {
    const listening = await listen(answer, { port, keepAlive: false });
    bank.adminToken = house.newToken();
    rememberPort(house.folder, port);
    return served(listening);
  } catch {
    if (wasFree && (await answersFor(port, house.claim()))) return undefined;
  }
  const listening = await listen(answer, { port: 0, keepAlive: false });
  bank.adminToken = house.newToken();
  rememberPort(house.folder, listening.port);
  return served(listening);
}

/**
 * Calls `gone` when the bank on this port has ended; never keeps the process alive. Returns a function that ends the
 * watch.
 */
function watch(port: number, gone: () => void): () => void {
  const socket = connect({ host: '127.0.0.1', port });
  socket.unref();
  let stopped = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (!stopped) gone();
  });
  return () => {
    stopped = true;
    socket.destroy();
  };
}

import { connect } from 'node:net';
import type { BankAddress } from '../ports.ts';
import {
  agreedPort,
  answersFor,
  isServed,
  originOf,
  readAddress,
  rememberPort,
  whoAnswers,
} from './address.ts';
import type { House } from './index.ts';
import type { KeyFiles } from './keys.ts';
import { trustedAuthorities } from './keys.ts';
import type { Listening } from './server.ts';

/** The bank of the default ledger as this process uses it: found elsewhere, or served here. */
export interface Embedded {
  address(): BankAddress;
  close(): Promise<void>;
}

const closeMs = 2000;
/** How often a busy bank is asked again before another one serves its ledger. */
const patience = 10;

/** Finds the bank that serves the default ledger, or serves it here on the remembered port or a new one. */
export async function findOrStart(house: House, keys: KeyFiles): Promise<Embedded> {
  const ledger = house.ledger();
  const state: { listening?: Listening; watching?: () => void; closed: boolean } = { closed: false };
  const take = async (): Promise<void> => {
    const port = agreedPort(house.folder);
    let there = await whoAnswers(port, ledger.id);
    for (let again = 0; there === 'other' && isServed(house.folder) && again < patience; again++) {
      there = await whoAnswers(port, ledger.id);
    }
    if (there === 'ours') {
      state.watching = watch(port, () => void successor());
      return;
    }
    const listening = await serveHere(house, keys, port, there === 'nobody');
    if (listening === undefined) return take();
    state.listening = listening;
  };
  // The process that served the ledger has ended: one of those that used it takes its place.
  const successor = async (): Promise<void> => {
    delete state.watching;
    if (!state.closed) await take();
    if (state.closed) await state.listening?.close(0);
  };
  await take();
  return {
    address: () => describe(house, keys, state.listening !== undefined),
    async close() {
      state.closed = true;
      state.watching?.();
      await state.listening?.close(closeMs);
    },
  };
}

/** Serves on the agreed port; gives undefined where another process has just begun to serve the ledger there. */
async function serveHere(
  house: House,
  keys: KeyFiles,
  port: number,
  wasFree: boolean,
): Promise<Listening | undefined> {
  const [{ bankListener, listen }, { openBank }] = await Promise.all([
    import('./server.ts'),
    import('./running-bank.ts'),
  ]);
  const ledger = house.ledger();
  const answer = bankListener(openBank(house, ledger, trustedAuthorities(house.folder, keys), []));
  try {
    const listening = await listen(answer, { port, keepAlive: false });
    rememberPort(house.folder, port);
    return listening;
  } catch {
    if (wasFree && (await answersFor(port, ledger.id))) return undefined;
  }
  const listening = await listen(answer, { port: 0, keepAlive: false });
  rememberPort(house.folder, listening.port);
  return listening;
}

/** Tells when the bank on this port has gone; never holds the process. Gives what ends the watch. */
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

/** Where the default ledger is served, or would be. */
export function describe(house: Pick<House, 'folder'>, keys: KeyFiles, embedded: boolean): BankAddress {
  const port = agreedPort(house.folder);
  return {
    baseUrl: originOf(port),
    embedded,
    certificatePath: keys.certificate,
    keyPath: keys.key,
    tlsCertificatePath: keys.tlsCertificate,
    tlsKeyPath: keys.tlsKey,
    caPath: keys.ca,
    formerOrigins: readAddress(house.folder).formerOrigins,
  };
}

import { readDoors } from '../../doors/read-doors.ts';
import { ObkError } from '../../errors.ts';
import type { BankOptions, ServedBank } from '../../ports/bank.ts';
import { rememberPort } from './bank-address.ts';
import { defaultName } from './bank-home.ts';
import type { BankHome } from './bank-home.ts';
import { isGivenName } from './bank-names.ts';
import { ensureKeys, serverIdentity, trustedAuthorities } from './keys.ts';
import { openLedger } from '../books/ledger.ts';
import type { Ledger } from '../books/ledger.ts';
import type { Pushes } from '../trust/call.ts';
import { openBank } from './running-bank.ts';
import { bankListener, listen } from './server.ts';
import type { Listening, ListenOptions } from './server.ts';
import { leave, takeName } from './taking.ts';
import { describeRunning } from './whereabouts.ts';

const closeMs = 2000;

/**
 * Serves until the signal aborts. Throws SANDBOX_UNAVAILABLE where a port is taken, and USAGE where a bank of the name
 * runs already.
 */
export async function serveStandalone(
  homeOf: (name: string) => BankHome,
  options: BankOptions,
  ready: (bank: ServedBank) => void,
  signal: AbortSignal,
): Promise<void> {
  // Loaded lazily: most banks have no file.
  const configured =
    options.config === undefined
      ? undefined
      : await (await import('../config/read-bank.ts')).readBank(options.config);
  const doors = readDoors([...options.doors, ...(configured === undefined ? [] : [configured.doors])]);
  const { name, idleMs = null } = options;
  // A bank of a file keeps away from the ledgers that are there.
  const database = options.database ?? (configured === undefined ? undefined : ':memory:');
  const given = needName(name ?? (database === undefined ? defaultName : undefined), database);
  const { shared, clock } = homeOf(defaultName);
  const keys = await ensureKeys(shared, clock.now());
  const place = given === undefined ? undefined : await takeName(homeOf(given));
  const listening: Listening[] = [];
  let pushes: Pushes | undefined;
  const ending = new AbortController();
  let house: BankHome | undefined;
  let ledger: Ledger | undefined;
  try {
    ledger =
      database === undefined
        ? homeOf(given ?? defaultName).ledger()
        : openLedger(database, clock.now(), configured?.filling);
    const trusted = trustedAuthorities(shared, keys);
    const bank = openBank({ clock }, ledger, trusted, options.without, {
      name: given ?? '',
      idleMs,
      ending: ending.signal,
      keys,
      door: doors.notify,
    });
    pushes = bank.pushes;
    const answer = bankListener(bank);
    const start = async (more: Omit<ListenOptions, 'keepAlive'>) => {
      const one = await listen(answer, { ...more, keepAlive: true }).catch((cause: unknown) =>
        taken(more.port, cause),
      );
      listening.push(one);
      return one.port;
    };
    const port = await start({ port: doors.port });
    house = homeOf(given ?? String(port));
    bank.name = house.name;
    bank.adminToken = house.newToken();
    const tls = {
      ...serverIdentity(keys),
      ca: trusted.map((authority) => authority.toString()),
    };
    const httpsPort = doors.httpsPort === undefined ? undefined : await start({ port: doors.httpsPort, tls });
    const { formerOrigins } = rememberPort(house.folder, port, {
      database: database ?? house.ledgerPath,
      ...(httpsPort !== undefined && { httpsPort }),
    });
    place?.release();
    const running = describeRunning(house, idleMs);
    const { idleMs: _idle, ...told } = running;
    ready({
      ...told,
      embedded: false,
      certificatePath: keys.certificate,
      keyPath: keys.key,
      tlsCertificatePath: keys.tlsCertificate,
      tlsKeyPath: keys.tlsKey,
      caPath: keys.ca,
      formerOrigins,
    });
    // A payment of another day may be due.
    bank.pushes.wake();
    // The first request need not wait for it, nor who waits for the address.
    setImmediate(() => void import('../interface/api.ts'));
    await Promise.race([
      aborted(signal),
      ...(idleMs === null ? [] : [Promise.all(listening.map((one) => one.idle(idleMs)))]),
    ]);
  } finally {
    place?.release();
    ending.abort();
    await Promise.all(listening.map((one) => one.close(closeMs)));
    pushes?.close();
    if (database !== undefined) ledger?.close();
    if (house !== undefined && house.name !== defaultName) leave(house);
  }
}

/** Throws USAGE for a name that nobody may give. */
function needName(name: string | undefined, database: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (!isGivenName(name)) {
    throw new ObkError({
      code: 'USAGE',
      title: `${JSON.stringify(name)} cannot be the name of a bank.`,
      detail:
        'A name has letters, digits, - and _, at most 64, and is not a number: that is the port of a bank without a name.',
      hint: ['obk sandbox start --port 0 --name bank-1'],
    });
  }
  if (name === defaultName && database !== undefined) {
    throw new ObkError({
      code: 'USAGE',
      title: `The bank ${defaultName} has its own ledger.`,
      hint: ['obk sandbox start --port 0 --name ANOTHER --database FILE'],
    });
  }
  return name;
}

function taken(port: number, cause: unknown): never {
  throw new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: `The bank inside cannot listen on port ${port}.`,
    detail: cause instanceof Error ? cause.message : String(cause),
    hint: ['obk sandbox start --port 0'],
    cause,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
  });
}

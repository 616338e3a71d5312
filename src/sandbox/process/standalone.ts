import { readFileSync } from 'node:fs';
import { ObkError } from '../../errors.ts';
import type { BankAddress, BankOptions } from '../../ports/bank.ts';
import { originOf, readAddress, rememberPort, writeAddress } from './bank-address.ts';
import { defaultName } from './bank-home.ts';
import type { BankHome } from './bank-home.ts';
import { ensureKeys, trustedAuthorities } from './keys.ts';
import { openLedger } from '../books/ledger.ts';
import { openBank } from './running-bank.ts';
import { bankListener, listen } from './server.ts';
import type { Listening, ListenOptions } from './server.ts';

const closeMs = 2000;

/** Serves until the signal aborts. Throws SANDBOX_UNAVAILABLE where a port is taken. */
export async function serveStandalone(
  house: BankHome,
  options: BankOptions,
  ready: (address: BankAddress) => void,
  signal: AbortSignal,
): Promise<void> {
  const keys = await ensureKeys(house.folder, house.clock.now());
  const own = options.database === undefined;
  const ledger = own ? house.ledger() : openLedger(options.database ?? '', house.clock.now());
  const listening: Listening[] = [];
  try {
    const trusted = trustedAuthorities(house.folder, keys);
    const name = own ? defaultName : ledger.id;
    const { idleMs = null } = options;
    const bank = openBank(house, ledger, trusted, options.without, { name, idleMs });
    const answer = bankListener(bank);
    const start = async (more: Omit<ListenOptions, 'keepAlive'>) => {
      const one = await listen(answer, { ...more, keepAlive: true }).catch((cause: unknown) =>
        taken(more.port, cause),
      );
      listening.push(one);
      return one.port;
    };
    const port = await start({ port: options.port });
    bank.adminToken = house.newToken(name);
    const tls = {
      cert: readFileSync(keys.serverCertificate, 'utf8'),
      key: readFileSync(keys.serverKey, 'utf8'),
      ca: trusted.map((authority) => authority.toString()),
    };
    const httpsPort =
      options.httpsPort === undefined ? undefined : await start({ port: options.httpsPort, tls });
    const saved = own ? rememberPort(house.folder, port) : rememberStandalone(house, port, ledger.id);
    ready({
      baseUrl: originOf(port),
      ...(httpsPort !== undefined && { httpsBaseUrl: `https://127.0.0.1:${httpsPort}` }),
      embedded: false,
      certificatePath: keys.certificate,
      keyPath: keys.key,
      tlsCertificatePath: keys.tlsCertificate,
      tlsKeyPath: keys.tlsKey,
      caPath: keys.ca,
      formerOrigins: own ? saved.formerOrigins : [],
    });
    // The first request need not wait for it, nor who waits for the address.
    setImmediate(() => void import('../interface/api.ts'));
    await Promise.race([
      aborted(signal),
      ...(idleMs === null ? [] : [Promise.all(listening.map((one) => one.idle(idleMs)))]),
    ]);
  } finally {
    await Promise.all(listening.map((one) => one.close(closeMs)));
    if (!own) ledger.close();
  }
}

function rememberStandalone(house: BankHome, port: number, ledger: string) {
  const saved = { ...readAddress(house.folder), standalone: { port, ledger } };
  writeAddress(house.folder, saved);
  return saved;
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

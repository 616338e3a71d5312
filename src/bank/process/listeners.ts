import { isIPv4 } from 'node:net';
import { elsewhere, isOpenElsewhere } from '../../settings/doors/check-doors.ts';
import type { Doors } from '../../settings/doors/doors.ts';
import { ObkError } from '../../base/errors.ts';
import { listen } from './server.ts';
import type { BankListener, Listening, ListenOptions } from './server.ts';

/** All listeners of a bank: those of http on one port, and those of https on another. */
export interface Listeners {
  port: number;
  httpsPort: number | undefined;
  /** Resolves when there was no connection to any of them for this time. */
  idle(ms: number): Promise<unknown>;
  close(graceMs: number): Promise<unknown>;
}

/** How often another port is tried, where the system has chosen one that is not free at every address. */
const tries = 5;
const home = '127.0.0.1';

/**
 * Listens on 127.0.0.1 and at every address of the doors; beyond loopback without TLS only where all stands open. Throws
 * SANDBOX_UNAVAILABLE.
 */
export async function openListeners(
  doors: Doors,
  tls: () => Promise<NonNullable<ListenOptions['tls']>>,
  answer: BankListener,
): Promise<Listeners> {
  const opened: Listening[] = [];
  const far = elsewhere(doors);
  try {
    const plain = isOpenElsewhere(doors) ? doors.listen : doors.listen.filter((one) => !far.includes(one));
    const http = await openAll(answer, plain, { port: doors.port });
    opened.push(...http);
    const https =
      doors.httpsPort === undefined
        ? []
        : await openAll(answer, doors.listen, { port: doors.httpsPort, tls: await tls() });
    opened.push(...https);
    return {
      port: http[0]?.port ?? 0,
      httpsPort: https[0]?.port,
      idle: (ms) => Promise.all(opened.map((one) => one.idle(ms))),
      close: (graceMs) => Promise.all(opened.map((one) => one.close(graceMs))),
    };
  } catch (error) {
    await Promise.all(opened.map((one) => one.close(0)));
    throw error;
  }
}

/** The addresses to listen at: one for all of a family covers its others, and that of IPv6 those of IPv4, too. */
function covering(listed: readonly string[]): string[] {
  const all = [...new Set([home, ...listed])];
  if (all.includes('::')) return ['::'];
  return all.includes('0.0.0.0') ? ['0.0.0.0', ...all.filter((address) => !isIPv4(address))] : all;
}

async function openAll(
  answer: BankListener,
  listed: readonly string[],
  options: Omit<ListenOptions, 'keepAlive' | 'address'>,
): Promise<Listening[]> {
  const [first = home, ...others] = covering(listed);
  for (let left = tries; ; left -= 1) {
    const opened: Listening[] = [];
    let [address, port] = [first, options.port];
    try {
      for (address of [first, ...others]) {
        const one = await listen(answer, { ...options, port, address, keepAlive: true });
        opened.push(one);
        port = one.port;
      }
      return opened;
    } catch (cause) {
      await Promise.all(opened.map((one) => one.close(0)));
      const another = options.port === 0 && opened.length > 0 && codeOf(cause) === 'EADDRINUSE';
      if (!another || left <= 1) throw taken(address, port, cause);
    }
  }
}

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code;

function taken(address: string, port: number, cause: unknown): ObkError {
  const isPort = ['EADDRINUSE', 'EACCES'].includes(codeOf(cause) ?? '');
  return new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title:
      isPort || address === home
        ? `The bank inside cannot listen on port ${port}.`
        : `The bank inside cannot listen at ${address}.`,
    detail: cause instanceof Error ? cause.message : String(cause),
    hint: [
      isPort || address === home ? 'obk sandbox start --port 0' : 'obk sandbox start --listen 127.0.0.2',
    ],
    cause,
  });
}

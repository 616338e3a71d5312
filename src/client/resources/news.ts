import { ObkError } from '../../base/errors.ts';
import type { NotificationListener, NotificationPlace } from '../ports/notifications.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { readNotification } from '../../standard/xs2a/read-notification.ts';
import { listeningTls } from '../exchange/key-material.ts';
import type { Target } from '../exchange/target.ts';

/** A wait that the bank may cut short: what it pushes is a reason to look, and nothing else. */
export interface News {
  /** Whether it is listened, and the bank has said that it pushes. */
  expected: boolean;
  /** As that of the clock, but over as soon as the bank has pushed something about the resource. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Whoever can reach the address must not make this run call the bank all the time. */
const mostLooks = 60;

/** Listens for notifications of a resource where their address is a port of this machine; where it is taken, time alone counts. */
export async function newsOf(target: Target, id: string): Promise<News> {
  const { clock, notices } = target.ports;
  const listener = await listen(target);
  if (listener === undefined)
    return {
      expected: false,
      sleep: (ms, signal) => clock.sleep(ms, signal),
      close: () => Promise.resolve(),
    };
  notices.trace(1, `Listening for notifications at port ${String(listener.port)}`);
  const heard = { looks: 0, waiting: false, wake: (): void => undefined };
  void hear(listener, id, () => {
    heard.looks += 1;
    if (heard.looks > mostLooks) return;
    heard.waiting = true;
    heard.wake();
  });
  return {
    expected: target.state.notified === true,
    async sleep(ms, signal) {
      const over = new AbortController();
      const both = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
      const time = clock.sleep(ms, both);
      const news = new Promise<void>((resolve) => {
        heard.wake = resolve;
        if (heard.waiting) resolve();
      });
      try {
        await Promise.race([time, news]);
      } finally {
        heard.waiting = false;
        time.catch(() => undefined);
        over.abort();
      }
    },
    close: () => listener.close(),
  };
}

/** The notification address of this run or of its profile, if it is a port of this machine. */
function addressOf({ profile, state }: Target): URL | undefined {
  const url = parseUrl(state.prefer?.notificationUri ?? profile.notification?.uri ?? '');
  return url !== undefined && url.port !== '' && isLoopback(url.hostname) ? url : undefined;
}

/** By https the bank sees the certificate of the TPP, as with `obk listen --https`. */
async function placeAt(
  target: Target,
  { protocol, hostname, port, pathname }: URL,
): Promise<NotificationPlace> {
  const address = hostname === '[::1]' ? '::1' : hostname === 'localhost' ? '127.0.0.1' : hostname;
  return {
    address,
    port: Number(port),
    path: pathname,
    ...(protocol === 'https:' && { tls: await listeningTls(target) }),
  };
}

async function listen(target: Target): Promise<NotificationListener | undefined> {
  const url = addressOf(target);
  if (url === undefined) return undefined;
  const { ports } = target;
  try {
    return await ports.notifications.listen(await placeAt(target, url));
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    ports.notices.trace(1, `Not listening for notifications: ${error.title}`);
    return undefined;
  }
}

async function hear(listener: NotificationListener, id: string, look: () => void): Promise<void> {
  for (let one = await listener.next(); one !== undefined; one = await listener.next()) {
    const told = readNotification(one.body);
    one.answer(told === undefined ? 400 : told.id === id ? 200 : 404);
    if (told?.id === id) look();
  }
}

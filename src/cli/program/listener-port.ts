import type { Listener } from '../../client/ports/browser.ts';
import type { Closers } from './at-end.ts';
import { lazy } from './lazy.ts';

/** The listener of one run, which ends with it. */
export function listenerPort(closers: Closers): Listener {
  return lazy<Listener>(
    async () => {
      const { createListener } = await import('../../adapters/browser/redirect-listener.ts');
      const listener = createListener();
      closers.push(() => listener.close());
      return listener;
    },
    { freePort: () => import('../../adapters/system/free-port.ts').then((adapter) => adapter.freePort()) },
  );
}

import type { Pushes } from '../trust/call.ts';
import type { Courier, CourierBank } from './courier.ts';
import { dropChanges, isAnythingWished } from './waiting-changes.ts';

/** The notifications of a bank that begins to run: what an earlier one has not told is lost. The courier is loaded with the first wish. */
export function openPushes(bank: CourierBank, door: Pushes['door']): Pushes {
  let courier: Promise<Courier> | undefined;
  let loaded: Courier | undefined;
  let closed = false;
  dropChanges(bank.ledger.main);
  const look = (): void => {
    courier ??= import('./courier.ts').then((module) => new module.Courier(bank));
    void courier.then((one) => {
      loaded = one;
      if (!closed) one.look();
    });
  };
  return {
    door,
    wake() {
      if (closed) return;
      try {
        if (courier !== undefined || isAnythingWished(bank.ledger.main)) look();
      } catch {
        // Another process has the ledger for itself: the next request looks again.
      }
    },
    isBusy: () => !closed && (loaded?.isBusy === true || isAnythingWished(bank.ledger.main)),
    close() {
      closed = true;
      void courier?.then((one) => {
        one.close();
      });
    },
  };
}

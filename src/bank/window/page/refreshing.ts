import { messageOf, say } from './dom.ts';
import { onChange } from './store.ts';

/** Runs now, and after each batch of events of these kinds, one run at a time; the result ends it. */
export function refreshing(kinds: readonly string[], work: () => Promise<void>): () => void {
  let isDue = false;
  let isBusy = false;
  const isStillDue = () => isDue;
  const run = async () => {
    isDue = true;
    if (isBusy) return;
    isBusy = true;
    while (isStillDue()) {
      isDue = false;
      try {
        await work();
      } catch (error) {
        say(messageOf(error));
      }
      // The changes of many calls one after another are read in one go.
      if (isStillDue()) await new Promise((resolve) => setTimeout(resolve, 250));
    }
    isBusy = false;
  };
  void run();
  return onChange((seen) => {
    if (kinds.some((kind) => seen.has(kind))) void run();
  });
}

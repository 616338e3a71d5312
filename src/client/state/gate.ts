import type { Gate, Holder } from '../ports/gate.ts';

/** The gate of one run; `unkept` is told what could not be written. */
export function createGate(unkept: Gate['unkept']): Gate {
  const due = new Set<Holder>();
  let waiting: (() => void)[] = [];
  return {
    get isDue() {
      return due.size > 0;
    },
    pass: async () => {
      const ends = await Promise.allSettled([...due].map((holder) => holder.commit()));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
    after: (work) => {
      if (due.size > 0) waiting.push(work);
      else work();
    },
    hold: (holder) => {
      due.add(holder);
    },
    release: (holder) => {
      due.delete(holder);
      if (due.size > 0) return;
      const now = waiting;
      waiting = [];
      for (const work of now) work();
    },
    unkept,
  };
}

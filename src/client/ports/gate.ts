import type { ObkError } from '../../base/errors.ts';

/** What holds something that is to be written, and writes it. */
export interface Holder {
  commit(): Promise<void>;
}

/**
 * Between what a run has learned from a bank and all that leaves the run afterwards: the next request, a question, a line. What was
 * learned is written before that, all at once.
 */
export interface Gate {
  /** Whether something is still to be written. */
  readonly isDue: boolean;
  /** Writes what is to be written; throws where that fails. */
  pass(): Promise<void>;
  /** Does it once all is written: at once where nothing is to be. */
  after(work: () => void): void;
  hold(holder: Holder): void;
  release(holder: Holder): void;
  /** Told that records could not be written, of a write or of reads alone; no answer is withheld for that. */
  unkept(error: ObkError, ofWrite: boolean): Promise<void>;
  /** Shows a person that this lasts, where it does. */
  lasting<T>(work: Promise<T>): Promise<T>;
}

/** The gate of one run; `unkept` is told what could not be written. */
export function createGate(unkept: Gate['unkept'], lasting: Gate['lasting'] = async (work) => work): Gate {
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
    ...{ unkept, lasting },
  };
}

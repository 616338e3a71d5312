import type { Context } from '../context.ts';
import type { ExitCode } from '../../base/errors.ts';

/** What is done at the end of a run with its exit code, the first first. */
export type Closers = ((exit: ExitCode) => Promise<void>)[];

/** The end of a run: what is asked for last is done first. */
export const atEndOf = (closers: Closers): Pick<Context, 'atEnd' | 'close'> => ({
  atEnd: (work) => {
    closers.unshift(work);
  },
  close: async (exit) => {
    for (const close of closers) await close(exit);
  },
});

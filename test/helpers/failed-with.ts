import type { ObkError } from '../../src/base/errors.ts';

/** The error that the promise is rejected with; fails where it is not. */
export const failedWith = (promise: Promise<unknown>): Promise<ObkError> =>
  promise.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: unknown) => error as ObkError,
  );

/** A port whose methods load it at their first call; `own` has the members that are not asynchronous. */
export function lazy<T extends object>(load: () => Promise<T>, own: Partial<T> = {}): T {
  let loaded: Promise<T> | undefined;
  return lazyFor(() => (loaded ??= load()), own);
}

/** As `lazy`, for a port that may be another one for each call, by what the call is about. */
export function lazyFor<T extends object>(
  load: (args: readonly unknown[]) => Promise<T>,
  own: Partial<T> = {},
): T {
  return new Proxy({} as T, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      // `await` on the port itself must not take it for a promise.
      if (name === 'then' || typeof name === 'symbol') return undefined;
      return async (...args: unknown[]) => {
        const port = await load(args);
        return Reflect.apply(Reflect.get(port, name) as (...all: unknown[]) => unknown, port, args);
      };
    },
  });
}

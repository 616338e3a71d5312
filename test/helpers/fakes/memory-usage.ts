import type { Usage, Use } from '../../../src/client/ports/usage.ts';

/** Counts in memory; several runs of a test may share one. */
export function memoryUsage(): Usage {
  const uses = new Map<string, readonly Use[]>();
  return {
    read: async (key) => uses.get(key) ?? [],
    update: async (key, change) => {
      const after = structuredClone(change(uses.get(key) ?? []));
      uses.set(key, after);
      return after;
    },
  };
}

import { availableParallelism, loadavg } from 'node:os';

/**
 * Milliseconds that tell ending from hanging: as given on a machine that does nothing else, and as much longer as there are more
 * who want its processors.
 */
export function bound(ms = 10_000): number {
  const [load = 0] = loadavg();
  return Math.ceil(ms * Math.max(1, load / availableParallelism()));
}

import { nearest } from '../../base/nearest.ts';
import texts from './shipped.json' with { type: 'json' };

/** The journeys that obk ships, in YAML by their names; the build makes them of the files in `journeys`. */
export const shippedJourneys: ReadonlyMap<string, string> = new Map(Object.entries(texts));

/** The names of shipped journeys that were probably meant by a file that is not there. */
export const nearShipped = (file: string): readonly string[] =>
  nearest(file.replace(/^.*[\\/]|\.ya?ml$/g, ''), [...shippedJourneys.keys()]);

import type { Case } from './case.ts';
import { reads } from './read-cases.ts';
import { writes } from './write-cases.ts';
import { wrong } from './wrong-cases.ts';

/** Every case, in the order in which they are tried. */
export const cases: readonly Case[] = [...reads, ...writes, ...wrong];

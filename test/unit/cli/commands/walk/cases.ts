import { accounts } from './accounts.ts';
import { help } from './help.ts';
import { payments } from './payments.ts';
import { sandbox } from './sandbox.ts';
import { setup } from './setup.ts';
import { support } from './support.ts';
import { hasPostgres } from '../../../../helpers/postgres.ts';
import type { Case, Cases } from './walk.ts';

const all: Cases = { ...payments, ...accounts, ...support, ...setup, ...sandbox, ...help };

/** Of every command, as far as it can be run here. */
export const cases: Cases = Object.fromEntries(
  Object.entries(all).map(([path, one]): [string, Case] => [
    path,
    { ...one, runs: one.runs.filter(({ postgres }) => postgres !== true || hasPostgres()) },
  ]),
);

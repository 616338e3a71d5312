import { accounts } from './accounts.ts';
import { help } from './help.ts';
import { payments } from './payments.ts';
import { sandbox } from './sandbox.ts';
import { setup } from './setup.ts';
import { support } from './support.ts';
import type { Cases } from './walk.ts';

/** Of every command. */
export const cases: Cases = { ...payments, ...accounts, ...support, ...setup, ...sandbox, ...help };

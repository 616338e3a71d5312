import type { Entry } from '../command.ts';
import { accounts } from './tree/accounts.ts';
import { help } from './tree/help.ts';
import { payments } from './tree/payments.ts';
import { sandbox } from './tree/sandbox.ts';
import { setup } from './tree/setup.ts';
import { support } from './tree/support.ts';

/** Every command by its words; nouns have no module of their own. */
export const tree: readonly Entry[] = [...payments, ...accounts, ...support, ...setup, ...sandbox, ...help];

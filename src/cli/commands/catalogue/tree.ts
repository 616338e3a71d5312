import type { Entry } from '../../command.ts';
import { accounts } from './accounts.ts';
import { help } from './help.ts';
import { payments } from './payments.ts';
import { sandbox } from './sandbox.ts';
import { setup } from './setup.ts';
import { debugging, testing } from './support.ts';

/** Every command by its words; nouns have no module of their own. */
export const tree: readonly Entry[] = [
  ...payments,
  ...accounts,
  ...debugging,
  ...sandbox,
  ...testing,
  ...setup,
  ...help,
];

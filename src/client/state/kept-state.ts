import type { Intents } from '../ports/intents.ts';
import type { Journal } from '../ports/journal.ts';
import type { Resources } from '../ports/resources.ts';
import type { Usage } from '../ports/usage.ts';
import { keptIntents } from './kept-intents.ts';
import { keptJournal } from './kept-journal.ts';
import { keptResources } from './kept-resources.ts';
import { keptUsage } from './kept-usage.ts';
import type { Owners } from './owners.ts';

/** What a run keeps. */
export interface KeptState {
  resources: Resources;
  intents: Intents;
  journal: Journal;
  usage: Usage;
}

/** What a run keeps in these engines, of which the log may be the state itself. */
export function keptState(
  options: Omit<Parameters<typeof keptJournal>[0], 'intents'> & {
    /** Who holds an intent, where that is not told as of a write. */
    holders?: Owners;
  },
): KeptState {
  const { state, log, codec, machine, owners, holders = owners } = options;
  const intents = keptIntents({ engine: state, log, codec, owners: holders });
  return {
    resources: keptResources({ engine: state, codec, machine: machine.id }),
    intents,
    journal: keptJournal({ ...options, intents }),
    usage: keptUsage({ engine: log, codec }),
  };
}

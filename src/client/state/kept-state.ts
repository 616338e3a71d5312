import type { Engine } from '../ports/engine.ts';
import type { Gate } from '../ports/gate.ts';
import type { Intents } from '../ports/intents.ts';
import type { Journal } from '../ports/journal.ts';
import type { Resources } from '../ports/resources.ts';
import type { Usage } from '../ports/usage.ts';
import { keptIntents } from './kept-intents.ts';
import { keptJournal } from './kept-journal.ts';
import { keptResources } from './kept-resources.ts';
import { keptUsage } from './kept-usage.ts';
import type { Owners } from './owners.ts';
import { stageOn } from './stage.ts';

/** What a run keeps. */
export interface KeptState {
  resources: Resources;
  intents: Intents;
  journal: Journal;
  usage: Usage;
  /** Writes what is noted and not written yet. */
  commit: () => Promise<void>;
}

/** What a run keeps in these engines, of which the log may be the state itself. */
export function keptState(
  options: Omit<Parameters<typeof keptJournal>[0], 'intents' | 'stage'> & {
    state: Engine;
    log: Engine;
    /** With it, what a run notes is put together until it is passed. */
    gate?: Gate | undefined;
    /** Who holds an intent, where that is not told as of a write. */
    holders?: Owners;
  },
): KeptState {
  const { state, log, codec, machine, owners, holders = owners } = options;
  const stage = stageOn({ state, log }, options.gate);
  const intents = keptIntents({ stage, log, codec, owners: holders });
  return {
    resources: keptResources({ stage, codec, machine: machine.id }),
    intents,
    journal: keptJournal({ ...options, stage, intents }),
    usage: keptUsage({ engine: log, codec }),
    commit: () => stage.commit(),
  };
}

import { ObkError } from '../../base/errors.ts';
import { distrustOf, needOwn, sharedFolders, trustee } from './folder-trust.ts';
import type { Trustee } from './folder-trust.ts';

/** Whether the folders of settings and state may be used, asked before each first use. */
export interface OwnFolders {
  /** Throws CONFIG_UNREADABLE where others may write to them; warns where root works in those of a user. */
  need(): void;
  /** Throws SECRET_REFERENCE for what root would run or read because a user's settings say so. */
  needReference(reference: string): void;
}

export function ownFolders(settings: {
  configDir: string;
  stateDir: string;
  env: Readonly<Record<string, string | undefined>>;
  warn: (line: string) => void;
  /** Whether the run itself names this reference, by a flag or a variable. */
  given: (reference: string) => boolean;
  who?: Trustee | undefined;
}): OwnFolders {
  const { configDir, stateDir, env, warn, given, who = trustee() } = settings;
  let foreign: string | undefined;
  let looked = false;
  const look = () => {
    if (looked || who === undefined || /^(?:1|true|yes|on)$/i.test(env[sharedFolders] ?? '')) return;
    const found =
      distrustOf(configDir, who, ['config.json', 'credentials.json']) ?? distrustOf(stateDir, who);
    if (found !== undefined && !(who.uid === 0 && found.kind === 'foreign')) needOwn(found);
    looked = true;
    if (found === undefined) return;
    foreign = found.path;
    warn(`You are root, and ${found.path} is of another user: no reference in its settings is read or run.`);
  };
  return {
    need: look,
    needReference(reference) {
      look();
      if (foreign === undefined || given(reference)) return;
      throw new ObkError({
        code: 'SECRET_REFERENCE',
        title: 'Root reads and runs nothing that the settings of another user name.',
        detail: `${foreign} is of another user.`,
        hint: ['Set OBK_CONFIG_DIR and OBK_STATE_DIR to folders of your own.', 'Or work as that user.'],
      });
    },
  };
}

import { entries } from './entries.ts';

/** obk about itself. */
export const help = entries('Help', {
  commands: ['List every command, for machines too', () => import('../commands.ts')],
  version: ['Print the version', () => import('../version.ts')],
  help: ['Help on a command or a topic', () => import('../help/help.ts')],
  'help exit-codes': ['What each exit code means', () => import('../help/exit-codes.ts')],
  'help errors': ['What each error code means', () => import('../help/errors.ts')],
  'help flags': ['The flags of every command', () => import('../help/flags.ts')],
  'help environment': ['The variables that obk reads', () => import('../help/environment.ts')],
  'help json': ['What --json prints', () => import('../help/json.ts')],
  'help scripting': ['How scripts use obk', () => import('../help/scripting.ts')],
  'help references': ['How secrets are given', () => import('../help/references.ts')],
});

import type { Entry } from '../../command.ts';

/** obk about itself. */
export const help: readonly Entry[] = [
  {
    path: 'commands',
    summary: 'List every command, for machines too',
    group: 'HELP',
    load: () => import('../commands.ts'),
  },
  {
    path: 'version',
    summary: 'Print the version',
    group: 'HELP',
    load: () => import('../version.ts'),
  },
  {
    path: 'help',
    summary: 'Help on a command or a topic',
    group: 'HELP',
    load: () => import('../help/help.ts'),
  },
  {
    path: 'help exit-codes',
    summary: 'What each exit code means',
    load: () => import('../help/exit-codes.ts'),
  },
  {
    path: 'help errors',
    summary: 'What each error code means',
    load: () => import('../help/errors.ts'),
  },
  { path: 'help flags', summary: 'The flags of every command', load: () => import('../help/flags.ts') },
  {
    path: 'help environment',
    summary: 'The variables that obk reads',
    load: () => import('../help/environment.ts'),
  },
  { path: 'help json', summary: 'What --json prints', load: () => import('../help/json.ts') },
  {
    path: 'help scripting',
    summary: 'How scripts use obk',
    load: () => import('../help/scripting.ts'),
  },
  {
    path: 'help references',
    summary: 'How secrets are given',
    load: () => import('../help/references.ts'),
  },
];

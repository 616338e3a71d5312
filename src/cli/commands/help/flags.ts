import type { Flags, Register, Run } from '../../command.ts';
import { definitions } from '../../render/wrap.ts';
import { globalOptions } from '../flags/global-options.ts';

export const register: Register = (command, start) => {
  const all = flags(command);
  return start(command, { examples: [], text: text(all) }, () => run(all));
};

type Flag = readonly [flags: string, meaning: string];

/** Read from the parser itself, so that this page cannot drift. */
function flags(command: Flags): Flag[] {
  return globalOptions(command.createCommand()).options.map((option) => [
    (option.short === undefined ? '    ' : '') + option.flags.replace(/[<>]/g, ''),
    option.description,
  ]);
}

function text(all: readonly Flag[]): string {
  return [
    'The flags that every command takes, before or after its name.',
    '',
    'GLOBAL FLAGS',
    ...definitions(all, { indent: 2, width: 80, column: 32 }),
    '  -h, --help [PART]             show the help of a command; PART: all, or a',
    '                                group of its flags, such as sca',
    '',
  ].join('\n');
}

const run = (all: readonly Flag[]): ReturnType<Run<object>> =>
  Promise.resolve({
    kind: 'data',
    data: all.map(([names, meaning]) => ({ flags: names.trim(), meaning })),
    text: () => text(all),
  });

import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { completionScript, scriptFiles, shells } from './completion-scripts.ts';
import type { Shell } from './completion-scripts.ts';
import { oneOf } from '../flags/flag-values.ts';

const flags = (command: Flags) => command.argument('<shell>', shells.join(', '), oneOf('SHELL', shells));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Print the completion script of a shell, and say how to install it',
      examples: ['obk completion bash', 'obk completion zsh --output _obk'],
    },
    run,
  );

const run: Run<Options> = (context, { shell }) => {
  const script = completionScript(shell, context.entries);
  for (const line of howTo[shell]) context.ports.notices.say(line);
  return Promise.resolve({
    kind: 'data',
    data: { shell, file: scriptFiles[shell], script },
    text: () => script,
  });
};

const howTo: Readonly<Record<Shell, readonly string[]>> = {
  bash: [
    'For this shell:  source <(obk completion bash)',
    'For every one:   obk completion bash > ~/.local/share/bash-completion/completions/obk',
  ],
  zsh: [
    'For this shell:  source <(obk completion zsh)',
    'For every one:   obk completion zsh > DIR/_obk, where DIR is in $fpath, then start a new shell',
  ],
  fish: [
    'For this shell:  obk completion fish | source',
    'For every one:   obk completion fish > ~/.config/fish/completions/obk.fish',
  ],
  powershell: [
    'For this shell:  obk completion powershell | Out-String | Invoke-Expression',
    'For every one:   obk completion powershell >> $PROFILE',
  ],
};

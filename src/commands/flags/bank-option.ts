import type { Command } from 'commander';

/** Adds the flag that addresses a bank: every command of `obk sandbox` but `start` takes it. */
export function bankOption(command: Command): Command {
  return command.option('--at <BANK>', 'name or URL of the bank, where several run (OBK_SANDBOX)');
}

import type { Flags } from '../../command.ts';

/** Adds the flags that address a bank and one of its tenants: every command of `obk sandbox` but `start` takes them. */
export const bankOption = (command: Flags) =>
  command
    .option('--at <BANK>', 'name or URL of the bank, where several run (OBK_SANDBOX)')
    .option('--tenant <NAME>', 'tenant of a bank that has them (OBK_SANDBOX_TENANT)')
    .option('--ca <FILE>', 'CA certificates (PEM) of a bank elsewhere at https (OBK_SANDBOX_CA)');

import type { Registers, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { BankProcess } from '../../../bank/door.ts';

export const register: Registers = {
  status: (command, start) =>
    start(
      command,
      {
        about: 'Show which banks inside run, where each answers, and which process it is',
        examples: ['obk sandbox status', 'obk sandbox status --jq .running'],
        more: ['obk help sandbox stop', 'obk help sandbox start'],
      },
      status,
    ),
  stop: (command, start) =>
    start(
      command,
      {
        about: 'End the bank inside, which a run of obk has started; its ledger stays',
        examples: ['obk sandbox stop'],
        more: ['obk help sandbox status'],
      },
      stop,
    ),
};

const status: Run<object> = async ({ ports }) => {
  const banks = await ports.bank.status();
  const { name = null, baseUrl = null, pid = null, idleMs = null } = (banks.length === 1 && banks[0]) || {};
  return {
    kind: 'data',
    data: { running: banks.length > 0, name, baseUrl, pid, idleMs, banks },
    text: () =>
      banks.length === 0
        ? 'The bank inside does not run; a call of the profile sandbox starts it.'
        : banks.map(sentence).join('\n'),
    next: banks.map((bank) =>
      banks.length === 1 ? 'obk sandbox stop' : line`obk sandbox stop --at ${bank.name}`,
    ),
  };
};

function sentence({ name, baseUrl, pid, idleMs, tenants }: BankProcess): string {
  const end =
    idleMs === null ? 'until it is stopped' : `until ${String(idleMs / 1000)} s pass without a call`;
  const who = name === 'default' ? 'The bank inside' : `The bank ${name}`;
  const whose = tenants === undefined ? '' : ` It has tenants, ${byWhat(tenants)}: obk sandbox tenant list.`;
  return `${who} answers at ${baseUrl} (process ${String(pid)}), ${end}.${whose}`;
}

function byWhat(tenants: NonNullable<BankProcess['tenants']>): string {
  return tenants === 'certificate'
    ? 'one for each organizationIdentifier of a certificate'
    : `one for each value of ${tenants.slice('header:'.length)}`;
}

const stop: Run<object> = async ({ ports }) => {
  const found = await ports.bank.stop();
  return {
    kind: 'data',
    data: { stopped: found !== undefined, name: found?.name ?? null, pid: found?.pid ?? null },
    text: () =>
      found === undefined
        ? 'The bank inside does not run.'
        : `The bank inside has ended (process ${String(found.pid)}).`,
  };
};

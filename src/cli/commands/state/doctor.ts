import type { Register, Run } from '../../command.ts';
import { exitCodes } from '../../../base/errors.ts';
import { findingsText } from '../../render/findings.ts';
import { stateOptions } from './state-options.ts';

export const register: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Check step by step whether the state can be used: folder, disk, engine, files and missing payments; of a database the way, TLS, durability, clock, schema, privileges and key',
      examples: ['obk state doctor', 'obk state doctor --json --jq .ok'],
      exits: [10, 3],
      more: ['obk help state status', 'obk help doctor'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const findings = await context.ports.stateStore.examine();
  const failed = findings.some(({ state }) => state === 'fail');
  return {
    kind: 'data',
    data: { ok: !failed, findings },
    exit: failed ? exitCodes.expectation : exitCodes.ok,
    text: (style) => findingsText(findings, style),
  };
};

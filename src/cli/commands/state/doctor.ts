import { cleanLine } from '../../../base/clean.ts';
import type { Register, Run } from '../../command.ts';
import { exitCodes } from '../../../base/errors.ts';
import { stateOptions } from './state-options.ts';

export const register: Register = (parent, start) =>
  start(
    stateOptions(parent.command('doctor')),
    {
      about:
        'Check step by step whether a shared state can be used: way, TLS, writer, durability, clock, schema, privileges, key',
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
    text: (style) =>
      findings
        .map(({ check, state, text, hint }) => {
          const mark = { ok: style.good('ok  '), warn: style.warn('warn'), fail: style.bad('fail') }[state];
          const head = `${mark}  ${check.padEnd(11)}  ${cleanLine(text)}`;
          return hint === null ? head : `${head}\n${' '.repeat(19)}${style.dim(cleanLine(hint))}`;
        })
        .join('\n'),
  };
};

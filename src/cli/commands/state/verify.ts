import { exitCodes } from '../../../base/errors.ts';
import { fail } from '../../../base/finding.ts';
import type { Finding } from '../../../base/finding.ts';
import type { StateVerified } from '../../../client/ports/state-store.ts';
import type { Register, Run } from '../../command.ts';
import { findingsText } from '../../render/findings.ts';
import { stateOptions } from './state-options.ts';

export const register: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Read every row of the state, and every page of its files, and say what is damaged; changes nothing',
      examples: ['obk state verify', 'obk state verify --json --jq .ok'],
      exits: [10, 3],
      more: ['obk help state backup', 'obk help pending list'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const found = await context.ports.stateStore.verify();
  return {
    kind: 'data',
    data: found,
    exit: found.ok ? exitCodes.ok : exitCodes.expectation,
    text: (style) => findingsText(findingsOf(found), style),
  };
};

const findingsOf = ({ places, faults }: StateVerified): Finding[] => [
  ...places.map(({ place, there, rows }): Finding => {
    const state = faults.some((fault) => fault.place === place) ? 'fail' : 'ok';
    return {
      check: 'rows',
      state,
      text: `${place}: ${there ? `${String(rows)} rows` : 'not there yet'}`,
      hint: null,
    };
  }),
  ...faults.map(({ place, table, key, text, hint }) =>
    fail(table ?? 'file', `${key ?? place}: ${text}`, hint),
  ),
];

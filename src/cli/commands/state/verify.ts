import { cleanLine } from '../../../base/clean.ts';
import { exitCodes } from '../../../base/errors.ts';
import type { Register, Run } from '../../command.ts';
import { needHome } from './needs-home.ts';

export const register: Register = (parent, start) =>
  start(
    parent.command('verify'),
    {
      about:
        'Read every page and every row of the state of this home, and say what is damaged; changes nothing',
      examples: ['obk state verify', 'obk state verify --json --jq .ok'],
      exits: [10, 3],
      more: ['obk help state backup', 'obk help pending list'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  await needHome(context, () => 'obk state doctor');
  const found = await context.homeStore.verify();
  return {
    kind: 'data',
    data: found,
    exit: found.ok ? exitCodes.ok : exitCodes.expectation,
    text: (style) =>
      [
        ...found.files.map(({ file, there, rows }) => {
          const isOk = !found.faults.some((fault) => fault.file === file);
          const mark = isOk ? style.good('ok  ') : style.bad('fail');
          return `${mark}  ${cleanLine(file)}: ${there ? `${String(rows)} rows` : 'not there yet'}`;
        }),
        ...found.faults.map(({ file, table, key, text, hint }) => {
          const what = table === null ? file : `${table} ${key ?? ''}`;
          return `${style.bad('fail')}  ${cleanLine(`${what}: ${text}`)}\n      ${style.dim(cleanLine(hint))}`;
        }),
      ].join('\n'),
  };
};

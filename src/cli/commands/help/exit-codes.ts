import type { Register, Run } from '../../command.ts';
import { definitions } from '../../render/wrap.ts';
import { exitMeanings } from '../output/exit-meanings.ts';

const text = [
  'What each exit code means; they do not change between releases.',
  '',
  'EXIT CODES',
  ...definitions(
    exitMeanings.map(({ code, name, long }) => [`${String(code).padStart(3)}  ${name}`, long] as const),
    { indent: 2, width: 80, column: 22 },
  ),
  '',
  'stdout holds the result with 0, 8, 9, 10 and 12; with every other code it is',
  'empty, and the error is on stderr (one JSON object with --json).',
  '',
].join('\n');

export const register: Register = (command, start) => start(command, { examples: [], text }, run);

const run: Run<object> = () =>
  Promise.resolve({
    kind: 'data',
    data: exitMeanings.map(({ code, name, long }) => ({ code, name, meaning: long })),
    text: () => text,
  });

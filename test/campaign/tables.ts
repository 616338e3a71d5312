// Prints the test files of which `npm test` runs a part, a line each, for .ci/run, which runs them whole.
import { rows } from './rows.ts';

console.log(rows.find(({ id }) => id === 'tables')?.tests.join('\n'));

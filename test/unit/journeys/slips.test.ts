// Slips of somebody who writes his first journeys: each is told with what was meant.
import { expect, it } from 'vitest';
import { Commands } from '../../../src/journeys/commands.ts';
import { readJourney } from '../../../src/journeys/read-journey.ts';

const flag = (name: string) => ({ name, value: 'X', choices: null, repeatable: false, description: '' });
const commands = new Commands({
  nouns: [],
  commands: [
    { command: 'version', summary: '', arguments: [], flags: [] },
    { command: 'funds check', summary: '', arguments: [], flags: [flag('--amount'), flag('--account')] },
  ],
  globalFlags: [],
});

it.each([
  [
    'a list for one profile',
    'profile: [a, b]\nsteps:\n  - version: {}',
    'a.yaml:2:10 profile: it is a list; several stand under profiles: [A, B]',
  ],
  [
    'an amount with a comma within braces',
    'steps:\n  - funds check: { amount: 3,00 }',
    'a.yaml:3:30 steps[0].funds check.00: a comma within { } begins the next key; an amount is written 12.50',
  ],
  [
    'a change of a balance that is no amount',
    'steps:\n  - version: {}\n    expect: { ledger: { DE25990010000000001999: lots } }',
    'a.yaml:4:49 steps[0].expect.ledger.DE25990010000000001999: a change is an amount such as -12.50',
  ],
])('%s', (_what, text, told) => {
  const read = readJourney(Buffer.from(`journey: x\n${text}\n`), 'a.yaml', commands, []);
  const faults = 'faults' in read ? read.faults : [];
  expect(
    faults.map(({ line, column, path, why }) => `a.yaml:${String(line)}:${String(column)} ${path}: ${why}`),
  ).toEqual([told]);
});

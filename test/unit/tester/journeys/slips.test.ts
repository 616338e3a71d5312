// Slips of somebody who writes his first journeys: each is told with what was meant.
import { expect, it } from 'vitest';
import { Commands } from '../../../../src/tester/journeys/commands.ts';
import { readJourney } from '../../../../src/tester/journeys/read-journey.ts';

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
    'a variable of a later one',
    'variables: { a: $b, b: c }\nsteps: [{ version: {} }]',
    'a.yaml:2:17 variables.a: no variable before it is called b; there are run, profile, user, today, now',
  ],
  [
    'a variable of nothing',
    'variables: { payee: c, a: $paye }\nsteps: [{ version: {} }]',
    'a.yaml:2:27 variables.a: no variable before it is called paye; did you mean payee?',
  ],
  [
    'a variable that every journey has',
    'variables: { profile: a }\nsteps: [{ version: {} }]',
    'a.yaml:2:23 variables.profile: every journey has a profile: a variable needs another name',
  ],
  [
    'a variable that is a secret',
    'secrets: { w: a }\nvariables: { w: a }\nsteps: [{ version: {} }]',
    'a.yaml:3:17 variables.w: w is a secret of this journey: a variable needs another name',
  ],
  [
    'a list whose values are a secret',
    'secrets: { w: a }\nsteps: [{ version: {}, for each: { w: [a] } }]',
    'a.yaml:3:11 steps[0]: w is a secret of this journey: each value of the list needs another name',
  ],
  [
    'a list whose values are the run',
    'steps: [{ version: {}, for each: { run: [a] } }]',
    'a.yaml:2:11 steps[0]: every journey has a run: each value of the list needs another name',
  ],
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
])('a slip is found: %s', (_what, text, told) => {
  const read = readJourney(Buffer.from(`journey: x\n${text}\n`), 'a.yaml', commands, []);
  const faults = 'faults' in read ? read.faults : [];
  expect(
    faults.map(({ line, column, path, why }) => `a.yaml:${String(line)}:${String(column)} ${path}: ${why}`),
  ).toEqual([told]);
});

// What a journey tells before its first step runs: what it would do, what it expects, and which values are refused for sure.
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank();
});
afterAll(() => bank.close());

function runFile(file: string, ...flags: string[]) {
  const env = { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir };
  return runInside(['journey', 'run', file, '--profile', 'sandbox', ...flags], { env, cwd: bank.stateDir });
}

async function run(journey: string, ...flags: string[]) {
  writeFileSync(join(bank.stateDir, 'a.yaml'), journey);
  const before = bank.arrivals().length;
  const ran = await runFile('a.yaml', ...flags);
  return { ...ran, arrived: bank.arrivals().length - before };
}

const consent = `
  - consent create: { psu-id: embedded-one, all-psd2: true }
    psu: approve
    save: consent`;

describe('the plan of a journey', () => {
  const file = `journey: x\nsteps:${consent}
    expect: { exit: ok, status: 201, headers: { location: { exists: true } }, within: 5s }
  - accounts list: { consent: $consent.consentId }
    expect: { body: { '*.currency': EUR, '0.iban': { matches: '^DE', not: DE1 } }, findings: { atMost: 2 } }
always:
  - consent delete: $consent.consentId
    expect: { ledger: { DE25990010000000001999: -1.00 } }
`;
  const wanted = [
    ['exit: ok', 'status: 201', 'header location: exists true', 'within: 5000 ms'],
    ['body *.currency: EUR', 'body 0.iban: matches ^DE and not DE1', 'findings: atMost 2'],
    ['ledger DE25990010000000001999: -1.00'],
  ];

  it('shows people the expected result of each step', async () => {
    const { code, stdout, arrived } = await run(file, '--plan', '-o', 'table');
    expect(code).toBe(0);
    for (const one of wanted.flat()) expect(stdout).toContain(`\n    expects ${one}`);
    expect(arrived).toBe(0);
  });

  it('shows the same as JSON', async () => {
    const { stdout } = await run(file, '--plan', '--json');
    const [planned] = JSON.parse(stdout) as { steps: { expect: string[] }[] }[];
    expect(planned?.steps.map(({ expect: one }) => one)).toEqual(wanted);
  });

  it('sends nothing for every journey that obk ships', async () => {
    const before = bank.arrivals().length;
    for (const file of readdirSync('journeys').map((name) => resolve('journeys', name))) {
      const { code, stdout } = await runFile(file, '--plan', '--json');
      expect(code, file).toBe(0);
      if (!file.endsWith('consent-by-http.yaml')) continue;
      expect(stdout).toMatch(/printf %s '\{[^|]*allPsd2[^|]*\$until[^|]*\| obk api POST consents/);
      expect(stdout).toContain('saved as consent');
    }
    expect(bank.arrivals()).toHaveLength(before);
  });
});

describe('a value that its command refuses', () => {
  it.each([
    [
      'written out',
      'transactions list: { consent: $consent.consentId, limit: -1 }',
      ': transactions list.limit: --limit takes a number',
    ],
    [
      'of a variable',
      'transactions list: { consent: $consent.consentId, limit: $wrong }',
      ': transactions list.limit: --limit takes a number',
    ],
    [
      'made of a variable',
      'payment init: { timeout: "${wrong}s" }',
      ': payment init.timeout: --timeout takes a duration',
    ],
    [
      'of a step that cleans up',
      'payment init: { timeout: fast }',
      ': payment init.timeout: --timeout takes a duration',
      'always',
    ],
    [
      'that is no member of a payment',
      'payment init: { set: requestedExecutionDate }',
      ': payment init.set: --set "requestedExecutionDate" cannot be sent. it is not NAME=JSON',
    ],
    [
      'that is no header',
      'api: { what: GET, path: v1/accounts, header: Accept }',
      ': api.header: -H takes NAME:VALUE',
    ],
    [
      'that has no key',
      'api: { what: getAccountList, field: withBalance }',
      ': api.field: -f takes KEY=VALUE',
    ],
    ['that breaks nothing', 'api: { what: getAccountList, break: all }', ': api.break: --break takes'],
    [
      'of a header that obk makes',
      'api: { what: getAccountList, header: "X-Request-ID: 1" }',
      ': api.header: X-Request-ID is made by obk',
    ],
  ])('is reported before anything is sent, %s', async (_case, step, why, where = 'steps') => {
    const variables = 'variables: { wrong: many }';
    const file = `journey: x\n${variables}\nsteps:${consent}\n${where === 'steps' ? '' : `${where}:\n`}  - ${step}\n`;
    for (const flags of [[], ['--plan'], ['--repeat', '3']]) {
      const { code, stderr, arrived } = await run(file, ...flags);
      expect(code).toBe(2);
      expect(stderr).toMatch(/Nothing was run: one thing is wrong/);
      expect(stderr).toMatch(/a\.yaml:[0-9]+:[0-9]+: (?:steps\[1\]|always\[0\])/);
      expect(stderr).toContain(why.replace(/^: /, '.'));
      expect(arrived).toBe(0);
    }
  });

  it.each([
    [
      'where another value is set',
      ['--set', 'wrong=2'],
      'transactions list: { consent: $consent.consentId, limit: $wrong }',
    ],
    ['where the step is about that', [], 'transactions list: { limit: $wrong }\n    expect: { exit: usage }'],
    [
      'where only a step knows it',
      [],
      'accounts list: { consent: $consent.consentId, timeout: $each }\n    for each: { each: [10s] }',
    ],
  ])('is not %s', async (_case, flags, step) => {
    const file = `journey: x\nvariables: { wrong: many }\nsteps:${consent}\n  - ${step}\n`;
    expect(await run(file, ...flags)).not.toMatchObject({
      stderr: expect.stringMatching(/Nothing was run/) as string,
    });
  });
});

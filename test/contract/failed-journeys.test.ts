// What a journey that fails leaves behind: its other journeys still run, and what was never made is not cleaned up.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/program/pages.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  await commandTree();
}, 60_000);
afterAll(() => bank.close());

interface Told {
  journeys: { journey: string; verdict: string; steps: { name: string; verdict: string; why?: string }[] }[];
}

async function run(files: Readonly<Record<string, string>>, ...flags: string[]) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(bank.stateDir, name), text);
  const env = { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir };
  const args = ['journey', 'run', ...Object.keys(files), '--profile', 'sandbox', '--json', ...flags];
  const { code, stdout, stderr } = await runInside(args, { env, cwd: bank.stateDir });
  expect(stdout, stderr).not.toBe('');
  return { code, told: JSON.parse(stdout) as Told };
}

const consent = (psuId: string, more = '') => `
  - consent create: { psu-id: ${psuId}, all-psd2: true }
    psu: approve
    save: consent${more}`;
const cleanUp = (member: string) => `\nalways:\n  - consent delete: $consent.${member}\n`;
const steps = ({ told }: { told: Told }) =>
  told.journeys[0]?.steps.map(({ name, verdict }) => `${name}: ${verdict}`);

describe('a step whose list is not there', () => {
  it('has failed, and everything else runs: its clean-up, the next journey, the report', async () => {
    const first = `journey: First\nsteps:${consent('embedded-one')}
  - accounts balances: { id: $iban, consent: $consent.consentId }
    for each: { iban: $consent.nothing.here }${cleanUp('consentId')}`;
    const second = 'journey: Second\nsteps:\n  - version: {}\n';
    const ran = await run({ 'first.yaml': first, 'second.yaml': second }, '--junit', 'junit.xml');
    expect(ran.code).toBe(10);
    expect(steps(ran)).toEqual([
      'consent create: passed',
      'accounts balances: failed',
      'consent delete: passed',
    ]);
    expect(ran.told.journeys[0]?.steps[1]?.why).toMatch(/^Nothing is known of \$consent\.nothing\.here\./);
    expect(ran.told.journeys[1]?.verdict).toBe('passed');
    expect(readFileSync(join(bank.stateDir, 'junit.xml'), 'utf8')).toContain('failures="1"');
  });
});

describe('a condition of a step', () => {
  it('tells where what it asks for stands, if nothing is at its place', async () => {
    const told = await run({
      'when.yaml': `journey: x\nsteps:${consent('embedded-one')}
  - version: {}
    when: { $consent.scaStatus: finalised }
  - version: {}
    when: { $consent.consentStatus: received }${cleanUp('consentId')}`,
    });
    expect(told.code).toBe(0);
    expect(told.told.journeys[0]?.steps.slice(1, 3).map(({ why }) => why)).toEqual([
      '$consent has no scaStatus; did you mean $consent.sca.scaStatus?',
      '$consent.consentStatus is not so',
    ]);
  });
});

describe('what runs always', () => {
  it.each([
    ['is left out where a failed step made nothing', consent('nobody-there'), 'consentId', 'skipped'],
    [
      'is left out where the step before the one that makes it failed',
      `\n  - accounts list: { consent: none }${consent('embedded-one')}`,
      'consentId',
      'skipped',
    ],
    [
      'has failed where all steps ran and its reference is none',
      consent('embedded-one'),
      'consent',
      'failed',
    ],
    [
      'runs where a failed step made it',
      consent('embedded-one', '\n    expect: { body: { consentStatus: rejected } }'),
      'consentId',
      'passed',
    ],
  ])('%s', async (_case, made, member, verdict) => {
    const ran = await run({ 'a.yaml': `journey: x\nsteps:${made}${cleanUp(member)}` });
    expect(ran.code).toBe(10);
    expect(steps(ran)?.at(-1)).toBe(`consent delete: ${verdict}`);
  });

  it('is no excuse for a step that reads what an earlier one did not bring', async () => {
    const ran = await run({
      'a.yaml': `journey: x\nsteps:${consent('embedded-one')}
  - consent status: $consent.other${cleanUp('consentId')}`,
    });
    expect(steps(ran)).toEqual([
      'consent create: passed',
      'consent status: failed',
      'consent delete: passed',
    ]);
  });
});

// What a journey that fails leaves behind: its other journeys still run, and what was never made is not cleaned up.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/program/pages.ts';
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

describe('a step whose list is missing', () => {
  it('fails, and everything else runs: its clean-up, the next journey, the report', async () => {
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

describe('a step that waits for the PSU', () => {
  it('reports that nobody acts for the PSU', async () => {
    const pay = `{ product: sepa-credit-transfers, psu-id: next-day, creditor-account: DE89370400440532013000, creditor-name: Shop, amount: '12.50' }`;
    const alone = `journey: Cancel\nsteps:\n  - payment init: ${pay}\n    psu: approve\n    save: payment\n  - payment cancel: { id: $payment.paymentId, wait: true, timeout: 200ms }\n`;
    const left = alone.replace(/\n$/, '\n    psu: leave\n');
    const why = async (text: string) =>
      (await run({ 'cancel.yaml': text })).told.journeys[0]?.steps.at(-1)?.why;
    expect(await why(alone)).toMatch(/^transactionStatus AC\w\w; the PSU has to agree, and .* psu: approve$/);
    expect(await why(left)).toMatch(/^transactionStatus AC\w\w$/);
  });
});

describe('a journey that does not start any more', () => {
  it('is in JUnit and on the page as one that was left out', async () => {
    const bad = 'journey: Bad\nsteps:\n  - version: {}\n    expect: { exit: usage }\n';
    const later = 'journey: Later\nsteps:\n  - version: {}\n';
    const flags = ['--bail', '--junit', 'bail.xml', '--html', 'bail.html'];
    const ran = await run({ 'bad.yaml': bad, 'later.yaml': later }, ...flags);
    expect(ran.code).toBe(10);
    expect(ran.told).toMatchObject({ failed: 1, notRun: 1 });
    expect(ran.told.journeys.map(({ journey }) => journey)).toEqual(['Bad']);
    const junit = readFileSync(join(bank.stateDir, 'bail.xml'), 'utf8');
    expect(junit).toContain('tests="2" failures="1" errors="0" skipped="1"');
    expect(junit).toContain('<testsuite name="Later (sandbox)"');
    const page = readFileSync(join(bank.stateDir, 'bail.html'), 'utf8');
    for (const report of [junit, page]) expect(report).toContain('it did not begin any more');
  });
});

describe('a condition of a step', () => {
  it('names where its value is, if nothing is at its place', async () => {
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

describe('a journey that is left out', () => {
  const needs = 'journey: Needs\nneeds: [createSigningBasket]\nsteps:\n  - version: {}\n';
  const never = 'journey: Never\nsteps:\n  - version: {}\n    when: { $profile.environment: production }\n';
  const good = 'journey: Good\nsteps:\n  - version: {}\n';

  it('ends no run with --bail, and is reported with its reason, also in JUnit', async () => {
    const files = { 'needs.yaml': needs, 'never.yaml': never, 'good.yaml': good };
    const ran = await run(files, '--bail', '--junit', 'left.xml');
    expect(ran.code).toBe(0);
    expect(ran.told.journeys.map(({ verdict }) => verdict)).toEqual(['skipped', 'skipped', 'passed']);
    const junit = readFileSync(join(bank.stateDir, 'left.xml'), 'utf8');
    expect(junit).toContain('tests="3" failures="0" errors="0" skipped="2"');
    expect(junit).toContain('<skipped message="the profile does not offer createSigningBasket"/>');
    const env = { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir };
    const args = ['journey', 'run', ...Object.keys(files), '--profile', 'sandbox'];
    const { stdout } = await runInside(args, { env, cwd: bank.stateDir });
    expect(stdout).toMatch(/- Needs .*\n {4}the profile does not offer createSigningBasket\n/);
    expect(stdout).toMatch(/- Never .*\n {4}\$profile\.environment is not so\n/);
  });

  it('is not a success where nothing else ran', async () => {
    expect((await run({ 'needs.yaml': needs })).code).toBe(10);
  });

  it.each([
    ['--set', 'amont=3', '--set amount=3'],
    ['--set', 'other=3', 'there are amount, payee.'],
  ])('is refused with %s %s, and the variables are named', async (flag, value, wanted) => {
    writeFileSync(
      join(bank.stateDir, 'vars.yaml'),
      'journey: Vars\nvariables: { amount: 1, payee: x }\nsteps:\n  - version: {}\n',
    );
    const env = { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir };
    const args = ['journey', 'run', 'vars.yaml', '--profile', 'sandbox', flag, value];
    const { code, stderr } = await runInside(args, { env, cwd: bank.stateDir });
    expect([code, stderr]).toEqual([2, expect.stringContaining(wanted)]);
  });

  it('names its file where a variable is about nothing that a profile has', async () => {
    writeFileSync(
      join(bank.stateDir, 'about.yaml'),
      'journey: About\nvariables: { a: $profile.nam }\nsteps:\n  - version: {}\n',
    );
    writeFileSync(join(bank.stateDir, 'good.yaml'), good);
    const env = { HOME: bank.stateDir, OBK_STATE_DIR: bank.stateDir };
    const args = ['journey', 'run', 'good.yaml', 'about.yaml', '--profile', 'sandbox'];
    const { code, stderr } = await runInside(args, { env, cwd: bank.stateDir });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/about\.yaml: line 2, .*\$profile\.name\?/)]);
  });
});

describe('a step that always runs', () => {
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

  it('does not excuse a step that reads what an earlier one did not bring', async () => {
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

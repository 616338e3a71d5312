// Every journey that obk ships, at the bank inside as each platform that obk describes, and in each framework below /v1. In .ci/run
// each bank has a part of them that changes from bank to bank, in npm test some of the banks, and in the row `journeys` of the
// campaign each has all of them again and again.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankTemplates } from '../../src/settings/banks/templates.ts';
import type { BankSettings } from '../../src/settings/records/profile.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import type { Ran } from '../helpers/obk.ts';
import { part, trials } from '../helpers/trials.ts';
import { platforms } from './platforms.ts';
import type { Platform } from './platforms.ts';

const folder = resolve('journeys');
const shipped = readdirSync(folder).map((name) => join(folder, name));
const task = trials('journeys', 0);
const isWhole = task.count > 0;
/** Of the banks of a table every so manieth, but where all of it is asked for. */
const some = <T>(banks: readonly T[], of: number): readonly T[] => (isWhole ? banks : part(banks, of, 0));
const repeats = Math.max(1, task.count);

interface Told {
  passed: number;
  journeys: { journey: string; verdict: string; why?: string; steps: unknown[] }[];
}

/** The PSU of a journey, as its file names them. */
const psuOf = (file: string, name = 'psu'): string | undefined =>
  new RegExp(`variables: \\{.*\\b${name}: ([a-z0-9-]+)`).exec(readFileSync(file, 'utf8'))?.[1];

/** Of all journeys so many for the bank at this place of its table. */
const partFor = (index: number, of: number): readonly string[] =>
  isWhole ? shipped : shipped.filter((_, at) => at % of === index % of);

/** The people of the bank inside under other PSU-IDs, whose first characters tell them apart. */
async function renamed(): Promise<{ config: string; ids: ReadonlyMap<string, string> }> {
  const usual = await startBank();
  const ids = new Map(usual.people.map(({ psuId }, at) => [psuId, `c${String(100 + at)}-${psuId}`]));
  const text = (await usual.bank.exportConfig()).replaceAll(
    /^( +(?:- )?(?:psuId: )?)([a-z][a-z0-9-]*)$/gm,
    (line, start: string, id: string) =>
      /psuId: $|- $/.test(start) && ids.has(id) ? `${start}${ids.get(id) ?? ''}` : line,
  );
  await usual.close();
  return { config: text, ids };
}

function obkAt(bank: TestBank): (line: readonly string[], more?: NodeJS.ProcessEnv) => Promise<Ran> {
  const home = {
    HOME: bank.stateDir,
    OBK_CONFIG_DIR: join(bank.stateDir, 'config'),
    OBK_STATE_DIR: bank.stateDir,
    GATEWAY_KEY: 'k-1',
  };
  return (line, more = {}) =>
    runInside(line, { env: { ...home, ...more }, cwd: bank.stateDir, input: '', bound: 3_600_000 });
}

/** Those that did not pass, of as many as ran; nothing is sent twice to find out. */
async function run(obk: ReturnType<typeof obkAt>, files: readonly string[], flags: readonly string[]) {
  const many = ['--repeat', String(repeats), '--json'];
  const ran = await obk(['journey', 'run', ...files, ...many, ...flags]);
  expect(ran.stdout, ran.stderr).not.toBe('');
  const told = JSON.parse(ran.stdout) as Told;
  expect(told.journeys).toHaveLength(files.length * repeats);
  const wrong = told.journeys.filter(({ verdict }) => verdict === 'failed' || verdict === 'unknown');
  return { passed: told.passed, wrong };
}

/** What some journeys do wrong so that the bank refuses it. */
const meant = new RegExp(
  [
    ...['cannot be cancelled', 'with a consent for one use', 'The consent is terminatedByTpp'],
    ...['has blocked this service for the PSU', 'paymentId is no id', 'has made no such payment'],
    'was read (once|\\d+ times) ',
  ].join('|'),
);

/** The consent that a journey asks for wrongly: nothing but an access, and one that there is not. */
const isWrongConsent = (all: readonly { what: string }[]) =>
  ['access/allPsd2 is not right', 'validUntil is missing', 'frequencyPerDay is missing'].every((wrong) =>
    all.some(({ what }) => what.startsWith(wrong)),
  );

const findings = async (bank: TestBank): Promise<readonly string[]> =>
  (await bank.bank.log(0)).flatMap(({ method, path, findings: all }) =>
    all
      .filter(({ severity, what }) => severity === 'error' && !meant.test(what) && !isWrongConsent(all))
      .map(({ what }) => `${method} ${path}: ${what}`),
  );

describe.each(some(platforms, 5).map((platform, index) => ({ ...platform, index })))(
  'the journeys at a bank like those of $name',
  (platform: Platform & { index: number }) => {
    const settings: BankSettings = bankTemplates.find(({ name }) => name === platform.name)?.settings ?? {};
    let bank: TestBank;
    let obk: ReturnType<typeof obkAt>;
    let ids: ReadonlyMap<string, string> = new Map();
    beforeAll(async () => {
      // A bank that reads a part of the PSU-ID has customers whom that part tells apart.
      const people = settings.headers?.psuId === undefined ? undefined : await renamed();
      bank = await startBank({ bank: platform.name, doors: { rate: 'off' }, ...(await fileOf(people)) });
      ids = people?.ids ?? ids;
      obk = obkAt(bank);
      const made = await obk([
        ...['profile', 'create', 'described', '--bank', platform.name, '--base-url', bank.baseUrl],
        ...['--environment', 'sandbox', '--surface', 'framework', '--psu-ip', '192.0.2.1'],
        ...['--certificate', bank.certificatePath, '--key', bank.keyPath],
        ...['--redirect-uri', 'https://tpp.example/back', '--oauth-issuer', bank.baseUrl],
        ...(platform.flags ?? []),
      ]);
      expect(made.code, made.stderr).toBe(0);
    }, 60_000);
    afterAll(() => bank.close());

    const logIn = async (psuId: string) => {
      const login = ['auth', 'login', '--psu-id', psuId, '--profile', 'described', '--json'];
      const begun = await obk(login);
      const { url } = JSON.parse(begun.stdout) as { url: string };
      const { redirectedTo = '' } = bank.decide('approve', url, psuId);
      const done = await obk([...login, '--return-url-from', 'env:BACK'], { BACK: redirectedTo });
      expect(done.code, done.stderr).toBe(0);
    };

    it('pass', { timeout: task.timeout(120_000) }, async () => {
      const files = partFor(platform.index, 9);
      if (platform.logsIn === true) {
        const client = { clientId: 'PSDDE-BAFIN-999999', redirectUris: ['https://tpp.example/back'] };
        await bank.bank.addClient(client);
        const people = files.flatMap((file) => [psuOf(file) ?? [], psuOf(file, 'other') ?? []].flat());
        for (const psuId of new Set(people)) if (psuId !== 'locked') await logIn(psuId);
      }
      const groups = ids.size === 0 ? [files] : files.map((file) => [file]);
      let passed = 0;
      const wrong: object[] = [];
      for (const group of groups) {
        const named =
          ids.size === 0
            ? []
            : [
                ['psu', psuOf(group[0] ?? '')],
                ['other', psuOf(group[0] ?? '', 'other')],
              ];
        const sets = named.flatMap(([name = '', id]) =>
          id === undefined ? [] : ['--set', `${name}=${ids.get(id) ?? id}`],
        );
        // A bank that takes recurring consents alone ends the one of a PSU with the next.
        const atOnce = settings.consent?.recurringOnly === true ? '1' : '4';
        const ran = await run(obk, group, [...sets, '--parallel', atOnce, '--profile', 'described']);
        passed += ran.passed;
        wrong.push(...ran.wrong);
      }
      expect(JSON.stringify(wrong, undefined, 1)).toBe('[]');
      expect(await findings(bank)).toEqual([]);
      if (isWhole) expect(passed).toBeGreaterThan(8 * repeats);
      task.report(`${platform.name}: ${String(passed)} journeys passed`, 0);
    });
  },
);

async function fileOf(people: { config: string } | undefined): Promise<{ config?: string }> {
  if (people === undefined) return {};
  const { mkdtempSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const path = join(mkdtempSync(join(tmpdir(), 'obk-people-')), 'bank.yaml');
  writeFileSync(path, people.config);
  return { config: path };
}

describe.each(
  some(['1.3.2', '1.3.6', '1.3.8', '1.3.11', '1.3.12'], 2).map((framework, index) => ({
    framework,
    index,
  })),
)('the journeys in framework $framework', ({ framework, index }) => {
  let bank: TestBank;
  let obk: ReturnType<typeof obkAt>;
  beforeAll(async () => {
    bank = await startBank({ doors: { rate: 'off', framework } });
    obk = obkAt(bank);
    const made = await obk([
      ...['profile', 'create', 'spoken', '--framework', framework, '--prefix', '/v1'],
      ...['--base-url', bank.baseUrl, '--environment', 'sandbox', '--psu-ip', '192.0.2.1'],
      ...['--certificate', bank.certificatePath, '--key', bank.keyPath],
      ...['--redirect-uri', 'https://tpp.example/back', '--oauth-issuer', bank.baseUrl],
    ]);
    expect(made.code, made.stderr).toBe(0);
  });
  afterAll(() => bank.close());

  it('pass', { timeout: task.timeout(120_000) }, async () => {
    const { passed, wrong } = await run(obk, partFor(index, 9), ['--parallel', '4', '--profile', 'spoken']);
    expect(JSON.stringify(wrong, undefined, 1)).toBe('[]');
    expect(await findings(bank)).toEqual([]);
    task.report(`${framework}: ${String(passed)} journeys passed`, framework === '1.3.12' ? task.count : 0);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { blocksOf, guides, projectRoot } from '../helpers/guides.ts';
import { createObkWithKeys } from '../helpers/obk.ts';
import { hasPostgres, testDatabase } from '../helpers/postgres.ts';
import { hasPrograms } from '../helpers/programs.ts';
import { runScript } from '../helpers/script.ts';
import { ranTable, runsWhole } from '../helpers/trials.ts';

/** The pages of which a command may be run: those for developers of obk and those made from tables have none. */
const withoutCommands = [
  'docs/README.md',
  'docs/architecture.md',
  'docs/bank/README.md',
  'docs/decisions.md',
  'docs/speed.md',
];
const forDevelopers = ['docs/architecture.md', 'docs/decisions.md'];
const isMade = (name: string): boolean => name.startsWith('docs/reference/');
const pages = guides.filter((name) => !isMade(name)).map((name) => [name, read(name)] as const);
const withCommands = pages.filter(([, text]) => blocksOf(text, 'sh').length > 0);

function read(name: string): string {
  return readFileSync(join(projectRoot, name), 'utf8');
}

/** Programs that a block may need and a machine may lack. */
const rare = ['curl', 'python3', 'openssl', 'sqlite3'] as const;
const needs = (block: string, program: string): boolean =>
  new RegExp(`^ *${program} |"${program}"`, 'm').test(block);

afterAll(() => {
  ranTable('every block of the guides');
});

/** The URLs of a database for its owner and for the role that the guide makes. */
async function databaseVariables(database: ReturnType<typeof testDatabase>): Promise<string[]> {
  const owner = (await database.adminUrl()).reveal();
  const daily = owner.replace(/\/\/[^@]*@/, '//obk_app@');
  return [`export OBK_OWNER_URL='${owner}'`, `export OBK_STATE_URL='${daily}'`];
}

const runsBlocks = runsWhole('the blocks of the guides');

it('every guide has commands, but for those that are known to have none', () => {
  const none = pages.filter((one) => !withCommands.includes(one)).map(([name]) => name);
  expect(none).toEqual(withoutCommands);
});

/** The blocks of a guide as one script, in a home of its own. */
describe.each(withCommands)('the blocks of %s', (_name, text) => {
  const needsDatabase = text.includes('$OBK_OWNER_URL');
  const database = needsDatabase ? testDatabase({ tables: false }) : undefined;
  afterAll(() => database?.end());

  it.runIf(runsBlocks)(
    'run as they are printed, one after another',
    async ({ skip }) => {
      if (needsDatabase && !(hasPostgres() && hasPrograms('psql'))) skip('PostgreSQL is not installed');
      const variables = database === undefined ? [] : await databaseVariables(database);
      const obk = await createObkWithKeys();
      const all = blocksOf(text, 'sh');
      const absent = rare.filter(
        (program) => all.some((block) => needs(block, program)) && !hasPrograms(program),
      );
      const blocks = all.filter((block) => !absent.some((program) => needs(block, program)));
      try {
        const { code, stdout, stderr } = await runScript(
          obk,
          ['set -euxo pipefail', ...variables, ...blocks].join('\n'),
        );
        expect(code, `${stdout}${stderr}`.slice(-4000)).toBe(0);
      } finally {
        obk.close();
      }
    },
    300_000,
  );
});

describe.each(pages)('the page %s', (name, text) => {
  it('has examples in YAML and JSON that can be read', () => {
    for (const block of blocksOf(text, 'yaml')) expect(parse(block)).toBeTypeOf('object');
    for (const block of blocksOf(text, 'json')) expect(JSON.parse(block)).toBeTypeOf('object');
  });

  it('is short: at most 250 lines of at most 130 characters', () => {
    const lines = text.trimEnd().split('\n');
    if (!forDevelopers.includes(name)) expect(lines.filter((line) => line.length > 130)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(250);
  });

  it('is on the index, or is the index', () => {
    if (name === 'docs/README.md') return;
    const index =
      name.startsWith('docs/bank/') && name !== 'docs/bank/README.md'
        ? 'docs/bank/README.md'
        : 'docs/README.md';
    const path = name.slice(index.lastIndexOf('/') + 1);
    expect(read(index)).toContain(`](${path})`);
  });
});

it('the reference pages are on the index', () => {
  const index = read('docs/README.md');
  for (const name of guides.filter(isMade)) expect(index).toContain(`](${name.slice('docs/'.length)})`);
});

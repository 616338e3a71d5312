import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createObkWithKeys } from '../helpers/obk.ts';
import { hasPostgres, testDatabase } from '../helpers/postgres.ts';
import { hasPrograms } from '../helpers/programs.ts';
import { runScript } from '../helpers/script.ts';
import { ranTable, runsWhole } from '../helpers/trials.ts';

const root = resolve(import.meta.dirname, '../..');
// What is written for those who build obk has no commands to run.
const guides = readdirSync(join(root, 'docs')).filter(
  (name) => name.endsWith('.md') && !['architecture.md', 'decisions.md'].includes(name),
);

/** Programs that a block may need and a machine may lack. */
const rare = ['curl', 'python3', 'openssl', 'sqlite3'] as const;
const needs = (block: string, program: string): boolean =>
  new RegExp(`^ *${program} |"${program}"`, 'm').test(block);

const bare = testDatabase({ tables: false });
afterAll(async () => {
  ranTable('every block of the guides');
  await bare.end();
});

/** The URLs of a database for its owner and for the role that the guide makes. */
async function databaseVariables(): Promise<string[]> {
  const owner = (await bare.adminUrl()).reveal();
  const daily = owner.replace(/\/\/[^@]*@/, '//obk_app@');
  return [`export OBK_OWNER_URL='${owner}'`, `export OBK_STATE_URL='${daily}'`];
}

const runsBlocks = runsWhole('the blocks of the guides');

/** The blocks of a guide as one script, in a home of its own. */
describe.each(guides)('docs/%s', (name) => {
  const text = readFileSync(join(root, 'docs', name), 'utf8');

  it.runIf(runsBlocks)(
    'runs as it stands',
    async ({ skip }) => {
      const needsDatabase = text.includes('$OBK_OWNER_URL');
      if (needsDatabase && !(hasPostgres() && hasPrograms('psql'))) skip('PostgreSQL is not installed');
      const variables = needsDatabase ? await databaseVariables() : [];
      const obk = await createObkWithKeys();
      const all = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
      const absent = rare.filter(
        (program) => all.some((block) => needs(block, program)) && !hasPrograms(program),
      );
      const blocks = all.filter((block) => !absent.some((program) => needs(block, program)));
      expect(blocks.length).toBeGreaterThan(3);
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

  it('has examples in YAML that can be read', () => {
    for (const [, block = ''] of text.matchAll(/^```yaml\n([^]*?)^```$/gm))
      expect(parse(block)).toBeTypeOf('object');
  });

  it('fits the page, and leads nowhere wrong', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g)) {
      expect(() => readFileSync(join(root, 'docs', link))).not.toThrow();
    }
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openCases } from '../helpers/cases/run.ts';

/** With OBK_TEST_UPDATE=1 what the commands print becomes what the files expect: read the difference before you commit it. */
const update = process.env['OBK_TEST_UPDATE'] === '1';
const folder = import.meta.dirname;

for (const name of readdirSync(folder).filter((one) => one.endsWith('.txt')))
  describe(name, () => {
    const { cases, close } = openCases(join(folder, name), update);
    afterAll(close);
    for (const { title, run } of cases)
      it(title, async () => {
        const { at, seen, wanted } = await run();
        if (!update) expect(seen, `${name}, ${at}`).toBe(wanted);
      });
  });

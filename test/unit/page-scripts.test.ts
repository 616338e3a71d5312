import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const { pageScript, scriptFolders } = (await import(pathToFileURL(resolve('page-scripts.mjs')).href)) as {
  pageScript: (folder: string) => Promise<string>;
  scriptFolders: readonly string[];
};

it.each(scriptFolders)(
  '%s.json is what the build makes of the folder as it is (`npm run build`)',
  async (folder) => {
    expect(readFileSync(`${folder}.json`, 'utf8')).toBe(await pageScript(folder));
  },
);

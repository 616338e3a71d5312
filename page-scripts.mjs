// The scripts that obk gives to a browser: each is made of a folder of TypeScript.
import { rolldown } from 'rolldown';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

/** The folders of the scripts; beside each stands what is made of it, FOLDER.json. */
export const scriptFolders = ['src/bank/window/page', 'src/cli/render/transactions-script'];

/**
 * The files of a folder as one script of JavaScript, `{ script, hash }` in JSON; by its hash the policy of a page can allow it
 * (Content Security Policy Level 3, 2.3.1). It is committed, so that the sources run without a build; the build writes it, and a
 * test compares it.
 */
export async function pageScript(folder) {
  const bundler = await rolldown({
    cwd: root,
    input: `${folder}/main.ts`,
    platform: 'browser',
    transform: { target: 'es2023' },
    tsconfig: false,
  });
  const { output } = await bundler.generate({
    format: 'es',
    comments: false,
    // Names stay, for stack traces.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    postBanner: "'use strict';",
  });
  await bundler.close();
  const [{ code, modules }] = output;
  const foreign = Object.keys(modules).filter((id) => !id.includes(`/${folder}/`));
  if (foreign.length > 0) throw new Error(`${folder} may import types only: ${foreign.join(', ')}`);
  const hash = `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
  return `${JSON.stringify({ script: code, hash }, undefined, 2)}\n`;
}

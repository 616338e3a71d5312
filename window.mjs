// Bundles the scripts of the window, the page of the built-in bank for a tester's browser.
import { rolldown } from 'rolldown';
import { fileURLToPath } from 'node:url';

/**
 * The scripts in src/bank/window/page as one script of JavaScript, as src/bank/window/page.json holds it: `{ script }`. The file
 * is committed, so that the sources run without a build; the build writes it, and a test compares it.
 */
export async function windowPage() {
  const bundler = await rolldown({
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    input: 'src/bank/window/page/main.ts',
    platform: 'browser',
    transform: { target: 'es2023' },
    tsconfig: false,
  });
  const { output } = await bundler.generate({
    format: 'es',
    comments: false,
    // Names stay, for stack traces.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundler.close();
  const foreign = Object.keys(output[0].modules).filter((id) => !id.includes('/src/bank/window/page/'));
  if (foreign.length > 0)
    throw new Error(`the window takes types of the bank only, not ${foreign.join(', ')}`);
  return `${JSON.stringify({ script: output[0].code }, undefined, 2)}\n`;
}

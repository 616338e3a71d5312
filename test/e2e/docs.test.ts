import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createObk } from '../helpers/obk.ts';

const root = resolve(import.meta.dirname, '../..');
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));

/** The blocks of a guide as one script, in a home of its own. */
describe.each(guides)('docs/%s', (name) => {
  const text = readFileSync(join(root, 'docs', name), 'utf8');

  it('runs as it stands', async () => {
    const obk = createObk();
    const bin = join(obk.home, 'bin');
    mkdirSync(bin);
    const program = `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/obk.js' "$@"\n`;
    writeFileSync(join(bin, 'obk'), program, { mode: 0o755 });
    const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(3);
    try {
      const env = { ...obk.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
      const { code, output } = await bash(['set -euxo pipefail', ...blocks].join('\n'), {
        cwd: obk.folder,
        env,
      });
      expect(code, output).toBe(0);
    } finally {
      obk.close();
    }
  }, 60_000);

  it('fits the page, and leads nowhere wrong', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g)) {
      expect(() => readFileSync(join(root, 'docs', link))).not.toThrow();
    }
  });
});

function bash(script: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  return new Promise<{ code: number | null; output: string }>((done) => {
    const child = spawn('bash', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-4000);
      });
    }
    child.once('close', (code) => {
      done({ code, output });
    });
  });
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { createObk } from '../helpers/obk.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/sandbox.md'), 'utf8');

interface Workflow {
  jobs: Record<
    string,
    {
      strategy: { matrix: { suite: string[] } };
      env: Record<string, string>;
      steps: { uses?: string; run?: string; if?: string }[];
    }
  >;
}

/** Runs a job as a runner does: each step in a shell of its own, which the next step does not know. */
it('the workflow of the page starts a bank, runs the suite of one of its jobs and ends the bank', async () => {
  const obk = createObk();
  try {
    const [, text = ''] = /^```yaml\n(on: push\n[^]*?)^```$/m.exec(page) ?? [];
    const { strategy, env, steps } = (parse(text) as Workflow).jobs['bank']!;
    expect(strategy.matrix.suite).toHaveLength(4);
    const known: Readonly<Record<string, string>> = {
      'matrix.suite': strategy.matrix.suite[2]!,
      'github.run_id': '4711',
      'github.run_attempt': '1',
    };
    const filled = (value: string) =>
      value.replace(/\$\{\{ (\S+) \}\}/g, (_all, name: string) => {
        expect(known).toHaveProperty([name]);
        return known[name] ?? '';
      });
    const [, suite = ''] = /^cat > bank\.test\.mjs <<'END'\n([^]*?)^END$/m.exec(page) ?? [];
    writeFileSync(join(obk.folder, 'bank.test.mjs'), suite);
    const bin = join(obk.folder, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    const program = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/obk.js')}' "$@"\n`;
    writeFileSync(join(bin, 'obk'), program, { mode: 0o755 });

    const paths = join(obk.home, 'github-path');
    writeFileSync(paths, '');
    const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
    const ran: string[] = [];
    // What installs needs a registry.
    for (const { run } of steps.filter(({ run }) => run !== undefined && run !== 'npm ci')) {
      const added = readFileSync(paths, 'utf8').trim().split('\n').reverse();
      const PATH = [...added, process.env['PATH'] ?? ''].filter(Boolean).join(':');
      const step = spawnSync('bash', ['-e', '-c', filled(run ?? '')], {
        cwd: obk.folder,
        env: { ...obk.env, ...own, PATH, GITHUB_PATH: paths },
        encoding: 'utf8',
        timeout: 30_000,
      });
      expect(step.status, `${run ?? ''}\n${step.stdout}${step.stderr}`).toBe(0);
      ran.push(step.stdout);
    }
    expect(JSON.parse(readFileSync(join(obk.folder, 'first.json'), 'utf8'))).toMatchObject({
      name: 'payments-4711-1',
    });
    expect(ran.join('')).toMatch(/^# pass 2$|^ℹ pass 2$/m);
    expect((await obk.json(['sandbox', 'status'])).running).toBe(false);
    expect(existsSync(join(obk.env['XDG_STATE_HOME'] ?? '', 'obk/sandbox/banks/payments-4711-1'))).toBe(
      false,
    );
  } finally {
    obk.close();
  }
}, 60_000);

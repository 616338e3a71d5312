// The job in Kubernetes and the matrix in CI of docs/fleet.md: their command lines are commands of this obk, and say all that they need.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { wordsOf } from '../../../../helpers/example-words.ts';
import { insideOf } from '../../../../helpers/inside.ts';
import { createObk } from '../../../../helpers/obk.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import { hasPostgres, stateEnvironment, testDatabase } from '../../../../helpers/postgres.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../../docs/fleet.md'), 'utf8');
const [kubernetes, ci] = [...text.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
  ([, block = '']) => parse(block) as unknown,
) as [
  { spec: { template: { spec: { containers: { args: string[]; env: { name: string }[] }[] } } } },
  { jobs: { pay: { steps: { run: string }[]; env: Record<string, string> } } },
];
const { args, env } = kubernetes.spec.template.spec.containers[0] ?? { args: [], env: [] };
const lines = ci.jobs.pay.steps
  .map(({ run }) => run.replaceAll(/\\\n */g, '').replaceAll('${{ matrix.order }}', '4711'))
  .flatMap((run) => run.split('\n'))
  .flatMap((line) => /\bobk [^)]*/.exec(line)?.[0] ?? []);

describe.skipIf(!hasPostgres())('an example of a fleet', () => {
  const database = testDatabase();
  const obk = createObk();
  const { run } = insideOf(obk);
  afterAll(async () => {
    await database.end();
    obk.close();
  });

  it('has command lines that need no more than they say', async () => {
    await run([
      ...['profile', 'create', 'acme', '--base-url', 'https://bank.example', '--environment', 'production'],
      ...['--variant', 'v1', '--signing', 'none', '--no-check', '--no-input', '--psu-ip', '192.0.2.1'],
    ]);

    const daily = { env: stateEnvironment((await database.url()).reveal()) };
    const commands = lines.map((line) => wordsOf(line).args);
    expect(commands.map(([noun, verb]) => `${noun ?? ''} ${verb ?? ''}`)).toEqual([
      ...['state doctor', 'payment init', 'payment status'],
    ]);
    const [doctor = [], init = [], status = []] = commands;
    expect((await run(doctor, daily)).code).toBe(0);

    for (const words of [args, init]) {
      const { code, stderr, stdout } = await run(
        [...words.filter((word) => !['--jq', '.paymentId'].includes(word)), '--dry-run'],
        daily,
      );
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('DE89370400440532013000');
    }

    // The bank is none; that there is no such payment is found without it.
    expect(
      oneError(
        await run(
          status.map((word) => (word === '$id' ? 'p-1' : word)),
          daily,
        ),
      ).code,
    ).not.toBe('USAGE');
  });

  it('names variables that obk reads', () => {
    const names = [...env.map(({ name }) => name), ...Object.keys(ci.jobs.pay.env)];
    const known = new Set([
      'OBK_STATE_URL_FROM',
      'OBK_STATE_KEY_FROM',
      'OBK_CONFIG_DIR',
      'OBK_STATE_URL',
      'OBK_STATE_KEY',
    ]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { pairedRatio } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';

const pairs = 9;
const megabyte = 1_000_000;

/** P13: a pain.001 of 100,000 payments with its digest, beside fast-xml-parser's builder on the whole document. */
export async function pain001(machine: Machine): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  try {
    return await measure(machine, join(folder, 'pain001-sides.mjs'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(machine: Machine, script: string): Promise<Figure[]> {
  await build({
    input: join(import.meta.dirname, 'pain001-sides.ts'),
    platform: 'node',
    output: { file: script },
  });
  const obk = machine.node([script, 'obk']);
  const builder = machine.node([script, 'builder']);
  const { ratio } = await pairedRatio(obk, builder, pairs);
  const peakOf = ({ argv: [file, ...args], env }: typeof obk) =>
    Number(execFileSync(file, args, { env, encoding: 'utf8' })) / megabyte;
  const peaks = Array.from({ length: 3 }, () => peakOf(obk));
  return [
    {
      id: 'P13',
      what: 'pain.001 of 100,000 payments with digest / fast-xml-parser builder',
      ratio,
      goal: 0.25,
    },
    {
      id: 'P13',
      what: 'its peak in MB',
      ratio: Math.max(...peaks),
      goal: 90,
      note: `the builder's: ${peakOf(builder).toFixed(0)} MB`,
    },
  ];
}

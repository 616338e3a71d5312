// Requests that are typed by the framework, as raw HTTP, curl and HAR: those with one mistake are found by its rule and place alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/program/pages.ts';
import { runInside } from '../helpers/inside.ts';
import {
  mistakenRequests,
  notations,
  typedRequest,
  typedRequests,
  unusualRequests,
} from '../helpers/typed-requests.ts';
import type { Change, TypedRequest } from '../helpers/typed-requests.ts';

let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'obk-typed-'));
  await commandTree();
}, 60_000);
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

const names = Object.keys(notations);

/** What `obk check request` finds in the request as it is written in one of the notations. */
async function found(at: number, name: TypedRequest, changes: readonly Change[] = []): Promise<string[]> {
  const notation = notations[names[at % names.length] ?? ''];
  const input = notation?.(typedRequest(name, changes)) ?? '';
  const env = { HOME: home, OBK_STATE_DIR: home };
  const { stdout, stderr } = await runInside(['check', 'request', '-', '--json'], { env, cwd: home, input });
  expect(stdout, stderr).not.toBe('');
  const { requests } = JSON.parse(stdout) as {
    requests: { findings: { rule: string; pointer: string }[] }[];
  };
  return requests.flatMap(({ findings }) => findings.map(({ rule, pointer }) => `${rule} ${pointer}`.trim()));
}

describe('requests typed by hand', () => {
  it.each(Object.keys(typedRequests) as TypedRequest[])('are right in every notation: %s', async (name) => {
    for (const at of names.keys()) expect(await found(at, name), names[at]).toEqual([]);
  });

  it.each(mistakenRequests.map((row, at) => [at, ...row] as const))(
    'are caught where wrong, %i: %s with %j',
    async (at, name, change, rule, pointer) => {
      expect(await found(at, name, [change])).toEqual([`${rule} ${pointer}`.trim()]);
    },
  );

  it.each(unusualRequests.map((row, at) => [at, ...row] as const))(
    'are accepted where tolerable, %i: %s with %j',
    async (at, name, changes) => {
      expect(await found(at, name, changes)).toEqual([]);
    },
  );
});

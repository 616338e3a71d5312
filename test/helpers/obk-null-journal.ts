// obk with a journal that remembers nothing: the planted bug that the harnesses of the money path must catch.
import type { Journal } from '../../src/ports.ts';
import { run } from '../../src/program.ts';

const nothing = Promise.resolve();

const journal: Journal = {
  run: 'forgotten',
  append: () => nothing,
  resolve: () => nothing,
  runs: () => Promise.resolve([]),
  read: () => Promise.resolve([]),
  openRuns: () => Promise.resolve([]),
  exact: () => Promise.resolve(undefined),
  claim: () => Promise.resolve({ claimed: true }),
  takeOver: () => Promise.resolve(true),
  noteResource: () => nothing,
  intent: () => Promise.resolve(undefined),
  intentsLike: () => Promise.resolve([]),
  newestIntent: () => Promise.resolve(undefined),
  intentRuns: () => Promise.resolve(new Map()),
  openWrites: () => Promise.resolve([]),
  keep: () => nothing,
  saved: () => nothing,
  close: () => nothing,
  settleIntent: () => nothing,
  intentsNamed: () => Promise.resolve([]),
  brokenIntents: () => Promise.resolve([]),
  repairIntent: () => nothing,
  remove: () => nothing,
};

process.exitCode = await run(
  {
    argv: process.argv.slice(2),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    version: '0.0.0-null',
    pid: process.pid,
    cwd: process.cwd(),
    platform: process.platform,
  },
  { signal: new AbortController().signal, ports: { journal } },
);

// obk with a journal that remembers nothing.
import { run } from '../../src/program/run.ts';
import { nullIntents, nullJournal } from './null-journal.ts';

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
  { signal: new AbortController().signal, ports: { journal: nullJournal, intents: nullIntents } },
);

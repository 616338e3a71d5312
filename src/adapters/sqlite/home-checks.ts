import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { fail, failOf, ok, warn } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';
import { claimCount } from '../../client/state/claim-count.ts';
import { earlierState } from './earlier-state.ts';
import { needFitFileSystem, typeOnThisMachine } from './file-systems.ts';
import type { TypeOf } from './file-systems.ts';
import { withEngines } from './home-state.ts';
import { sqliteVersion } from './sqlite-engine.ts';
import { plainCodec as codec } from './plain-codec.ts';
import { isThere } from './state-failures.ts';

/** Older engines can lose what was committed (https://sqlite.org/wal.html, section 11). */
const oldestEngine = [3, 51, 3];
/** With less, a write soon fails. */
const fewBytes = 64 * 1024 * 1024;

/** Whether obk can work with the files of a home: what is in the way of a write fails. Changes nothing. */
export async function checksOfHome({
  stateDir,
  env,
  typeOf = typeOnThisMachine,
}: {
  stateDir: string;
  env: NodeJS.ProcessEnv;
  typeOf?: TypeOf;
}): Promise<Finding[]> {
  const folder = isThere(stateDir)
    ? [ok('folder', stateDir), fileSystem(stateDir, typeOf), space(stateDir)]
    : [ok('folder', `${stateDir} (made by the first write)`)];
  const engine = engineOf();
  const earlier = earlierState(stateDir);
  return [
    ...folder,
    engine,
    ...(engine.state === 'fail' ? [] : await contents(stateDir, env)),
    ...(earlier === undefined ? [] : [warn('earlier', earlier.warning, earlier.aside[0] ?? null)]),
  ];
}

function fileSystem(stateDir: string, typeOf: TypeOf): Finding {
  const warnings: string[] = [];
  try {
    needFitFileSystem(stateDir, typeOf, (text) => warnings.push(text));
  } catch (error) {
    return failOf('disk', error);
  }
  const [text] = warnings;
  return text === undefined
    ? ok('disk', 'of this machine')
    : warn('disk', text, 'export OBK_STATE_DIR=FOLDER');
}

function space(stateDir: string): Finding {
  const { bavail, bsize } = statfsSync(stateDir);
  const text = `${String(Math.floor((bavail * bsize) / 1024 / 1024))} MiB free`;
  return bavail * bsize >= fewBytes ? ok('space', text) : warn('space', text, line`du -sh ${stateDir}`);
}

function engineOf(): Finding {
  try {
    const version = sqliteVersion();
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    const [least = 0, its = 0, of = 0] = oldestEngine;
    const isOld = (major - least || minor - its || patch - of) < 0;
    return isOld
      ? fail(
          'engine',
          `SQLite ${version}; obk needs ${oldestEngine.join('.')}`,
          'npm install --include=optional',
        )
      : ok('engine', `SQLite ${version}`);
  } catch (error) {
    return failOf('engine', error);
  }
}

/** Each file as it is opened for a write, and whether payments are missing. */
const contents = (stateDir: string, env: NodeJS.ProcessEnv): Promise<Finding[]> =>
  withEngines(stateDir, { env }, async (engines) => {
    const findings: Finding[] = [];
    for (const name of ['state', 'log'] as const) {
      const file = `${name}.db`;
      try {
        await engines[name].change([], () => ({ changes: [], result: undefined }));
        const text = isThere(join(stateDir, file)) ? 'can be opened and written' : 'not there yet';
        findings.push(ok(file, text));
      } catch (error) {
        // What only reads works there.
        const isReadable = error instanceof ObkError && error.code === 'STATE_NOT_WRITTEN';
        findings.push({ ...failOf(file, error), ...(isReadable && { state: 'warn' }) });
      }
    }
    if (findings.every(({ state }) => state === 'ok'))
      findings.push(payments(await claimCount({ ...engines, codec }).missing()));
    return findings;
  });

function payments(missing: number): Finding {
  if (missing === 0) return ok('payments', 'none is missing');
  const text = `${missing === 1 ? '1 payment that was begun is' : `${String(missing)} payments that were begun are`} missing in state.db: it was lost, or is an older copy`;
  return fail('payments', text, 'obk help state import   # what a damaged state still holds');
}

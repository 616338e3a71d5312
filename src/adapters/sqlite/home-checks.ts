import { statfsSync } from 'node:fs';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { fail, failOf, ok, warn } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';
import { claimCount } from '../../client/state/claim-count.ts';
import { earlierState } from './earlier-state.ts';
import { needFitFileSystem, typeOnThisMachine } from './file-systems.ts';
import type { TypeOf } from './file-systems.ts';
import { homeEngines } from './home-state.ts';
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
async function contents(stateDir: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const engines = homeEngines(stateDir, { env });
  const findings: Finding[] = [];
  try {
    for (const name of ['state', 'log'] as const) {
      const file = `${name}.db`;
      try {
        await engines[name].change([], () => ({ changes: [], result: undefined }));
        const [row] = await engines[name].rows({ sql: 'PRAGMA quick_check(1)', values: [] });
        const said = String(row?.['quick_check'] ?? 'ok');
        findings.push(
          said === 'ok'
            ? ok(file, row === undefined ? 'not there yet' : 'whole, and can be written')
            : fail(file, said, 'obk state verify'),
        );
      } catch (error) {
        // What only reads works there.
        const isReadable = error instanceof ObkError && error.code === 'STATE_NOT_WRITTEN';
        findings.push({ ...failOf(file, error), ...(isReadable && { state: 'warn' }) });
      }
    }
    if (findings.every(({ state }) => state === 'ok'))
      findings.push(payments(await claimCount({ ...engines, codec }).missing()));
  } finally {
    await Promise.all([engines.state.close(), engines.log.close()]);
  }
  return findings;
}

function payments(missing: number): Finding {
  if (missing === 0) return ok('payments', 'none is missing');
  const text = `${missing === 1 ? '1 payment that was begun is' : `${String(missing)} payments that were begun are`} missing in state.db: it was lost, or is an older copy`;
  return fail('payments', text, 'obk help state import   # what a damaged state still holds');
}

import { createRequire } from 'node:module';
import { openSqlite } from '../../../../src/base/sqlite/open.ts';

/** A process that opens a database, and says what it has loaded for that; a warning of its own goes to stderr. */
const user = { code: 'SANDBOX_UNAVAILABLE', name: 'The test' } as const;
openSqlite(':memory:', { user, busyMs: 100, synchronous: 'NORMAL' }).close();
process.emitWarning('of another kind', 'ExperimentalWarning');
const loaded = Object.keys(createRequire(import.meta.url).cache);
process.stdout.write(JSON.stringify(loaded.filter((name) => name.includes('@photostructure'))));

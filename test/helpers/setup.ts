import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { knownSecretValues } from '../../src/base/secret.ts';

/** What a machine or a CI run may carry that would change what obk does. */
const foreign =
  /^(OBK_(?!REQUIRE_|SPEC_DIR$|TEST_)|(HTTPS?|ALL|NO)_PROXY$|(NO|FORCE)_COLOR$|CLICOLOR|NODE_OPTIONS$|NODE_EXTRA_CA_CERTS$|NODE_USE_ENV_PROXY$|NODE_TLS_|SSL_CERT_|SNAP$|CI$|GITHUB_ACTIONS$|GITLAB_CI$|BROWSER$|PAGER$|LESS$|EDITOR$|VISUAL$|COLUMNS$|LINES$|ACCESSIBLE$|SSH_|DISPLAY$|WAYLAND_DISPLAY$|XDG_)/i;

for (const name of Object.keys(process.env)) {
  if (foreign.test(name)) Reflect.deleteProperty(process.env, name);
}

// Files follow each other in one process: a secret of an earlier one would be cut out of what a later one prints.
(knownSecretValues() as Set<string>).clear();

const home = mkdtempSync(join(tmpdir(), 'obk-test-'));
process.env['HOME'] = home;
process.env['XDG_CONFIG_HOME'] = join(home, 'config');
process.env['XDG_STATE_HOME'] = join(home, 'state');
process.env['XDG_CACHE_HOME'] = join(home, 'cache');
process.env['XDG_DATA_HOME'] = join(home, 'data');
process.env['XDG_RUNTIME_DIR'] = join(home, 'run');
// A bank that a run has started outlives it: not for long in a test.
process.env['OBK_SANDBOX_IDLE'] = '3s';
process.env['TERM'] = 'xterm-256color';
process.env['TZ'] = 'UTC';

afterAll(() => {
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

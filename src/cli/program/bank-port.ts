import { defined } from '../../base/defined.ts';
import { resolve } from 'node:path';
import { typedPath } from '../../adapters/files/typed-path.ts';
import { needMakeable } from '../../adapters/system/makeable.ts';
import { duration } from '../commands/flags/flag-values.ts';
import type { Process } from '../context.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Secrets } from '../../client/ports/secrets.ts';
import type { StartDetached } from '../../bank/home/detached.ts';
import type { Launch } from '../../bank/home/launch.ts';

/** What the bank inside needs of the run. */
interface BankOptions {
  /** All parsed flags by their names: --at, --ca and --tenant go before the variables. */
  options: Readonly<Record<string, unknown>>;
  stateDir: string;
  clock: Clock;
  secrets: Secrets;
  warn: (line: string) => void;
}

/** Loads the bank inside: the one that flags or variables name, or that of the home, which is started where nothing runs. */
export async function bankPort(host: Process, { options, clock, secrets, warn, ...folders }: BankOptions) {
  const { createBank } = await import('../../bank/index.ts');
  const { program, env, cwd } = host;
  const stateDir = resolve(cwd, folders.stateDir);
  needMakeable(stateDir);
  const idle = idleFrom(env['OBK_SANDBOX_IDLE'] ?? '');
  // A bank in its own process needs a program to run: this one, unless it is embedded in another.
  const launch: Launch = async (port) => {
    if (program === undefined) return undefined;
    const { launcher } = await import('../../bank/home/launch.ts');
    return launcher({ program, stateDir, idle, env })(port);
  };
  const startDetached: StartDetached = async (...start) => {
    if (program === undefined) throw new Error('only a program of its own can be started again');
    const { detachedStarter } = await import('../../bank/home/detached.ts');
    return detachedStarter({ program, cwd, env })(...start);
  };
  const given = (flag: string, variable: string): string | undefined => {
    const value = options[flag] ?? env[variable];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const at = given('at', 'OBK_SANDBOX');
  const ca = given('ca', 'OBK_SANDBOX_CA');
  const tenant = given('tenant', 'OBK_SANDBOX_TENANT');
  const accessKeyFrom = env['OBK_SANDBOX_ACCESS_KEY_FROM'];
  const reference = env['OBK_SANDBOX_TOKEN_FROM'];
  return createBank({
    stateDir,
    clock,
    warn,
    token: async () =>
      reference === undefined || reference === ''
        ? undefined
        : secrets.read(reference, 'the token of the bank inside'),
    ...defined({ at }),
    ...(ca !== undefined && { ca: typedPath(ca, { cwd, env }) }),
    ...defined({ tenant }),
    ...(accessKeyFrom !== undefined &&
      accessKeyFrom !== '' && {
        accessKeyFrom,
        accessKey: () => secrets.read(accessKeyFrom, 'the access key of the bank inside'),
      }),
    ...(program === undefined ? {} : { launch, startDetached }),
  });
}

/** After how long without a call a bank ends that a command starts for itself. */
function idleFrom(text: string): string {
  if (text === '') return '60s';
  duration('OBK_SANDBOX_IDLE')(text);
  return text;
}

import type { ChildProcess } from 'node:child_process';
import type { Browser } from '../../client/ports/browser.ts';
import type { Clock } from '../../client/ports/clock.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { splitWords } from '../system/run-program.ts';
import { createClock } from '../system/system-clock.ts';

/** Starts a browser for a URL; returns the started process. */
export type Launch = (
  url: string,
  app?: { name: string; arguments: readonly string[] },
) => Promise<Pick<ChildProcess, 'once' | 'exitCode'>>;

const longestUrl = 8_192;
/** A program that cannot open anything ends within this time; one that could lives on or ends well. */
const settleMs = 1_000;
const modes = new Set(['auto', 'always', 'never']);

export function createBrowser(options: {
  env: Readonly<Record<string, string | undefined>>;
  /** Whether a person watches a terminal. */
  terminal?: boolean;
  platform?: string;
  clock?: Clock;
  launch?: Launch;
}): Browser {
  const { env, terminal = true, platform = process.platform } = options;
  const { clock = createClock(), launch = launchByOpen } = options;
  const isSet = (name: string) => (env[name] ?? '') !== '';
  /** A mode, or else a program. */
  const wish = env['OBK_BROWSER'] ?? '';

  return {
    likely: () => Promise.resolve(isLikely()),
    open: async (text) => {
      const url = checkUrl(text);
      if (url === undefined) return false;
      for (const [name, ...rest] of programs())
        if (await opens(url, name === undefined ? undefined : { name, arguments: rest })) return true;
      return false;
    },
  };

  /** The words of what may open a link, the first that does counts; no words stand for what the system has. */
  function programs(): readonly string[][] {
    if (wish !== '' && !modes.has(wish)) return [splitWords(wish) ?? []];
    if (platform === 'darwin' || platform === 'win32') return [[]];
    // xdg-open looks into it itself, where there is an xdg-open.
    const others = (env['BROWSER'] ?? '').split(':').map((one) => splitWords(one) ?? []);
    return [
      [],
      ...others.map((words) => words.filter((word) => word !== '%s')).filter((words) => words.length > 0),
    ];
  }

  async function opens(url: string, app: Parameters<Launch>[1]): Promise<boolean> {
    try {
      return await hasOpened(await launch(url, app));
    } catch {
      return false;
    }
  }

  function isLikely(): boolean {
    if (wish === 'always' || wish === 'never') return wish === 'always';
    if (!terminal || (isSet('CI') && env['CI'] !== 'false' && env['CI'] !== '0')) return false;
    if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return false;
    if (platform === 'darwin' || platform === 'win32' || isSet('WSL_DISTRO_NAME')) return true;
    return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY');
  }

  async function hasOpened(child: Pick<ChildProcess, 'once' | 'exitCode'>): Promise<boolean> {
    if (child.exitCode !== null) return child.exitCode === 0;
    const stop = new AbortController();
    const ended = new Promise<boolean>((resolve) => {
      child.once('error', () => {
        resolve(false);
      });
      child.once('exit', (code) => {
        resolve(code === 0);
      });
    });
    const lives = clock.sleep(settleMs, stop.signal).then(
      () => true,
      () => true,
    );
    const opened = await Promise.race([ended, lives]);
    stop.abort();
    return opened;
  }
}

/** Only https, or http on this machine, and nothing that a program could take for an option. */
function checkUrl(text: string): string | undefined {
  const url = text.length > longestUrl ? undefined : parseUrl(text);
  if (url === undefined) return undefined;
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!secure || url.username !== '' || url.password !== '') return undefined;
  return /^[\x21-\x7e]+$/.test(url.href) ? url.href : undefined;
}

const launchByOpen: Launch = async (url, app) => {
  const { default: open } = await import('open');
  return open(url, app ? { app } : {});
};

import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createBrowser } from '../../../../src/adapters/browser/browser.ts';
import type { Launch } from '../../../../src/adapters/browser/browser.ts';
import { directories } from '../../../../src/adapters/files/directories.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';

describe('a browser', () => {
  it.each<[string, Record<string, string>, string, boolean, boolean]>([
    ['a desktop', { DISPLAY: ':0' }, 'linux', true, true],
    ['Wayland', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true, true],
    ['a server or container', {}, 'linux', true, false],
    ['macOS', {}, 'darwin', true, true],
    ['Windows', {}, 'win32', true, true],
    ['WSL', { WSL_DISTRO_NAME: 'Debian' }, 'linux', true, true],
    ['SSH', { DISPLAY: ':10', SSH_CONNECTION: '1' }, 'linux', true, false],
    ['SSH with a terminal', { SSH_TTY: '/dev/pts/0' }, 'darwin', true, false],
    ['CI', { DISPLAY: ':0', CI: 'true' }, 'linux', true, false],
    ['CI=false', { DISPLAY: ':0', CI: 'false' }, 'linux', true, true],
    ['no terminal', { DISPLAY: ':0' }, 'linux', false, false],
    ['never', { DISPLAY: ':0', OBK_BROWSER: 'never' }, 'linux', true, false],
    ['always', { CI: '1', OBK_BROWSER: 'always' }, 'linux', false, true],
    ['an empty DISPLAY', { DISPLAY: '' }, 'linux', true, false],
  ])('is expected or not: %s', async (_case, env, platform, terminal, likely) => {
    expect(await createBrowser({ env, platform, terminal }).likely()).toBe(likely);
  });
});

/** A program that ends as the test says. */
function program(exit?: number | 'error'): { launch: Launch; opened: unknown[] } {
  const opened: unknown[] = [];
  return {
    opened,
    launch: async (url, app) => {
      opened.push(app ? [url, app] : url);
      const child = Object.assign(new EventEmitter(), { exitCode: null });
      if (exit === 'error') setImmediate(() => child.emit('error', new Error('ENOENT')));
      else if (exit !== undefined) setImmediate(() => child.emit('exit', exit));
      return child as never;
    },
  };
}

describe('opening a link', () => {
  const url = 'https://bank.example/authorise?a=b&c=%20d';

  it.each<[string, Record<string, string>, string, readonly (string | undefined)[]]>([
    [
      'what the system has, then each of BROWSER',
      { BROWSER: 'no-such:lynx -x %s:' },
      'linux',
      [undefined, 'no-such', 'lynx'],
    ],
    ['no BROWSER', {}, 'linux', [undefined]],
    ['OBK_BROWSER alone', { OBK_BROWSER: 'own', BROWSER: 'lynx' }, 'linux', ['own']],
    ['a mode is no program', { OBK_BROWSER: 'always', BROWSER: 'lynx' }, 'linux', [undefined, 'lynx']],
    ['macOS has its own', { BROWSER: 'lynx' }, 'darwin', [undefined]],
  ])('tries the programs in order: %s', async (_, env, platform, expected) => {
    const tried: unknown[] = [];
    const launch: Launch = (_url, app) => {
      tried.push(app?.name);
      if (app?.name === 'lynx') expect(app.arguments).toEqual(tried.includes('no-such') ? ['-x'] : []);
      return Promise.reject(new Error('ENOENT'));
    };
    expect(await createBrowser({ env, platform, launch }).open(url)).toBe(false);
    expect(tried).toEqual(expected);
  });

  it.each([
    [0, true],
    [3, false],
    ['error', false],
    [undefined, true],
  ] as const)('survives a program that ends with %s: %s', async (exit, opened) => {
    const { launch, opened: seen } = program(exit);
    // Only one that lives on is waited for.
    const clock = fakeClock({ manual: exit !== undefined });
    expect(await createBrowser({ env: {}, clock, launch }).open(url)).toBe(opened);
    expect(seen).toEqual([url]);
  });

  it('never throws', async () => {
    const launch = () => Promise.reject(new Error('no'));
    expect(await createBrowser({ env: {}, launch }).open(url)).toBe(false);
  });

  it('uses the program of OBK_BROWSER', async () => {
    const { launch, opened } = program(0);
    await createBrowser({ env: { OBK_BROWSER: "'my browser' --private" }, launch }).open(url);
    await createBrowser({ env: { OBK_BROWSER: 'auto' }, launch }).open(url);
    expect(opened).toEqual([[url, { name: 'my browser', arguments: ['--private'] }], url]);
  });

  it.each(['http://127.0.0.1:8080/x', 'http://localhost:1/x', 'http://[::1]:1/x'])(
    'opens %s',
    async (loopback) => {
      expect(await createBrowser({ env: {}, launch: program(0).launch }).open(loopback)).toBe(true);
    },
  );

  it.each([
    'http://bank.example/x',
    'http://127.0.0.1.bank.example/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'vscode://x',
    'data:text/html,x',
    'ftp://bank.example',
    'mailto:x@bank.example',
    '/etc/passwd',
    '--help',
    '-e',
    '',
    'bank.example',
    '//bank.example',
    'https://',
    'https://user@bank.example/',
    'https://user:secret@bank.example/',
    'https://bank.example@evil.example/',
    `https://bank.example/${'x'.repeat(8_192)}`,
    'https//bank.example',
  ])('is refused for %s', async (bad) => {
    const { launch, opened } = program(0);
    expect(await createBrowser({ env: {}, launch }).open(bad)).toBe(false);
    expect(opened).toEqual([]);
  });

  it('hands over printable ASCII only', async () => {
    const { launch, opened } = program(0);
    await createBrowser({ env: {}, launch }).open('https://bänk.example/a b\n"$(x)`é');
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatch(/^[\x21-\x7e]+$/);
  });
});

describe('the directories of obk', () => {
  it.each<[Record<string, string>, string, string, string]>([
    [{ HOME: '/h' }, '/h/.config/obk', '/h/.local/state/obk', '/h/.cache/obk'],
    [
      { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' },
      ...(['/c/obk', '/s/obk', '/k/obk'] as const),
    ],
    [
      { HOME: '/h', XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '', XDG_CACHE_HOME: 'k' },
      ...(['/h/.config/obk', '/h/.local/state/obk', '/h/.cache/obk'] as const),
    ],
    [
      { HOME: '/h', XDG_CONFIG_HOME: '/c', OBK_CONFIG_DIR: '/o', OBK_STATE_DIR: '/p' },
      ...(['/o', '/p', '/h/.cache/obk'] as const),
    ],
    [{ HOME: '/h', OBK_CONFIG_DIR: '' }, '/h/.config/obk', '/h/.local/state/obk', '/h/.cache/obk'],
  ])('follow the environment %j', (env, configDir, stateDir, cacheDir) => {
    expect(directories(env)).toEqual({ configDir, stateDir, cacheDir });
  });
});

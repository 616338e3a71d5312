import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { pictureFiles } from '../../../src/adapters/files/picture-files.ts';
import { createListener } from '../../../src/adapters/browser/redirect-listener.ts';
import { createSecrets } from '../../../src/adapters/secrets/secret-references.ts';
import { createClock, createIds } from '../../../src/adapters/system/system-clock.ts';
import { createFiles } from '../../../src/adapters/files/user-files.ts';
import type { UserFiles } from '../../../src/adapters/files/user-files.ts';
import type { Listener, Return } from '../../../src/client/ports/browser.ts';
import type { Clock, Ids } from '../../../src/client/ports/clock.ts';
import type { Files } from '../../../src/client/ports/files.ts';
import type { Secrets } from '../../../src/client/ports/secrets.ts';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds, fakeListener, fakeSecrets, memoryFiles } from '../../helpers/fakes/index.ts';

const clocks: [string, () => Clock][] = [
  ['fake', () => fakeClock()],
  ['system', () => createClock()],
];

describe.each(clocks)('the %s clock', (_name, make) => {
  it('moves on while somebody sleeps, also the one that never jumps', async () => {
    const clock = make();
    const [before, started] = [clock.now().getTime(), clock.monotonic()];
    await clock.sleep(20);
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(19);
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
  });

  it('wakes with the reason of the signal', async () => {
    const clock = make();
    const abort = new AbortController();
    const sleeping = clock.sleep(60_000, abort.signal);
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(clock.sleep(1, abort.signal)).rejects.toBe(reason);
  });
});

const chances: [string, () => Ids][] = [
  ['fake', fakeIds],
  ['real', createIds],
];

describe.each(chances)('the port of ids, %s,', (_name, make) => {
  it('gives version-4 UUIDs and tokens of the length, each another', () => {
    const ids = make();
    const uuids = Array.from({ length: 50 }, () => ids.uuid());
    for (const uuid of uuids) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    expect(new Set(uuids).size).toBe(50);
    const tokens = Array.from({ length: 50 }, () => ids.token(16));
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(new Set(tokens).size).toBe(50);
  });
});

const secretDrivers: [string, () => Secrets][] = [
  ['fake', () => fakeSecrets({ 'env:OTP': '123' })],
  ['real', () => createSecrets({ env: { OTP: '123' }, stdin: new PassThrough() })],
];

describe.each(secretDrivers)('the port of secrets, %s,', (_name, make) => {
  it('reads them by reference', async () => {
    expect((await make().read('env:OTP', 'the OTP')).reveal()).toBe('123');
  });

  it('ends with exit 3 where they are missing', async () => {
    await expect(make().read('env:NONE', 'the OTP')).rejects.toMatchObject({
      code: 'SECRET_REFERENCE',
      exit: 3,
    });
  });
});

const pictureDrivers: [string, () => Omit<Files, keyof UserFiles>][] = [
  ['in memory', () => memoryFiles()],
  ['in files', () => pictureFiles(freshHome().stateDir, fakeClock())],
];

describe.each(pictureDrivers)('the port of pictures, %s,', (_name, open) => {
  it('gives each a name of its own, and removes it', async () => {
    const pictures = open();
    const paths = [
      await pictures.savePicture(Buffer.from('one'), 'png'),
      await pictures.savePicture(Buffer.from('two'), 'png'),
    ];
    expect(new Set(paths).size).toBe(2);
    for (const path of paths) expect(path).toMatch(/^\/.*\.png$/);
    for (const path of [...paths, ...paths]) await pictures.removePicture(path);
  });
});

const fileDrivers: [string, () => { files: UserFiles; here: string }][] = [
  [
    'in memory',
    () => ({ files: memoryFiles({ 'a.txt': 'ä', '-': 'in' }, (text) => `${text}!`), here: '/cwd' }),
  ],
  [
    'on disk',
    () => {
      const here = realpathSync(mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'files-')));
      writeFileSync(join(here, 'a.txt'), 'ä');
      writeFileSync(
        join(here, 'editor.mjs'),
        "import { appendFileSync } from 'node:fs'; appendFileSync(process.argv.at(-1), '!');",
      );
      const stdin = new PassThrough();
      stdin.end('in');
      const env = { EDITOR: `'${process.execPath}' '${join(here, 'editor.mjs')}'` };
      return { files: createFiles({ cwd: here, env, stdin: () => stdin }), here };
    },
  ],
];

describe.each(fileDrivers)('the port of files, %s,', (_name, make) => {
  it('reads them, by a path or as stdin', async () => {
    const { files, here } = make();
    for (const path of ['a.txt', './a.txt', join(here, 'a.txt')]) {
      expect(Buffer.from(await files.read(path)).toString()).toBe('ä');
    }
    expect(Buffer.from(await files.read('-')).toString()).toBe('in');
    const missing = files.read('nowhere/b.txt');
    await expect(missing).rejects.toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
  });

  it('reads them in pieces', async () => {
    const { files } = make();
    const whole = async (path: string) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of files.stream(path)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    expect(await whole('a.txt')).toBe('ä');
    expect(await whole('-')).toBe('in');
    await expect(whole('nowhere/b.txt')).rejects.toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
  });

  it('writes them, and never over another without force', async () => {
    const { files } = make();
    await files.write('b.txt', Buffer.from('1'), { force: false });
    await expect(files.write('b.txt', Buffer.from('2'), { force: false })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    expect(Buffer.from(await files.read('b.txt')).toString()).toBe('1');
    await files.write('b.txt', Buffer.from('3'), { force: true });
    expect(Buffer.from(await files.read('b.txt')).toString()).toBe('3');
  });

  it('edits them and makes their paths absolute', async () => {
    const { files, here } = make();
    expect(await files.edit('{"a":1}\n', '.json')).toBe('{"a":1}\n!');
    expect(files.absolute('x/../y')).toBe(join(here, 'y'));
    expect(files.absolute('/x')).toBe('/x');
  });
});

const listenerDrivers: [
  string,
  () => { listener: Listener; comeBack: (port: number, back: string) => void },
][] = [
  [
    'fake',
    () => {
      const listener = fakeListener();
      return {
        listener,
        comeBack: (port, back) => {
          const url = `http://127.0.0.1:${port}${back}`;
          listener.comesBack({ outcome: back.includes('/nok') ? 'nok' : 'ok', url } satisfies Return);
        },
      };
    },
  ],
  [
    'real',
    () => ({
      listener: createListener(),
      comeBack: (port, back) => {
        fetch(`http://127.0.0.1:${port}${back}`).catch(() => undefined);
      },
    }),
  ],
];

describe.each(listenerDrivers)('the %s listener', (_name, make) => {
  it('names a port that it can listen on', async () => {
    const { listener } = make();
    const port = await listener.freePort();
    expect(port).toBeGreaterThan(0);
    const bound = await listener.listen({ port, path: '/p', state: 's' });
    expect(bound.port).toBe(port);
    await bound.close();
  });

  it('reports a return to a port that was held before, and holds it on', async () => {
    const { listener, comeBack } = make();
    const port = await listener.hold(0);
    expect(await listener.hold(port)).toBe(port);
    for (const state of ['s', 't']) {
      const bound = await listener.listen({ port, path: '/p', state });
      expect(bound.port).toBe(port);
      comeBack(port, `/p?state=${state}`);
      const { url } = await bound.returned;
      expect(url).toMatch(/^http:.*state=/);
      await bound.close();
    }
    await listener.close();
  });

  it.each([
    ['ok', '/p?state=s'],
    ['nok', '/p/nok?state=s'],
  ])('reports an %s return', async (outcome, back) => {
    const { listener, comeBack } = make();
    const bound = await listener.listen({ port: 0, path: '/p', state: 's' });
    expect(bound.port).toBeGreaterThan(0);
    comeBack(bound.port, back);
    expect(await bound.returned).toEqual({ outcome, url: `http://127.0.0.1:${bound.port}${back}` });
    await bound.close();
  });
});

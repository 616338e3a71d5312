import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createFiles } from '../../../../src/adapters/files/user-files.ts';

function open(env: Record<string, string> = {}) {
  const cwd = realpathSync(mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'files-')));
  const stdin = new PassThrough();
  return { cwd, stdin, files: createFiles({ cwd, env, stdin: () => stdin }) };
}

describe('a file that is read', () => {
  it('is not a pipe that nobody writes to, which would stop this process', async () => {
    const { files, cwd } = open();
    spawnSync('mkfifo', [join(cwd, 'pipe')]);
    await expect(files.read('pipe')).rejects.toMatchObject({
      detail: expect.stringContaining('nobody writes to it'),
    });
  });

  it('may be a pipe to its end, also where its writer is slow', async () => {
    const { files, cwd } = open();
    const path = join(cwd, 'pipe');
    spawnSync('mkfifo', [path]);
    // Open for both at once, as the shell of <(COMMAND) has it.
    const writer = openSync(path, 'r+');
    setTimeout(() => {
      writeSync(writer, 'a'.repeat(60_000));
    }, 60);
    setTimeout(() => {
      writeSync(writer, 'b');
      closeSync(writer);
    }, 120);
    expect(Buffer.from(await files.read('pipe')).toString()).toBe(`${'a'.repeat(60_000)}b`);
  });

  it('may be a pipe whose writer comes later', async () => {
    const { files, cwd } = open();
    const path = join(cwd, 'pipe');
    spawnSync('mkfifo', [path]);
    setTimeout(() => {
      const writer = openSync(path, 'w');
      writeSync(writer, 'late');
      closeSync(writer);
    }, 60);
    expect(Buffer.from(await files.read('pipe')).toString()).toBe('late');
  });

  it('is named where it cannot be read', async () => {
    const { files, cwd } = open();
    await expect(files.read('a/b.xml')).rejects.toMatchObject({ detail: expect.stringContaining('a/b.xml') });
    await expect(files.read(cwd)).rejects.toMatchObject({
      detail: expect.stringContaining('is a directory'),
    });
  });

  it('may be stdin once', async () => {
    const { files, stdin } = open();
    stdin.end(Buffer.from([0, 255, 10]));
    expect(Buffer.from(await files.read('-'))).toEqual(Buffer.from([0, 255, 10]));
    await expect(files.read('-')).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringContaining('stdin'),
    });
  });
});

describe('a stream of a file', () => {
  it('returns all of it in one buffer, which is used again', async () => {
    const { files, cwd } = open();
    const bytes = Buffer.from('0123456789abcdef'.repeat(40_000));
    writeFileSync(join(cwd, 'long'), bytes);
    const buffers = new Set<ArrayBufferLike>();
    const pieces: Buffer[] = [];
    for await (const piece of files.stream('long')) {
      buffers.add(piece.buffer);
      pieces.push(Buffer.from(piece));
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect(pieces.length).toBeGreaterThan(1);
    expect(buffers.size).toBe(1);
  });

  it('names the file that cannot be read, and why', async () => {
    const { files, cwd } = open();
    for (const [path, why] of [
      ['absent', 'absent'],
      [cwd, 'is a directory'],
    ] as const)
      await expect(files.stream(path)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        detail: expect.stringContaining(why) as string,
      });
  });
});

describe('a file that may be replaced', () => {
  it('has an existing folder, and accepts files', async () => {
    const { cwd, files } = open();
    writeFileSync(join(cwd, 'file'), '');
    for (const path of ['a.xml', 'file', './a.xml', `${cwd}/a.xml`])
      await expect(files.needPlace(path), path).resolves.toBeUndefined();
    const hints = {
      'none/a.xml': ['mkdir -p none'],
      'file/a.xml': [],
      '/proc/none/a.xml': ['mkdir -p /proc/none'],
    };
    for (const [path, hint] of Object.entries(hints))
      await expect(files.needPlace(path), path).rejects.toMatchObject({ code: 'OUTPUT_LOST', hint });
  });

  it('is checked without waiting: the beginning of a regular file, and of nothing else', async () => {
    const { files, cwd } = open();
    writeFileSync(join(cwd, 'file'), 'abcdef');
    mkdirSync(join(cwd, 'folder'));
    symlinkSync('file', join(cwd, 'link'));
    symlinkSync('nothing', join(cwd, 'dangling'));
    spawnSync('mkfifo', [join(cwd, 'pipe')]);
    expect(Buffer.from((await files.beginning('file', 3)) ?? []).toString()).toBe('abc');
    expect(await files.beginning('absent', 3)).toBeUndefined();
    for (const name of ['folder', 'link', 'dangling', 'pipe'])
      await expect(files.beginning(name, 3), name).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});

describe('a file that is written', () => {
  it('is for its owner only and whole, and leaves nothing else', async () => {
    const { files, cwd } = open();
    const umask = process.umask(0);
    try {
      await files.write('a.json', Buffer.from('x'), { force: false });
      await files.write('b.json', Buffer.from('x'), { force: true });
    } finally {
      process.umask(umask);
    }
    expect(readdirSync(cwd)).toEqual(['a.json', 'b.json']);
    expect(statSync(join(cwd, 'a.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(cwd, 'b.json')).mode & 0o777).toBe(0o600);
  });

  it('gets a folder of its own where that is requested', async () => {
    const { files, cwd } = open();
    await expect(files.write('new/a', Buffer.from('x'), { force: false })).rejects.toMatchObject({
      code: 'OUTPUT_LOST',
    });
    await files.write('new/deep/a', Buffer.from('x'), { force: false, folder: true });
    expect(readFileSync(join(cwd, 'new/deep/a'), 'utf8')).toBe('x');
    expect(statSync(join(cwd, 'new/deep')).mode & 0o777).toBe(0o700);
  });

  it('never goes through a link, into a device or over a directory', async () => {
    const { files, cwd } = open();
    writeFileSync(join(cwd, 'target'), 'mine');
    symlinkSync(join(cwd, 'target'), join(cwd, 'link'));
    symlinkSync(join(cwd, 'nowhere'), join(cwd, 'dangling'));
    for (const path of ['link', 'dangling', '/dev/null', '.']) {
      for (const force of [true, false]) {
        const failing = files.write(path, Buffer.from('x'), { force });
        await expect(failing).rejects.toMatchObject({
          code: 'INPUT_INVALID',
          detail: expect.stringContaining(path),
        });
      }
    }
    expect(readFileSync(join(cwd, 'target'), 'utf8')).toBe('mine');
    expect(existsSync(join(cwd, 'nowhere'))).toBe(false);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('is reported as OUTPUT_LOST by name where it fails', async () => {
    const { files } = open();
    const failing = files.write('no/such/a.json', Buffer.from('x'), { force: false });
    await expect(failing).rejects.toMatchObject({
      code: 'OUTPUT_LOST',
      exit: 1,
      detail: expect.stringContaining('no/such'),
    });
  });
});

describe('a file that is edited', () => {
  const editor = (cwd: string, text: string) => {
    const path = join(cwd, 'my editor.mjs');
    writeFileSync(path, `import fs from 'node:fs'; const path = process.argv.at(-1); ${text}`);
    return `'${process.execPath}' '${path}' --wait`;
  };

  it('is of its kind, for its owner only, and is removed', async () => {
    const { cwd } = open();
    const seen = join(cwd, 'seen');
    const VISUAL = editor(
      cwd,
      `fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify([path, process.argv.at(-2), fs.statSync(path).mode & 0o777, fs.readFileSync(path, 'utf8')])); fs.writeFileSync(path, 'new');`,
    );
    const files = createFiles({ cwd, env: { VISUAL, EDITOR: 'none' }, stdin: () => new PassThrough() });
    expect(await files.edit('old', '.json')).toBe('new');
    const [path, flag, mode, text] = JSON.parse(readFileSync(seen, 'utf8')) as [
      string,
      string,
      number,
      string,
    ];
    expect({ flag, mode, text }).toEqual({ flag: '--wait', mode: 0o600, text: 'old' });
    expect(path).toMatch(/\.json$/);
    expect(existsSync(path)).toBe(false);
    expect(await files.edit('old', '/../../x')).toBe('new');
  });

  it.each([
    ['/nowhere/editor', 'INPUT_INVALID'],
    ["'open", 'INPUT_INVALID'],
    [`'${process.execPath}' -e 'process.exit(1)'`, 'NOT_CONFIRMED'],
  ])('is refused with %s', async (EDITOR, code) => {
    await expect(open({ EDITOR }).files.edit('x', '.json')).rejects.toMatchObject({ code });
  });
});

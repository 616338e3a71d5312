import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filePieces } from '../../../../src/adapters/files/user-files.ts';

const pieceBytes = 256 * 1024;
const folder = () => mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'pieces-'));

async function allOf(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of filePieces(path)) {
    // Nothing is read into it before the next one is asked for.
    await new Promise((later) => setTimeout(later, 1));
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}

describe('the pieces of a file', () => {
  it.each([0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 5 * pieceBytes + 7])(
    'are its %d bytes',
    async (size) => {
      const path = join(folder(), 'report');
      const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) % 251));
      writeFileSync(path, bytes);
      expect((await allOf(path)).equals(bytes)).toBe(true);
    },
  );

  it('end with what the file system reports', async () => {
    await expect(allOf(folder())).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(allOf(join(folder(), 'absent'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('let signals and timers in between, however fast their reader is', async () => {
    const path = join(folder(), 'report');
    writeFileSync(path, Buffer.alloc(5 * pieceBytes));
    let [pieces, before] = [0, 0];
    for await (const piece of filePieces(path)) {
      if (pieces === 0) setImmediate(() => (before = pieces));
      if (piece.length > 0) pieces += 1;
    }
    expect({ pieces, before }).toEqual({ pieces: 5, before: 1 });
  });

  it('leave no file open when their reader leaves', async () => {
    const path = join(folder(), 'report');
    writeFileSync(path, Buffer.alloc(3 * pieceBytes));
    const open = () => readdirSync('/dev/fd').length;
    const before = open();
    for await (const piece of filePieces(path)) if (piece.length > 0) break;
    expect(open()).toBe(before);
  });

  it('are waited for at a pipe without stopping everything else', async () => {
    const path = join(folder(), 'pipe');
    spawnSync('mkfifo', [path]);
    const writer = spawn('sh', ['-c', 'exec 3>"$0"; sleep 0.3; printf late >&3', path]);
    let [ticks, before] = [0, 0];
    const timer = setInterval(() => (ticks += 1), 10);
    try {
      for await (const piece of filePieces(path)) {
        expect(Buffer.from(piece).toString()).toBe('late');
        before = ticks;
      }
      expect(before).toBeGreaterThan(3);
    } finally {
      clearInterval(timer);
      writer.kill();
    }
  });

  it('are not requested from a pipe before they are needed: its writer may take long', async () => {
    const path = join(folder(), 'pipe');
    spawnSync('mkfifo', [path]);
    const writer = openSync(path, 'r+');
    try {
      writeSync(writer, 'some');
      const pieces = filePieces(path);
      const first = await pieces.next();
      expect(Buffer.from(first.value ?? []).toString()).toBe('some');
      expect(await pieces.return(undefined)).toEqual({ done: true, value: undefined });
    } finally {
      closeSync(writer);
    }
  });
});

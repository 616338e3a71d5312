import { closeSync, open, read } from 'node:fs';
import { promisify } from 'node:util';

// Four times what Node reads at once: a long report costs less time.
const pieceBytes = 256 * 1024;

/**
 * Returns the bytes of a file in pieces, each true until the next is asked for: all are read into one buffer. A stream has a
 * new one for each, which V8 frees only when it collects old objects: of a long file tens of megabytes lay there meanwhile.
 */
export async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await promisify(open)(path, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(pieceBytes);
    for (;;) {
      const { bytesRead } = await promisify(read)(file, buffer, 0, pieceBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    closeSync(file);
  }
}

import { closeSync, fstatSync, open, read } from 'node:fs';
import { promisify } from 'node:util';

// Four times what Node reads at once: a long report costs less time.
const pieceBytes = 256 * 1024;

const opened = promisify(open);
const readInto = promisify(read);

/**
 * Returns the bytes of a file in pieces, each true until the next is asked for: all are read into two buffers, so that one is
 * filled while the other is looked at. A stream has a new one for each, which V8 frees only when it collects old objects: of a
 * long file tens of megabytes lay there meanwhile.
 */
export async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await opened(path, 'r');
  let [present, other] = [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)];
  let reading = fill(file, present);
  try {
    // Nobody who has read enough of a pipe waits for what its writer may say later.
    const isAhead = fstatSync(file).isFile();
    for (;;) {
      const bytesRead = (await reading)();
      if (bytesRead === 0) return;
      if (isAhead) reading = fill(file, other);
      yield present.subarray(0, bytesRead);
      if (!isAhead) reading = fill(file, other);
      [present, other] = [other, present];
    }
  } finally {
    await reading;
    closeSync(file);
  }
}

/** Returns how many bytes were read, or throws, when it is called: a fault of a piece that nobody asks for is none. */
const fill = (file: number, buffer: Buffer): Promise<() => number> =>
  readInto(file, buffer, 0, pieceBytes, null).then(
    ({ bytesRead }) =>
      () =>
        bytesRead,
    (error: unknown) => () => {
      throw error;
    },
  );

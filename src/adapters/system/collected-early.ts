/** So many bytes of a report make enough garbage for its cost to matter. */
const longReport = 4 * 1024 * 1024;

/**
 * Passes on the bytes of a report, and lets V8 collect its old objects sooner while a long one is read: JSON.parse puts each text
 * of up to ten characters into V8's table of strings, from where it goes only then, and with the texts of a million entries that
 * table alone would grow by tens of megabytes.
 */
export async function* collectedEarly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  let setFlag: ((flag: string) => void) | undefined;
  try {
    for await (const piece of bytes) {
      size += piece.length;
      yield piece;
      if (size < longReport || setFlag !== undefined) continue;
      // Loaded here, since Node needs longer for it than for all else before a short report.
      setFlag = (await import('node:v8')).setFlagsFromString;
      setFlag('--heap-growing-percent=50');
    }
  } finally {
    setFlag?.('--heap-growing-percent=0');
  }
}

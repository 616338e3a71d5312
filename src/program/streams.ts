import { ObkError } from '../errors.ts';

/** Writes and waits until it is out; false when the reader has gone. Throws OUTPUT_LOST for everything else. */
export function writeAll(stream: NodeJS.WritableStream, text: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (error: unknown) => {
      if (!(error instanceof Error)) {
        resolve(true);
        return;
      }
      const code = (error as NodeJS.ErrnoException).code ?? error.message;
      if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') {
        resolve(false);
        return;
      }
      reject(
        new ObkError({
          code: 'OUTPUT_LOST',
          title: `The output could not be written: ${code}`,
          cause: error,
        }),
      );
    };
    try {
      stream.write(text, end);
    } catch (error) {
      end(error);
    }
  });
}

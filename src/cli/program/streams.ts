import { clean, cleanStyled } from '../../base/clean.ts';
import { ObkError } from '../../base/errors.ts';

type Stream = NodeJS.WritableStream & { isTTY?: boolean };

/**
 * Writes and waits until it is out; returns false if the reader has gone. Throws OUTPUT_LOST for everything else. For a
 * terminal, control sequences are removed, whatever the format and the source; a pipe or a file gets the text
 * unchanged.
 */
export function writeAll(
  stream: Stream,
  text: string | Uint8Array,
  tty = stream.isTTY === true,
): Promise<boolean> {
  if (!tty) return write(stream, text);
  return write(stream, clean(typeof text === 'string' ? text : Buffer.from(text).toString('utf8')));
}

/** As `writeAll`, of text for people, in which obk itself has put colours. */
export function writeStyled(stream: Stream, text: string, tty = stream.isTTY === true): Promise<boolean> {
  return write(stream, tty ? cleanStyled(text) : text);
}

function write(stream: Stream, text: string | Uint8Array): Promise<boolean> {
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

import { ObkError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Ports } from '../../ports.ts';

/** The text of a file that a profile names; one that cannot be read is an error of this code. An interruption stays one. */
export async function readProfileFile(
  { files }: Pick<Ports, 'files'>,
  path: string,
  code: ErrorCode,
  what: string,
): Promise<string> {
  try {
    return Buffer.from(await files.read(path)).toString('utf8');
  } catch (cause) {
    if (!(cause instanceof ObkError) || cause.code !== 'INPUT_INVALID') throw cause;
    throw new ObkError({
      code,
      title: `The ${what} file ${path} cannot be read.`,
      detail: cause.detail ?? cause.title,
      hint: ['obk profile show'],
      cause,
    });
  }
}

import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import { certificateFormat } from '../../signing/certificate-file.ts';
import { certificateText, keyText } from '../../signing/file-text.ts';

/**
 * The text of a file that a profile names, as PEM where it is DER. One that cannot be read, or is PKCS#12, is an error of this
 * code; an interruption stays one.
 */
export async function readProfileFile(
  { files }: Pick<Ports, 'files'>,
  path: string,
  code: ErrorCode,
  what: string,
): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await files.read(path);
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
  if (certificateFormat(bytes) === 'pkcs12') {
    throw new ObkError({
      code,
      title: `The ${what} file ${path} is PKCS#12.`,
      detail: 'A profile takes the certificate and its key in files of their own.',
      hint: [line`obk cert import ${path} --profile NAME`],
    });
  }
  return code === 'KEY_FILE' ? keyText(bytes) : certificateText(bytes);
}

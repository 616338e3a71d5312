import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Secrets } from '../../client/ports/secrets.ts';

/** As long as a command waits for a PSU where no flag says otherwise. */
const longestMs = 5 * 60_000;

/**
 * Leads a browser to a link by the program that a secret of the journey is bound to; returns the address that it ended at, which
 * the program prints.
 */
export async function addressFrom(
  secrets: Secrets,
  { name, reference }: { name: string; reference: string },
  url: string,
): Promise<string> {
  if (!reference.startsWith('cmd:'))
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: `The secret ${name} drives a browser, so it is a program: --secret ${name}=cmd:PROGRAM.`,
    });
  try {
    const ended = await secrets.read(`${reference} ${line`${[url]}`}`, name, {
      anew: true,
      withinMs: longestMs,
    });
    return ended.reveal();
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    throw new ObkError({
      code: error.code,
      title: `The program ${name} prints no address.`,
      detail:
        `${error.detail ?? ''} It gets the link as its last argument, leads a browser there, and prints the address at which that ended.`.trim(),
      hint: error.hint,
    });
  }
}

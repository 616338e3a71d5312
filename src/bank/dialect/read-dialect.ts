import { readBank } from '../../settings/banks/read-bank.ts';
import { ObkError } from '../../base/errors.ts';
import { usualFramework } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { readNamed } from '../rules/named-file.ts';
import { dialectOf } from './dialect.ts';
import type { Dialect } from './dialect.ts';

/**
 * Reads the description of a bank, a template's name or the path of a file, which the bank inside is to behave as; `framework`
 * goes before its own. Throws USAGE for a template that there is not, CONFIG_UNREADABLE for a file that
 * is wrong or cannot be read.
 */
export async function readDialect(what: string, framework: Framework | undefined): Promise<Dialect> {
  const settings = await readBank(what, {
    file: fileNamed,
    framework: (own) => framework ?? own ?? usualFramework,
  });
  return dialectOf(settings, framework ?? settings.framework);
}

function fileNamed(path: string): Promise<Uint8Array> {
  try {
    return Promise.resolve(readNamed(path));
  } catch (cause) {
    const detail = `${(cause as Error).message}.`;
    return Promise.reject(
      new ObkError({ code: 'INPUT_INVALID', title: 'A file cannot be read.', detail, cause }),
    );
  }
}

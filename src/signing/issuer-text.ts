import { readElement } from './der.ts';
import { attributeText } from './distinguished-name.ts';
import type { DistinguishedName } from './distinguished-name.ts';

/**
 * Tells whether a text names a distinguished name in whatever spelling: the same values, in any order, escaped, quoted,
 * percent-encoded or in hex. Types are not compared, since programs have many names for one.
 */
export function namesSame(text: string, name: DistinguishedName): boolean {
  const values = name.flat().map(({ value }) => plain(attributeText(value) ?? ''));
  return [text, decoded(text)].some((one) => {
    const told = parts(one).map((part) => /^\s*[A-Za-z0-9.]+\s*=(.*)$/s.exec(part)?.[1]);
    return told.every((part) => part !== undefined) && sorted(told.map(valueOf)) === sorted(values);
  });
}

const sorted = (values: readonly string[]) => JSON.stringify([...values].sort());
const plain = (value: string) => value.trim().replace(/\s+/g, ' ').toLowerCase();

/** Splits at commas, semicolons, plus signs and line ends that are neither escaped nor quoted. */
function parts(text: string): string[] {
  return text.match(/(?:\\.|"(?:[^"\\]|\\.|"")*"|[^,;+\n"\\])+/gs) ?? [];
}

function valueOf(part: string | undefined): string {
  const text = (part ?? '').trim();
  if (/^#([0-9a-f]{2})+$/i.test(text)) {
    try {
      return plain(attributeText(readElement(Buffer.from(text.slice(1), 'hex'))) ?? '');
    } catch {
      return text;
    }
  }
  const inside = /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text;
  const bytes = inside.replace(/(?:\\[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('\\', ''), 'hex').toString('utf8'),
  );
  return plain(bytes.replace(/\\(.)/gs, '$1'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

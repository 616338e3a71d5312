import { Document } from 'yaml';
import { JsonNumber } from '../xs2a/json.ts';

/** A number of a bank, with the digits that it was written with. */
const exactNumber = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value: unknown) => value instanceof JsonNumber,
  resolve: (text: string) => text,
  stringify: ({ value }: { value?: unknown }) => (value as JsonNumber).text,
  // Never read with this tag.
  test: /^(?!)/,
} as const;

/**
 * YAML 1.2 as printed, ending in a newline. A text that a reader of YAML 1.1 or 1.2 would take for a number, a date or a truth
 * value is quoted.
 */
export function toYaml(value: unknown): string {
  const document = new Document(value, {
    customTags: (tags) => [exactNumber, ...tags],
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  return document.toString({ lineWidth: 0 });
}

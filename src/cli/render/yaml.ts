import { Document, visit } from 'yaml';
import { JsonNumber } from '../../standard/xs2a/json.ts';

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
 * What ends a line in YAML 1.1 (section 5.4), what its readers do not print or take, and what turns or hides text on a screen: each
 * stands escaped in a quoted text.
 */
const doubtful =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/;
const eachDoubtful = new RegExp(doubtful, 'g');
/** The type of YAML 1.1 that readers know by its sign alone, and cannot make. */
const valueSign = /(?:^|[\n ])=(?:[:\n]|$)/;

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
  const text = document.toString({ lineWidth: 0 });
  if (!doubtful.test(text) && !valueSign.test(text)) return text;
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'string') return;
      if (scalar.value === '=' || doubtful.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document
    .toString({ lineWidth: 0 })
    .replace(eachDoubtful, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

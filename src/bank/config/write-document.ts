import { Document, isMap, isSeq, visit } from 'yaml';

/** Lists of which each item stands on one line, however many there are. */
const narrow = new Set(['transactions', 'history', 'stages']);

/**
 * Writes a bank's file as YAML. A text that another reader would take for a number or a truth value is quoted; members that are
 * undefined are left out.
 */
export function writeDocument(value: object): string {
  const document = new Document(JSON.parse(JSON.stringify(value)));
  visit(document, {
    Pair(_, { key, value: items }) {
      const name = (key as { value?: unknown } | null)?.value;
      if (typeof name !== 'string' || !narrow.has(name) || !isSeq(items)) return undefined;
      for (const item of items.items) if (isMap(item)) item.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0 });
}

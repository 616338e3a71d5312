import type { Node, Place } from '../documents/document.ts';

/**
 * Finds the line and column of settings in a file, JSON or YAML, by their keys: that of the setting, or where it is missing that
 * of what should hold it. Undefined where neither stands in the file, and for a file that cannot be read.
 */
export async function placesIn(
  text: string,
  { isJson, below }: { isJson: boolean; below: string },
): Promise<(setting: string) => Place | undefined> {
  const { readDocument } = await import('../documents/document.ts');
  const read = readDocument(text, isJson ? 'x.json' : 'x.yaml', 'settings');
  if ('faults' in read) return () => undefined;
  return (setting) => {
    const parts = `${below}${setting}`.match(/[^.[\]]+/g) ?? [];
    return keyAt(read.root, parts) ?? (parts.length > 1 ? keyAt(read.root, parts.slice(0, -1)) : undefined);
  };
}

function keyAt(node: Node, parts: readonly string[], place: Place = node): Place | undefined {
  const [part] = parts;
  if (part === undefined) return { line: place.line, column: place.column };
  if (node.kind === 'list') {
    const item = /^\d+$/.test(part) ? node.items[Number(part)] : undefined;
    return item && keyAt(item, parts.slice(1));
  }
  if (node.kind === 'text') return undefined;
  // A name of the bank's own may have dots in it, though it is wrong then.
  for (let length = parts.length; length > 0; length -= 1) {
    const member = node.members.get(parts.slice(0, length).join('.'));
    if (member !== undefined) return keyAt(member.value, parts.slice(length), member.key);
  }
  return undefined;
}

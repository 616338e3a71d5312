// Where the rows of a table and the keys of its indexes stand in a file of SQLite (https://sqlite.org/fileformat2.html#b_tree_pages).

/** A cell of a page: a row of a table, or a key of an index. */
export interface Cell {
  /** The name of the table or of the index. */
  of: string;
  /** Its first byte in the file, and the one after its last. */
  from: number;
  to: number;
}

/** The trees of a file: each with the number of its root page. */
export type Trees = readonly { name: string; rootpage: number }[];

/** All cells of some trees. None of their rows is so long that it goes on in another page. */
export function cellsOf(bytes: Buffer, trees: Trees): Cell[] {
  const size = bytes.readUInt16BE(16);
  const cellsIn = (of: string, page: number): Cell[] => {
    const start = (page - 1) * size;
    const head = start + (page === 1 ? 100 : 0);
    const kind = bytes[head] ?? 0;
    const isLeaf = kind === 10 || kind === 13;
    const places = Array.from({ length: bytes.readUInt16BE(head + 3) }, (_, at) =>
      bytes.readUInt16BE(head + (isLeaf ? 8 : 12) + 2 * at),
    );
    const children = isLeaf
      ? []
      : [...places.map((at) => bytes.readUInt32BE(start + at)), bytes.readUInt32BE(head + 8)];
    const own = places.map((at) => {
      const from = start + at;
      let to = from + (isLeaf ? 0 : 4);
      // The inner pages of a table have numbers of rows and nothing else.
      const payload = kind === 5 ? undefined : varint(bytes, to);
      if (payload !== undefined) to = payload.end;
      if (kind === 13 || kind === 5) to = varint(bytes, to).end;
      to += payload?.value ?? 0;
      if (to > start + size) throw new Error(`a row of ${of} goes on in another page`);
      return { of, from, to };
    });
    return [...own, ...children.flatMap((child) => cellsIn(of, child))];
  };
  return trees.flatMap(({ name, rootpage }) => cellsIn(name, rootpage));
}

function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let end = at; ; end += 1) {
    const byte = bytes[end] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: end + 1 };
  }
}

import { expect, it } from 'vitest';
import { readDocument } from '../../../../src/settings/documents/document.ts';

it.each(['\r', '\r\n', '\n'])('a file in YAML may have lines that end with %j', (end) => {
  const lines = ['a: "b', '  c"', 'd:', '  - e'];
  const read = readDocument(lines.join(end), 'a.yaml', 'members');
  if ('faults' in read) throw new Error(read.faults[0]?.why);
  const { root } = read;
  const members = root.kind === 'map' ? [...root.members.values()].map(({ value }) => value) : [];
  expect(members).toMatchObject([
    { line: 1, text: 'b c' },
    { line: 4, items: [{ line: 4, text: 'e' }] },
  ]);
});

// Takes a camt apart into its elements and makes nothing of them: what P12 cannot come below.
import { filePieces } from '../../src/adapters/files/user-files.ts';
import { textOf } from '../../src/standard/formats/text/text-source.ts';
import { XmlScanner } from '../../src/standard/formats/xml/xml-scan.ts';

let entries = 0;
const scanner = new XmlScanner(
  {
    open: (name) => ['Document', 'BkToCstmrStmt', 'Stmt'].includes(name),
    element: ({ name }) => {
      if (name === 'Ntry') entries += 1;
    },
    close: () => undefined,
  },
  'INPUT_INVALID',
);
const settings = { code: 'INPUT_INVALID', maxBytes: Infinity, what: 'The camt' } as const;
for await (const text of textOf(filePieces(process.argv[2] ?? ''), settings)) scanner.write(text);
scanner.end();
if (entries !== Number(process.argv[3])) throw new Error(`${String(entries)} entries`);

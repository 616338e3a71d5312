// Reads a report alone, without a command around it and without output: the yardstick of P11, and one side of P12.
import { filePieces } from '../../src/adapters/files/user-files.ts';
import { readReport } from '../../src/standard/formats/reports/report.ts';

let rows = 0;
for await (const items of readReport(filePieces(process.argv[2] ?? '')))
  for (const item of items) if (item.kind === 'row') rows += 1;
if (rows !== Number(process.argv[3])) throw new Error(`${String(rows)} rows`);
